"""What the parts must offer to each other. The only file that says ``typing.Protocol``."""

import typing
from collections.abc import Callable, Iterable, Iterator

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Prediction

Item = typing.TypeVar("Item")
Result = typing.TypeVar("Result")

Progress: typing.TypeAlias = Callable[[int, int], None]
"""What long work tells: how much of it is done, of how much."""


class Analyser(typing.Protocol):
    """Turns documents into columns."""

    def analyse(self, document: Document) -> AnalysedDocument:
        """Analyse one document; equal documents give equal columns."""
        ...


class Extractor(typing.Protocol):
    """A function from an analysed document to a ranked prediction."""

    name: typing.ClassVar[str]
    needs: typing.ClassVar[frozenset[str]]

    def extract(self, document: AnalysedDocument, top: int | None = None) -> Prediction:
        """Rank; ``top`` cuts the list and changes nothing else: ``top=2`` is a prefix of ``top=5``."""
        ...


class TrainableExtractor(Extractor, typing.Protocol):
    """An extractor that learns from analysed documents with gold."""

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> typing.Self:
        """A new, fitted value; self stays as it is."""
        ...


Feature: typing.TypeAlias = Callable[[Candidates, AnalysedDocument], Floats]
"""One number for each candidate, (candidates,)."""

Reader: typing.TypeAlias = Callable[..., Iterator[LabelledDocument[Document]]]
"""Turns the files of a data set into labelled documents."""


class Executor(typing.Protocol):
    """Applies a function to items, somewhere; ``serial`` defines the answer."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Results in any order."""
        ...
