"""Interfaces between parts. The only file with ``typing.Protocol``."""

import typing
from collections.abc import Callable, Iterable, Iterator, Sequence

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument

Item = typing.TypeVar("Item")
Result = typing.TypeVar("Result")

Progress: typing.TypeAlias = Callable[[int, int], None]  # callback of long work: how much is done, and there is


class Analyser(typing.Protocol):
    """A maker of columns from documents."""

    def analyse(self, document: Document) -> AnalysedDocument:
        """Analyse one document; equal documents give equal columns."""


class Extractor(typing.Protocol):
    """A function from an analysed document to a ranking of its phrases."""

    @property
    def name(self) -> str:
        """Name of the system, as in the catalogue."""

    @property
    def needs(self) -> frozenset[str]:
        """Columns that the analysis must have, of ``stems``, ``tags`` and ``sections``; ``terms`` with inner signs."""

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank all phrases of the document, once; whoever shows them cuts the list."""


@typing.runtime_checkable
class DepthLimited(Extractor, typing.Protocol):
    """An extractor whose cost grows with the length of its ranking, and which may be told how long that must be."""

    def extract_first(self, document: AnalysedDocument, depth: int | None) -> Ranking:
        """Rank the first ``depth`` phrases, all when None: the beginning of what ``extract`` gives."""


@typing.runtime_checkable
class Prefetching(Extractor, typing.Protocol):
    """An extractor that is faster on several documents together, such as a neural one."""

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Do the work on documents that will be extracted next; their rankings are the same without."""


@typing.runtime_checkable
class JointExtractor(Extractor, typing.Protocol):
    """An extractor that ranks several analysed documents faster together than one by one."""

    def extract_together(self, documents: Sequence[AnalysedDocument]) -> Sequence[Ranking]:
        """Rank all phrases of each document, exactly as ``extract`` does."""


@typing.runtime_checkable
class Wrapper(Extractor, typing.Protocol):
    """An extractor that changes the rankings of another one, such as a calibrated system."""

    @property
    def inner(self) -> Extractor:
        """The system that ranks."""

    def change_ranking(self, ranking: Ranking) -> Ranking:
        """Return the ranking of the inner system, with enough first phrases, as this extractor gives it."""


@typing.runtime_checkable
class ConceptExtractor(Extractor, typing.Protocol):
    """An extractor that ranks the concepts of a vocabulary, and no other phrases."""

    @property
    def vocabulary_digest(self) -> str:
        """SHA-256 of the vocabulary, see ``VocabularyIndex.digest``."""


def rank_document(extractor: Extractor, document: AnalysedDocument, depth: int | None = None) -> Ranking:
    """Return the extractor's ranking, with the first ``depth`` phrases at least; all of them when None."""
    if depth is not None and isinstance(extractor, DepthLimited):
        return extractor.extract_first(document, depth)
    return extractor.extract(document)


def wrap_ranking(extractor: Extractor, ranking: Ranking) -> Ranking:
    """Return the extractor's ranking of a document of which its innermost system ranked all phrases."""
    if not isinstance(extractor, Wrapper):
        return ranking
    return extractor.change_ranking(wrap_ranking(extractor.inner, ranking))


def needs_of(kind: type[Extractor]) -> frozenset[str]:
    """Return what a system needs as its defaults make it, where its parameters decide."""
    needs: object = kind.needs
    return needs if isinstance(needs, frozenset) else kind().needs


def innermost(extractor: Extractor) -> Extractor:
    """Return the system inside all wrappers, which is the extractor itself if it is not a wrapper."""
    while isinstance(extractor, Wrapper):
        extractor = extractor.inner
    return extractor


def concept_extractor(extractor: Extractor) -> ConceptExtractor | None:
    """Return the innermost system if it ranks the concepts of a vocabulary, else None."""
    inside = innermost(extractor)
    return inside if isinstance(inside, ConceptExtractor) else None


class TrainableExtractor(Extractor, typing.Protocol):
    """An extractor that learns from analysed documents with gold."""

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> typing.Self:
        """Return a fitted copy; self is unchanged."""


class Executor(typing.Protocol):
    """A way to apply a function to many items; ``running.engines.Serial`` defines the results."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results, in any order."""
