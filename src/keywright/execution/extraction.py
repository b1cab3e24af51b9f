"""One document in, one outcome out."""

import os
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from keywright.candidates.words import content_words
from keywright.core.documents import AnalysedDocument, Coverage, Document
from keywright.core.errors import KeywrightError, NeedsUnmet
from keywright.core.interfaces import Analyser, Extractor, innermost, ranked
from keywright.core.locations import places_of
from keywright.core.predictions import Grounds, Keyphrase, Prediction
from keywright.core.rankings import Ranking
from keywright.core.runs import Failure
from keywright.core.signatures import signature
from keywright.execution.phrase_filter import EVERYTHING, Selection, check_probabilities
from keywright.ranking.reasons import reasons
from keywright.ranking.sentences import best_sentence
from keywright.reading.keywords import printed_keywords
from keywright.reading.sources import Unread

Outcome: TypeAlias = Prediction | Failure
"""What becomes of a document."""

USUAL: Final = 10
"""Length of a list when neither the person nor the system says."""

_SAMPLE: Final = "A grid scheduler assigns jobs. The grid scheduler knows jobs. A grid scheduler waits. " * 3
"""Text enough for nearly every system to find a phrase in."""

_NONE: Final = "no keyphrase:"
UNEXPECTED: Final = "unexpected"
"""Code word of an error that is none of ours: a defect, reported for its document only."""


@dataclass(frozen=True)
class Extraction:
    """What is done to each document; travels to every worker once.

    Attributes:
        analyser: makes columns of documents.
        extractor: ranks.
        top: longest list; None leaves it to the system's count rule, or else takes ``USUAL``.
        evidence: whether keyphrases say why they ranked, and where they stand.
        selection: which of the system's phrases are wanted.
    """

    analyser: Analyser
    extractor: Extractor
    top: int | None = None
    evidence: bool = False
    selection: Selection = EVERYTHING

    @property
    def signature(self) -> str:
        """Identity of the system."""
        return signature(self.extractor)

    def __call__(self, document: Document | Failure) -> Outcome:
        """One outcome, whatever happens; a document that could not be read stays the failure that it is."""
        if isinstance(document, Failure):
            return document
        try:
            return self.prediction(document)
        except KeywrightError as error:
            return failure(document.id, error)
        except Exception as error:
            if os.environ.get("KEYWRIGHT_DEBUG") == "1":
                raise
            return defect(document.id, error)

    def lost(self, document: Document | Failure) -> Failure:
        """The outcome of a document that kills whatever process works on it."""
        return lost(document)

    def prediction(self, document: Document) -> Prediction:
        """The prediction for one document.

        Raises:
            KeywrightError: it cannot be done; the class says why.
        """
        analysed = self.analyser.analyse(document)
        check_needs(self.extractor, analysed)
        ranking, keyphrases = self._selected(analysed)
        if self.evidence:
            keyphrases = tuple(explained(keyphrase, analysed) for keyphrase in keyphrases)
        source = analysed.source  # the analyser may have detected the language
        whole = Coverage(len(source.text), len(source.text))
        warnings = (*source.warnings, *ranking.warnings)
        warnings += () if keyphrases else self._nothing(analysed, warnings)
        return Prediction(
            document_id=source.id,
            keyphrases=keyphrases,
            chosen=self._chosen(ranking, keyphrases),
            coverage=source.coverage or whole,
            warnings=tuple(dict.fromkeys(warnings)),
            language=source.language,
            author_keywords=author_keywords(source),
            profile=ranking.profile,
        )

    def _selected(self, analysed: AnalysedDocument) -> tuple[Ranking, tuple[Keyphrase, ...]]:
        """Rank once; then filter as many phrases as the list takes, and cut it."""
        unfiltered, by_probability = self.selection.everything, self.selection.min_probability is not None
        longest = None if by_probability and not self.top else self.top or USUAL
        depth = longest if unfiltered else self.selection.depth(longest)
        ranking = ranked(self.extractor, analysed, depth)
        if longest is not None and not self.top and ranking.chosen is not None:
            longest = ranking.chosen
        if unfiltered:
            return ranking, ranking.keyphrases(longest, explain=self.evidence)
        keyphrases = self._filtered(ranking, depth, analysed)
        if depth is not None and len(ranking) >= depth and len(keyphrases) < (longest or 0):
            # Rarely so many phrases are filtered out that the list needs those behind them.
            ranking = ranking if ranking.complete else self.extractor.extract(analysed)
            keyphrases = self._filtered(ranking, None, analysed)
        return ranking, keyphrases[:longest]

    def _filtered(self, ranking: Ranking, depth: int | None, analysed: AnalysedDocument) -> tuple[Keyphrase, ...]:
        """Return the phrases that pass the selection among the first ``depth``, among all when None."""
        keyphrases = ranking.keyphrases(depth, explain=self.evidence)
        return self.selection.of(keyphrases, analysed, self.extractor.name)

    def _chosen(self, ranking: Ranking, keyphrases: tuple[Keyphrase, ...]) -> int | None:
        """Return how many phrases the system stands by; of a filtered list no more than are left."""
        if ranking.chosen is None or self.selection.everything:
            return ranking.chosen
        return min(ranking.chosen, len(keyphrases))

    def _nothing(self, analysed: AnalysedDocument, warnings: tuple[str, ...]) -> tuple[str, ...]:
        """Return why there is no keyphrase, unless a warning says so already."""
        if any(warning.startswith(_NONE) for warning in warnings):
            return ()
        if not content_words(analysed).any():
            return (f"{_NONE} numbers, signs, addresses, single letters and function words are all there is",)
        if not self.selection.everything:
            return (f"{_NONE} none that was found passes what is asked for",)
        return (f"{_NONE} {innermost(self.extractor).name} found none in this text",)


def explained(keyphrase: Keyphrase, document: AnalysedDocument) -> Keyphrase:
    """A keyphrase with its evidence put into words, its places, and a sentence."""
    grounds = Grounds(
        reasons=reasons(keyphrase.evidence),
        places=places_of(document.source, keyphrase.spans),
        sentence=best_sentence(document, keyphrase.spans),
    )
    return replace(keyphrase, grounds=grounds)


def author_keywords(document: Document) -> tuple[str, ...]:
    """What a document itself gives as keywords: as its reader found them, or in its sections of that kind."""
    found = document.meta.get("author_keywords")
    if isinstance(found, (list, tuple)):
        return tuple(str(keyword) for keyword in found)
    return tuple(printed_keywords(document.text, document.sections))


def failure(document_id: str, error: KeywrightError) -> Failure:
    """An error as the outcome of a document."""
    return Failure(document_id, error.code, error.message, error.hint)


def check_ready(extraction: Extraction) -> None:
    """That the system can run at all, found out on a document without text before any other is touched.

    Raises:
        NeedsUnmet: the analyser gives no tags, and the system needs them. Sections are each document's own affair.
        NotFitted: it was never trained.
        BadParameter: probabilities are wanted, and it gives none.
    """
    empty = extraction.analyser.analyse(Document("(nothing)", ""))
    if "tags" in extraction.extractor.needs:
        check_needs(extraction.extractor, empty, frozenset({"tags"}))
    ranked(extraction.extractor, empty, 1)
    if extraction.selection.min_probability is not None:
        sample = extraction.analyser.analyse(Document("(a sample)", _SAMPLE))
        check_probabilities(ranked(extraction.extractor, sample, 1).keyphrases(1), extraction.extractor.name)


def check_needs(extractor: Extractor, analysed: AnalysedDocument, of: frozenset[str] | None = None) -> None:
    """That the analysis holds what the system needs.

    Args:
        extractor: the system.
        analysed: what it would be given.
        of: needs to look at; None for all.

    Raises:
        NeedsUnmet: it does not.
    """
    needs = extractor.needs if of is None else extractor.needs & of
    missing = sorted(needs - analysed.provides)
    if missing:
        message = f"{extractor.name} needs {' and '.join(missing)}, which the analysis of {analysed.source.id!r} lacks"
        raise NeedsUnmet(message, "choose a system without that need: `keywright systems` lists needs")


@dataclass(frozen=True)
class FromFiles:
    """Files are read where they are worked on, so that several processes also share the reading.

    Attributes:
        extraction: what is done to each document.
        keep: whether documents come back with their outcomes.
    """

    extraction: Extraction
    keep: bool = False

    def __call__(self, source: Unread | Document | Failure) -> tuple[tuple[Document | None, Outcome], ...]:
        """Outcomes of all documents of a file; whatever happens while reading is a failure."""
        if not isinstance(source, Unread):
            return (self._done(source),)
        try:
            found = tuple(source.documents())
        except Exception as error:
            if os.environ.get("KEYWRIGHT_DEBUG") == "1":
                raise
            found = (defect(source.name, error),)
        return tuple(map(self._done, found))

    def lost(self, source: Unread | Document | Failure) -> tuple[tuple[None, Failure]]:
        """The outcome of a file that kills whatever process works on it."""
        return ((None, lost(source)),)

    def _done(self, found: Document | Failure) -> tuple[Document | None, Outcome]:
        return found if self.keep and isinstance(found, Document) else None, self.extraction(found)


def lost(source: Unread | Document | Failure) -> Failure:
    """What is said of a document or file whose process died."""
    match source:
        case Unread():
            name = source.name
        case Document():
            name = source.id
        case Failure():
            return source
    return Failure(name, UNEXPECTED, "the process that worked on it died", "too little memory is a usual cause")


def defect(name: str, error: Exception) -> Failure:
    """What is said of a document that an error of ours stopped."""
    message = f"{type(error).__name__}: {error}"
    return Failure(name, UNEXPECTED, message, "KEYWRIGHT_DEBUG=1 shows where; please report it")
