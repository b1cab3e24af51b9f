"""Krapivin 2009: ACM papers in full, converted from PDF, with their authors' keyphrases.

Lines ``--T``, ``--A``, ``--B`` and ``--R`` begin title, abstract, body and references. The text of a document is these
four parts with a line end between them, without the marks. Keys are one per line.
"""

import re
from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BrokenFile
from keywright.datasets.files import Files, join_gold

PARTS: Final = re.compile(r"--T\n(.*)\n--A\n(.*)\n--B\n(.*)\n--R\n(.*)", re.DOTALL)
KINDS: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.BODY, SectionKind.REFERENCES)
SPLITS: Final = {"test400": slice(0, 400), "test": slice(0, 460), "train": slice(460, None)}
_TEXT: Final = re.compile(r"(?:^|/)docsutf8/(?P<id>\d+)\.txt$")
_KEYS: Final = re.compile(r"(?:^|/)keys/(?P<id>\d+)\.key$")


def read_krapivin2009(files: Files, split: str, forms: str) -> Iterator[LabelledDocument[Document]]:  # noqa: ARG001 - one form only
    """Yield documents of a split, sorted by id as strings; splits are stretches of this order.

    ``split``: ``test`` (the first 460), ``test400`` (the first 400) or ``train`` (from the 461st).
    """
    gold = {}
    for match, text in files.matching(_KEYS):
        if match["id"] in gold:
            raise BrokenFile(f"{match['id']}.key comes twice", "keep one copy: archive or folder")
        keys = (key.strip() for key in text.splitlines())
        gold[match["id"]] = tuple(GoldKeyphrase((key,), "author") for key in keys if key)
    if not gold:
        raise BrokenFile(f"no key files in {files.place}", "expected the folders docsutf8 and keys")
    texts = ((match["id"], text) for match, text in files.matching(_TEXT))
    for name, text, entries in join_gold(texts, gold, sorted(gold)[SPLITS[split]]):
        yield LabelledDocument(_make_document(name, text), entries)


def _make_document(name: str, marked: str) -> Document:
    match = PARTS.fullmatch(marked.rstrip("\n"))
    if match is None:
        raise BrokenFile(f"{name}.txt lacks one of the lines --T, --A, --B, --R", "expected the collection's own files")
    sections, at = [], 0
    for kind, part in zip(KINDS, match.groups(), strict=True):
        sections.append(Section(kind, at, at + len(part)))
        at += len(part) + 1
    return Document(name, "\n".join(match.groups()), tuple(sections), language="en")
