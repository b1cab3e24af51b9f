"""Data sets, loaded by name or from a labelled JSON Lines file."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, cast

from keywright.core.documents import Document, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadParameter
from keywright.core.predictions import Failure
from keywright.datasets.card import Card, Split, named
from keywright.datasets.data_folders import files_of
from keywright.datasets.files import Files
from keywright.datasets.fingerprint import fingerprint
from keywright.datasets.labelled_file import count_in, documents_in, existing, is_file_name, readable_in
from keywright.reading.bare_text.sections import find_sections

SURFACE: Final = "surface"
"""Form of gold as people wrote it, the only form in files."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled documents on this machine; each iteration reads them again.

    Attributes:
        name: ``semeval2010/test``, ``semeval2010`` for all its documents, or the path of a file.
        files: local copy of a collection, or a JSON Lines file.
        card: card of the collection; None for a file.
        splits: splits to iterate, in order; empty for a file.
    """

    name: str
    forms: str
    files: Files
    card: Card | None = None
    splits: tuple[Split, ...] = ()

    def __iter__(self) -> Iterator[LabelledDocument[Document]]:
        """Yield documents with sections, in the order of the reader or the file."""
        if self.card is None:
            yield from documents_in(self.files.place)
            return
        for split in self.splits:
            for labelled in reader(self.card)(self.files, split.name, self.forms):
                yield LabelledDocument(sectioned(labelled.document), labelled.gold)

    def documents(self) -> Iterator[Document | Failure]:
        """Yield documents without gold, as ``__iter__`` orders them; of a file also a failure for each broken line."""
        if self.card is None:
            return readable_in(self.files.place)
        return (labelled.document for labelled in self)

    def __len__(self) -> int:
        """Number of documents: as the card says, or lines of the file."""
        return sum(split.documents for split in self.splits) if self.card else count_in(self.files.place)

    @property
    def held_out(self) -> bool:
        """True if any of its gold is for reporting only."""
        return any(split.held_out for split in self.splits)

    def check_learnable(self, hint: str = "train on another split") -> None:
        """Check that its gold may be learned from; ``hint`` is the advice if it may not."""
        if self.held_out:
            raise BadParameter(f"the gold of {self.name} is for reporting only", hint)

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits: of the card, several splits with a comma between; of a file, computed."""
        return ",".join(self._fingerprints())

    @property
    def signature(self) -> str:
        """Identity of the data: name, forms, first digits of the fingerprints."""
        digits = ",".join(digest[:8] for digest in self._fingerprints())
        return f"{self.name}|forms:{self.forms}|fingerprint:{digits}"

    def _fingerprints(self) -> tuple[str, ...]:
        if self.card is None:
            return (fingerprint(self),)
        return tuple(split.fingerprints[self.forms] for split in self.splits)


def load(name: str, mirror: Path | None = None, forms: str | None = None) -> DataSet:
    """Return a collection, one of its splits, or a JSON Lines file.

    ``forms`` is one of the card's; the usual one when None.
    """
    if is_file_name(name):
        if forms not in {None, SURFACE}:
            raise BadParameter(f"gold of {name} is not given as {forms!r}", f"expected {SURFACE}")
        return DataSet(name, SURFACE, Files(existing(name)))
    card, chosen = named(name)
    splits = (chosen,) if chosen else tuple(card.splits[part] for part in card.whole)
    forms = forms or card.forms[0]
    for split in splits:
        if forms not in split.fingerprints:
            raise BadParameter(
                f"gold of {card.name}/{split.name} is not given as {forms!r}",
                f"expected one of: {', '.join(split.fingerprints)}",
            )
    return DataSet(name, forms, files_of(card, mirror), card, splits)


_FRONT = {SectionKind.TITLE, SectionKind.AUTHORS, SectionKind.ABSTRACT}


def sectioned(document: Document) -> Document:
    """Return the document with sections found in bare text, and within a marked body; other marked sections stay."""
    if not document.sections:
        return replace(document, sections=find_sections(document.text))
    sections: list[Section] = []
    for section in document.sections:
        sections += _within(document.text, section) if section.kind == SectionKind.BODY else [section]
    return replace(document, sections=tuple(sections))


def _within(text: str, body: Section) -> list[Section]:
    """Return the sections of a body; titles and abstracts are marked elsewhere, so that those found here are body."""
    return [
        Section(
            SectionKind.BODY if section.kind in _FRONT else section.kind,
            body.start + section.start,
            body.start + section.end,
        )
        for section in find_sections(text[body.start : body.end])
    ]


SplitReader: TypeAlias = Callable[[Files, str, str], Iterator[LabelledDocument[Document]]]
"""Reads one split, from the files, the split's name, and the form of the gold."""


def reader(card: Card) -> SplitReader:
    """Return the function that the card names as ``module:function``; readers of records also take the card."""
    module, _, function = card.reader.partition(":")
    read = getattr(importlib.import_module(module), function)
    return cast("SplitReader", partial(read, card=card) if card.records else read)
