"""Gold as scorers read it: the entries of each document, one set for each kind of gold."""

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
        """First digits of the SHA-256 over ids and entries."""
        content = repr([(document.id, document.entries) for document in self.documents])
        return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def gold_sets(labelled: Iterable[LabelledDocument[D]], kinds: Sequence[str] = ()) -> tuple[GoldSet, ...]:
    """Build gold sets of labelled documents: the given kinds, or all in the order of their first occurrence.

    A document without gold of a kind is in that kind's set, without entries.
    """
    documents = tuple(labelled)
    kinds = tuple(kinds) or tuple(dict.fromkeys(gold.by for document in documents for gold in document.gold))

    def entries(document: LabelledDocument[D], by: str) -> GoldDocument:
        return GoldDocument(document.id, tuple(gold.forms for gold in document.given_by(by)))

    return tuple(GoldSet(by, tuple(entries(document, by) for document in documents)) for by in kinds)


def texts_for(protocol: Protocol, labelled: Iterable[LabelledDocument[Document]]) -> dict[str, str] | None:
    """Return the texts in which a protocol looks for present phrases, by document id; None where it needs none.

    Documents without text are left out.
    """
    if not protocol.needs_texts:
        return None
    texts = ((document.id, protocol.text(document.document)) for document in labelled)
    return {name: text for name, text in texts if text.strip()}
