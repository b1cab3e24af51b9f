"""Inspec (Hulth 2003): titles with abstracts, and the keys that indexers gave.

Lines of the originals are wrapped; a continuation line begins with a tab, which alone distinguishes title and abstract.
Unwrapping replaces line end and tab by a blank. Keys are separated by semicolons. Keys of kind ``uncontr_in`` are
tokenised (``object - oriented design``) and stay so.
"""

import re
from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BrokenFile
from keywright.datasets.files import Files, Gold, join_gold

KINDS: Final = ("contr", "uncontr", "uncontr_in")
FOLDERS: Final = {"train": "training", "validation": "validation", "test": "test"}


def read_inspec(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:  # noqa: ARG001 - one form only
    """Yield documents of a split, sorted by id as strings; the text is title, line end, abstract.

    ``split``: ``train``, ``validation`` or ``test``.
    """
    gold = _read_keys(files, FOLDERS[split])
    abstracts = re.compile(rf"(?:^|/){FOLDERS[split]}/(?P<id>\d+)\.abstr$", re.IGNORECASE)
    texts = ((match["id"], text) for match, text in files.matching(abstracts))
    for name, text, entries in join_gold(texts, gold, sorted(gold)):
        yield LabelledDocument(_make_document(name, text), entries)


def _read_keys(files: Files, folder: str) -> dict[str, Gold]:
    pattern = re.compile(rf"(?:^|/){folder}/(?P<id>\d+)\.(?P<kind>{'|'.join(KINDS)})$", re.IGNORECASE)
    gold: dict[str, dict[str, Gold]] = {}
    for match, text in files.matching(pattern):
        keys = (" ".join(key.split()) for key in text.split(";"))
        entries = tuple(GoldKeyphrase((key,), match["kind"]) for key in keys if key)
        if match["kind"] in gold.setdefault(match["id"], {}):
            raise BrokenFile(f"{match['id']}.{match['kind']} comes twice", "keep one copy: archive or folder")
        gold[match["id"]][match["kind"]] = entries
    for name, kinds in gold.items():
        if missing := [kind for kind in KINDS if kind not in kinds]:
            raise BrokenFile(f"document {name} has no file of {', '.join(missing)}", "the copy is incomplete")
    if not gold:
        raise BrokenFile(f"no keys of {folder!r} in {files.place}", "expected the folders of the originals")
    return {name: tuple(entry for kind in KINDS for entry in kinds[kind]) for name, kinds in gold.items()}


def _make_document(name: str, text: str) -> Document:
    lines = text.rstrip("\n").replace("\n\t", " ").split("\n")
    if len(lines) != 2:  # noqa: PLR2004 - title and abstract
        raise BrokenFile(f"{name}.abstr has {len(lines)} unwrapped lines", "expected two, title and abstract")
    title = lines[0]
    unwrapped = "\n".join(lines)
    sections = (
        Section(SectionKind.TITLE, 0, len(title)),
        Section(SectionKind.ABSTRACT, len(title) + 1, len(unwrapped)),
    )
    return Document(name, unwrapped, sections, language="en")
