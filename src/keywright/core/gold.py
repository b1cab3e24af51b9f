"""Gold: keyphrases of a document chosen by people."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from keywright.core.documents import AnalysedDocument, Document

D = TypeVar("D", Document, AnalysedDocument)


@dataclass(frozen=True, slots=True)
class GoldKeyphrase:
    """One keyphrase chosen by people.

    Attributes:
        forms: accepted alternatives, at least one, as the collection writes them.
        by: its kind: ``author``, ``reader``, ``combined``, ``uncontr``, ``contr`` ... (a card lists its kinds).
    """

    forms: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class LabelledDocument(Generic[D]):
    """A document, as given or analysed, with its gold of all kinds; repeats of the collection are kept."""

    document: D
    gold: tuple[GoldKeyphrase, ...]

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.source.id if isinstance(self.document, AnalysedDocument) else self.document.id

    def given_by(self, by: str) -> tuple[GoldKeyphrase, ...]:
        """Return the gold of one kind, in the collection's order."""
        return tuple(gold for gold in self.gold if gold.by == by)
