"""Collections in the formats of their originals: Inspec, Krapivin 2009, SemEval-2010.

Inspec (Hulth 2003): lines are wrapped; a continuation line begins with a tab, and line end and tab become a blank. Keys
are separated by semicolons, those of kind ``uncontr_in`` tokenised (``object - oriented design``). Krapivin 2009: lines
``--T``, ``--A``, ``--B`` and ``--R`` begin title, abstract, body and references, which are joined by line ends.
SemEval-2010 Task 5: papers as ``pdftotext`` left them, and answer files with lines such as ``C-41 : first
keyphrase,second keyphrase+its alternative``; a blank before an entry is removed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.files import Files, Gold, join_gold

INSPEC_KINDS: Final = ("contr", "uncontr", "uncontr_in")
INSPEC_FOLDERS: Final = {"train": "training", "validation": "validation", "test": "test"}
KRAPIVIN_PARTS: Final = re.compile(r"--T\n(.*)\n--A\n(.*)\n--B\n(.*)\n--R\n(.*)", re.DOTALL)
KRAPIVIN_SECTIONS: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.BODY, SectionKind.REFERENCES)
KRAPIVIN_SPLITS: Final = {"test400": slice(0, 400), "test": slice(0, 460), "train": slice(460, None)}
SEMEVAL_KINDS: Final = ("author", "reader", "combined")
_ANSWER: Final = re.compile(r"(?P<id>[CHIJ]-\d+) : (?P<entries>.+)")


def read_inspec(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:  # noqa: ARG001 - one form only
    """Yield documents of ``train``, ``validation`` or ``test``, sorted by id as strings: title, line end, abstract."""
    folder = INSPEC_FOLDERS[split]
    pattern = re.compile(rf"(?:^|/){folder}/(?P<id>\d+)\.(?P<kind>{'|'.join(INSPEC_KINDS)})$", re.IGNORECASE)
    keys: dict[str, dict[str, Gold]] = {}
    for match, text in files.matching(pattern):
        stripped = (" ".join(key.split()) for key in text.split(";"))
        if match["kind"] in keys.setdefault(match["id"], {}):
            raise BrokenFile(f"{match['id']}.{match['kind']} comes twice", "keep one copy: archive or folder")
        keys[match["id"]][match["kind"]] = tuple(GoldKeyphrase((key,), match["kind"]) for key in stripped if key)
    for name, kinds in keys.items():
        if missing := [kind for kind in INSPEC_KINDS if kind not in kinds]:
            raise BrokenFile(f"document {name} has no file of {', '.join(missing)}", "the copy is incomplete")
    if not keys:
        raise BrokenFile(f"no keys of {folder!r} in {files.place}", "expected the folders of the originals")
    gold = {name: tuple(entry for kind in INSPEC_KINDS for entry in kinds[kind]) for name, kinds in keys.items()}
    abstracts = re.compile(rf"(?:^|/){folder}/(?P<id>\d+)\.abstr$", re.IGNORECASE)
    yield from _label_texts(files, abstracts, gold, sorted(gold), _unwrap_abstract)


def _unwrap_abstract(name: str, text: str) -> Document:
    lines = text.rstrip("\n").replace("\n\t", " ").split("\n")
    if len(lines) != 2:  # noqa: PLR2004 - title and abstract
        raise BrokenFile(f"{name}.abstr has {len(lines)} unwrapped lines", "expected two, title and abstract")
    return _join_sections(name, lines, (SectionKind.TITLE, SectionKind.ABSTRACT))


def read_krapivin2009(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:  # noqa: ARG001 - one form only
    """Yield documents sorted by id as strings: ``test`` (460), ``test400`` (400) or ``train`` (from the 461st)."""
    gold: dict[str, Gold] = {}
    for match, text in files.matching(re.compile(r"(?:^|/)keys/(?P<id>\d+)\.key$")):
        if match["id"] in gold:
            raise BrokenFile(f"{match['id']}.key comes twice", "keep one copy: archive or folder")
        keys = (key.strip() for key in text.splitlines())
        gold[match["id"]] = tuple(GoldKeyphrase((key,), "author") for key in keys if key)
    if not gold:
        raise BrokenFile(f"no key files in {files.place}", "expected the folders docsutf8 and keys")
    papers = re.compile(r"(?:^|/)docsutf8/(?P<id>\d+)\.txt$")
    yield from _label_texts(files, papers, gold, sorted(gold)[KRAPIVIN_SPLITS[split]], _split_paper)


def _split_paper(name: str, marked: str) -> Document:
    match = KRAPIVIN_PARTS.fullmatch(marked.rstrip("\n"))
    if match is None:
        raise BrokenFile(f"{name}.txt lacks one of the lines --T, --A, --B, --R", "expected the collection's own files")
    return _join_sections(name, match.groups(), KRAPIVIN_SECTIONS)


def read_semeval2010(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:
    """Yield documents in the order of the combined answers; ``meta`` has the ACM category; ``stem`` or ``lemma``."""
    stem = r"\.stem" if forms == "stem" else ""
    pattern = re.compile(rf"(?:^|/){split}\.(?P<kind>{'|'.join(SEMEVAL_KINDS)}){stem}\.final$")
    answers = {match["kind"]: _parse_answers(text, match) for match, text in files.matching(pattern)}
    if missing := [kind for kind in SEMEVAL_KINDS if kind not in answers]:
        raise BrokenFile(f"no answer file of {split} for {', '.join(missing)} ({forms})", "the copy is incomplete")
    order = list(answers["combined"])
    for kind in SEMEVAL_KINDS:
        if answers[kind].keys() != set(order):
            raise BrokenFile(f"{kind} and combined answers of {split} name different documents", "download it again")
    gold = {name: tuple(entry for kind in SEMEVAL_KINDS for entry in answers[kind][name]) for name in order}
    papers = re.compile(rf"(?:^|/){split}/(?P<id>[CHIJ]-\d+)\.txt\.final$")
    yield from _label_texts(
        files, papers, gold, order, lambda name, text: Document(name, text, language="en", meta={"category": name[0]})
    )


def _parse_answers(text: str, file: re.Match[str]) -> dict[str, Gold]:
    answers: dict[str, Gold] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        match = _ANSWER.fullmatch(line)
        entries = [entry.strip().split("+") for entry in match["entries"].split(",")] if match else []
        if not match or match["id"] in answers or not all(all(forms) for forms in entries):
            message = f"line {number} of {file.string} is not an answer line: {line[:60]!r}"
            raise BadRecord(message, "expected `ID : a,b+c,d`")
        answers[match["id"]] = tuple(GoldKeyphrase(tuple(forms), file["kind"]) for forms in entries)
    return answers


def _label_texts(
    files: Files,
    pattern: re.Pattern[str],
    gold: Mapping[str, Gold],
    order: Sequence[str],
    make: Callable[[str, str], Document],
) -> Iterator[LabelledDocument[Document]]:
    """Yield the documents of the files that match a pattern, which gives their ids."""
    texts = ((match["id"], text) for match, text in files.matching(pattern))
    for name, text, entries in join_gold(texts, gold, order):
        yield LabelledDocument(make(name, text), entries)


def _join_sections(name: str, parts: Sequence[str], kinds: Sequence[SectionKind]) -> Document:
    """Return an English document of sections with a line end between them."""
    sections, at = [], 0
    for kind, part in zip(kinds, parts, strict=True):
        sections.append(Section(kind, at, at + len(part)))
        at += len(part) + 1
    return Document(name, "\n".join(parts), tuple(sections), language="en")
