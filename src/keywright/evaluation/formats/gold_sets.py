"""Gold as scorers take it: the entries of each document, one set for each kind of gold."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.gold import LabelledDocument
from keywright.evaluation.protocol import Protocol

D = TypeVar("D", Document, AnalysedDocument)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """The gold of one document: for each entry its alternatives, in the collection's order, repeats kept."""

    id: str
    entries: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class GoldSet:
    """The gold of one kind (``author``, ``reader``, ``combined``, ``uncontr`` ...) for a collection.

    Not slotted, so that its fingerprint is computed once.
    """

    by: str
    documents: tuple[GoldDocument, ...]

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 over ids and entries; equal gold, equal fingerprint."""
        content = repr([(document.id, document.entries) for document in self.documents])
        return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def gold_sets(labelled: Iterable[LabelledDocument[D]], kinds: Sequence[str] = ()) -> tuple[GoldSet, ...]:
    """Gold sets of labelled documents: those kinds, or all kinds there are in the order of their first occurrence.

    A document without gold of a kind is in that kind's set, without entries.
    """
    documents = tuple(labelled)
    kinds = tuple(kinds) or tuple(dict.fromkeys(gold.by for one in documents for gold in one.gold))
    return tuple(
        GoldSet(by, tuple(GoldDocument(one.id, tuple(gold.forms for gold in one.given_by(by))) for one in documents))
        for by in kinds
    )


def texts_for(protocol: Protocol, labelled: Iterable[LabelledDocument[Document]]) -> dict[str, str] | None:
    """The texts that a protocol tells present phrases by, by document id; None where it needs none.

    Documents without text are not among them.
    """
    if not protocol.needs_texts:
        return None
    texts = ((one.id, protocol.text(one.document)) for one in labelled)
    return {name: text for name, text in texts if text.strip()}
