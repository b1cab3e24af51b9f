"""SemEval-2010 Task 5: papers as ``pdftotext`` left them, gold in answer files of one line per document.

A line reads ``C-41 : first keyphrase,second keyphrase+its alternative``. Text is kept as it is. A blank before an entry
(two entries of the training readers' file have one) is removed.
"""

import re
from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.files import Files, join_gold

KINDS: Final = ("author", "reader", "combined")
_LINE: Final = re.compile(r"(?P<id>[CHIJ]-\d+) : (?P<entries>.+)")


def read_semeval2010(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:
    """Yield documents of a split in the order of its combined answer file; ``meta`` has the ACM category's letter.

    ``split``: ``trial``, ``train`` or ``test``; ``forms``: ``stem`` or ``lemma``.
    """
    answers = _read_answers(files, split, forms)
    if missing := [kind for kind in KINDS if kind not in answers]:
        raise BrokenFile(f"no answer file of {split} for {', '.join(missing)} ({forms})", "the copy is incomplete")
    order = list(answers["combined"])
    for kind in KINDS:
        if answers[kind].keys() != set(order):
            raise BrokenFile(f"{kind} and combined answers of {split} name different documents", "download it again")
    gold = {name: tuple(entry for kind in KINDS for entry in answers[kind][name]) for name in order}
    paper = re.compile(rf"(?:^|/){split}/(?P<id>[CHIJ]-\d+)\.txt\.final$")
    texts = ((match["id"], text) for match, text in files.matching(paper))
    for name, text, entries in join_gold(texts, gold, order):
        yield LabelledDocument(Document(name, text, language="en", meta={"category": name[0]}), entries)


def _read_answers(files: Files, split: str, forms: str) -> dict[str, dict[str, tuple[GoldKeyphrase, ...]]]:
    stem = r"\.stem" if forms == "stem" else ""
    pattern = re.compile(rf"(?:^|/){split}\.(?P<kind>{'|'.join(KINDS)}){stem}\.final$")
    return {match["kind"]: _parse_lines(text, match["kind"], match.string) for match, text in files.matching(pattern)}


def _parse_lines(text: str, kind: str, path: str) -> dict[str, tuple[GoldKeyphrase, ...]]:
    answers: dict[str, tuple[GoldKeyphrase, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line)
        entries = [entry.strip().split("+") for entry in match["entries"].split(",")] if match else []
        if not match or match["id"] in answers or not all(all(forms) for forms in entries):
            raise BadRecord(f"line {number} of {path} is not an answer line: {line[:60]!r}", "expected `ID : a,b+c,d`")
        answers[match["id"]] = tuple(GoldKeyphrase(tuple(forms), kind) for forms in entries)
    return answers
