"""Extraction: from one document to one prediction or failure, or from several that a system ranks together."""

import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final, TypeAlias

from keywright.core import interfaces
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Coverage, Document
from keywright.core.errors import BadParameter, KeywrightError, MissingExtra, NeedsUnmet
from keywright.core.interfaces import Analyser, Extractor, concept_extractor, innermost, rank_document
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Grounds, Keyphrase, locate_spans
from keywright.core.options import AUTO, Length
from keywright.core.predictions import Failure, Outcome, Prediction
from keywright.core.records import FinishedRecord, outcome_record
from keywright.core.signatures import signature
from keywright.core.word_lists import read_words
from keywright.extraction.candidates.ngrams import content_words
from keywright.extraction.ranking.reasons import best_sentence, reasons
from keywright.reading.headings import printed_keywords
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter, check_probabilities, suggest_absent
from keywright.text.languages import ByLanguage
from keywright.text.phrase_groups import merge_near_repeats

Rank: TypeAlias = Callable[[int | None], Ranking]
"""Function of a depth to a document's ranking, with so many first phrases at least; all of them when None."""


def rank_together(
    extractor: Extractor, analyser: Analyser, documents: Sequence[Document | Failure]
) -> Mapping[int, tuple[AnalysedDocument, Rank]]:
    """Return analyses and rankings, by place, of documents that a system ranks together, but failed ones."""
    system = innermost(extractor)
    if not isinstance(system, interfaces.JointExtractor):
        return {}
    readable = {number: document for number, document in enumerate(documents) if isinstance(document, Document)}
    together: Sequence[AnalysedDocument] = ()
    if isinstance(analyser, ByLanguage):
        with contextlib.suppress(Exception):  # then one by one, so that an error costs its own document only
            together = analyser.analyse_together(tuple(readable.values()))
    analysed: dict[int, AnalysedDocument] = {}
    for index, (number, document) in enumerate(readable.items()):
        with contextlib.suppress(Exception):
            analysis = together[index] if together else analyser.analyse(document)
            check_needs(extractor, analysis)
            analysed[number] = analysis
    try:
        rankings = system.extract_together(tuple(analysed.values()))
    except Exception:  # noqa: BLE001 - of any kind, see above
        return {}
    wrap = (lambda ranking: ranking) if system is extractor else partial(interfaces.wrap_ranking, extractor)
    ranks = (lambda _depth, ranking=ranking: wrap(ranking) for ranking in rankings)
    return dict(zip(analysed, zip(analysed.values(), ranks, strict=True), strict=True))


Source: TypeAlias = Unread | JsonLine | Document | Failure
"""A file or a record that is not read yet, a document, or a failure."""
DEFAULT_LENGTH: Final = 10
"""Length of a list if the caller does not say: as many as people read at once, and the depth of most evaluations."""
_POOL: Final = 3
"""Phrases that are looked at for each of a list without near repeats; where too few differ, all phrases are."""
_FEW_MORE: Final = 4  # phrases that are looked at where some of a list repeat others; as many do in few abstracts
_SAMPLE: Final = "A grid scheduler assigns jobs. The grid scheduler knows jobs. A grid scheduler waits. " * 3
"""Text in which nearly every system finds a phrase."""
_calendar_names = cache(partial(read_words, "text/calendar_names.txt"))
"""Names of days and months of a language: none of the labels of 14,744 everyday texts is one of them alone."""
_NONE: Final = "no keyphrase:"
_ALWAYS: Final = frozenset({"stems", "terms"})  # columns that every analysis has
UNEXPECTED: Final = "unexpected"
"""Code word of an error that keywright does not raise on purpose: a defect, reported for its document only."""


@dataclass(frozen=True)
class Extraction:
    """The work on each document; sent to every worker process once.

    ``top``: longest list, None for ``DEFAULT_LENGTH``, ``auto`` for the system's rule; ``evidence``: why and where;
    ``meta``: predictions carry that of the documents, not in runs; ``merge``: near repeats, and names of days and
    months alone, are left out, not in runs.
    """

    analyser: Analyser
    extractor: Extractor
    top: Length | None = None
    evidence: bool = False
    phrase_filter: PhraseFilter = UNFILTERED
    meta: bool = True
    merge: bool = False

    @property
    def signature(self) -> str:
        """Signature of the system."""
        return signature(self.extractor)

    @property
    def names_concepts(self) -> bool:
        """True if results name concepts: of the vocabulary of the options, or of that which the system ranks."""
        return self.phrase_filter.names_concepts or concept_extractor(self.extractor) is not None

    def together(self, documents: Sequence[Document | Failure]) -> tuple[Outcome, ...]:
        """Return one outcome for each document, exactly as one by one; some systems rank all of them at once."""
        rankings = rank_together(self.extractor, self.analyser, documents)
        return tuple(self(document, rankings.get(number)) for number, document in enumerate(documents))

    def __call__(self, document: Document | Failure, ranked: tuple[AnalysedDocument, Rank] | None = None) -> Outcome:
        """Return prediction or failure (which stays), ``ranked`` before or not; raise ``MissingExtra`` only."""
        if isinstance(document, Failure):
            return document
        try:
            return self._prediction(*ranked) if ranked else self.prediction(document)
        except MissingExtra:  # as every other document would
            raise
        except KeywrightError as error:
            return Failure.from_error(document.id, error, self._meta(document))
        except Exception as error:
            if os.environ.get("KEYWRIGHT_DEBUG") == "1":
                raise
            return replace(report_defect(document.id, error), meta=self._meta(document))

    def prediction(self, document: Document) -> Prediction:
        """Return the prediction for one document."""
        analysed = self.analyser.analyse(document)
        check_needs(self.extractor, analysed)
        return self._prediction(analysed, partial(rank_document, self.extractor, analysed))

    def _prediction(self, analysed: AnalysedDocument, rank: Rank) -> Prediction:
        ranking, keyphrases = self._select(analysed, rank)
        warnings = (*ranking.all_warnings(), *self.phrase_filter.warn_of_vocabulary(keyphrases, analysed))
        warnings += () if keyphrases else self._explain_none(analysed, ranking, warnings)
        chosen = ranking.chosen
        if chosen is not None and not self.phrase_filter.passes_all:
            chosen = min(chosen, len(keyphrases))
        if self.phrase_filter.absent:
            absent, why_none = suggest_absent(analysed, self.phrase_filter, explain=self.evidence)
            keyphrases, warnings = self._merge((*keyphrases, *absent), None, analysed), (*warnings, *why_none)
        source = analysed.source  # the analyser may have detected the language
        if self.evidence:
            keyphrases = tuple(
                replace(
                    each,
                    grounds=Grounds(
                        reasons(each.evidence), locate_spans(source, each.spans), best_sentence(analysed, each.spans)
                    ),
                )
                for each in keyphrases
            )
        whole = Coverage(len(source.text), len(source.text))
        return Prediction(
            document_id=source.id,
            keyphrases=keyphrases,
            chosen=chosen,
            coverage=source.coverage or whole,
            warnings=tuple(dict.fromkeys(warnings)),
            language=source.language,
            author_keywords=find_author_keywords(source),
            profile=ranking.profile,
            assumes=ranking.assumes,
            meta=self._meta(source),
        )

    def _meta(self, document: Document) -> dict[str, Any]:
        """Return the document's other data, without the keywords, which predictions have for themselves."""
        return {key: value for key, value in document.meta.items() if self.meta and key != "author_keywords"}

    def _select(self, analysed: AnalysedDocument, rank: Rank) -> tuple[Ranking, tuple[Keyphrase, ...]]:
        """Rank once; then filter as many phrases as the list takes, merge near repeats, and cut it."""
        phrase_filter, is_auto = self.phrase_filter, self.top == AUTO
        longest = self.top if isinstance(self.top, int) else DEFAULT_LENGTH
        by_probability = self.top is None and phrase_filter.min_probability is not None
        wanted = None if by_probability or is_auto else longest
        ranking = rank(None if phrase_filter.vocabulary else self._measure_pool(wanted))
        if is_auto:
            # Concepts above others come behind all of them, and labels without a content word are not ranked: *H.264*.
            has_others_behind = ranking.concepts is not None and phrase_filter.broader
            is_cut_by_system = ranking.chosen is not None and (len(ranking) or not phrase_filter.vocabulary)
            wanted = ranking.chosen if is_cut_by_system and not has_others_behind else longest
        if phrase_filter.passes_all and not self.merge:
            return ranking, ranking.keyphrases(wanted, explain=self.evidence)
        pool = self._measure_pool(wanted)
        if phrase_filter.passes_all and wanted is not None:
            listed = self._merge(self._iterate(ranking, wanted), wanted, analysed)
            if len(listed) < wanted and len(ranking) >= (pool or 0) and not ranking.complete:
                ranking = self.extractor.extract(analysed)
                listed = self._merge(self._iterate(ranking, wanted), wanted, analysed)
            return ranking, listed
        for depth in (pool // 2, pool, None) if pool else (None,):  # half is mostly enough, all rarely needed
            if pool and depth is None and not ranking.complete:
                ranking = self.extractor.extract(analysed)
            first, is_cut = phrase_filter.take_first(ranking, depth, analysed, explain=self.evidence)
            listed = self._merge(phrase_filter.apply(first, analysed), wanted, analysed)
            if not is_cut or len(listed) >= (wanted or 0):
                break
        return ranking, phrase_filter.name_concepts(listed, analysed)

    def _measure_pool(self, length: int | None) -> int | None:
        """Return how many phrases to look at first for a list of some length; None for all."""
        pool = self.phrase_filter.measure_pool(length)
        return max(pool, _POOL * length) if self.merge and length and pool else pool

    def _iterate(self, ranking: Ranking, wanted: int) -> Iterator[Keyphrase]:
        """Yield the phrases of a ranking as a list without near repeats asks for them: most need one more or two."""
        begin, step = 0, _POOL * wanted // 2 if self.evidence else wanted + wanted // 10
        while phrases := ranking.keyphrases(begin + step, explain=self.evidence, begin=begin):
            yield from phrases
            begin, step = begin + step, max(_FEW_MORE, step // 2)

    def _merge(self, phrases: Iterable[Keyphrase], most: int | None, of: AnalysedDocument) -> tuple[Keyphrase, ...]:
        """Return the first phrases; unless the list is as the system ranks, without near repeats and names of days."""
        if not self.merge:
            return tuple(itertools.islice(phrases, most))
        if not self.phrase_filter.vocabulary:  # its labels may be days
            names = _calendar_names(of.source.language or "")
            phrases = (each for each in phrases if each.concept or each.text not in names)
        return merge_near_repeats(phrases, of.source.language, most)

    def _explain_none(self, analysed: AnalysedDocument, ranking: Ranking, warnings: tuple[str, ...]) -> tuple[str, ...]:
        """Return why there is no keyphrase, unless a warning says so already."""
        if any(warning.startswith(_NONE) for warning in warnings):
            return ()
        if not content_words(analysed).any():
            reason = "the text has only numbers, symbols, addresses and stop words"
        elif self.phrase_filter.min_probability is not None and len(ranking) and ranking.probabilities is None:
            reason = f"min_probability is asked for, and {self.extractor.name} gives no probabilities here"
        elif not self.phrase_filter.passes_all:
            reason = "no candidate passes the options"
        else:
            reason = f"{innermost(self.extractor).name} found none in this text"
        return (f"{_NONE} {reason}",)


def find_author_keywords(document: Document) -> tuple[str, ...]:
    """Return the keywords that a document itself lists: from its reader, or from its keyword sections."""
    keywords = document.meta.get("author_keywords")
    if isinstance(keywords, (list, tuple)):
        return tuple(map(str, keywords))
    return tuple(printed_keywords(document.text, document.sections))


def check_ready(extraction: Extraction) -> None:
    """Check on an empty document that the system can run, before any real document is touched.

    Raises NeedsUnmet: there are no tags; NotFitted: never trained; BadParameter: no probabilities, or another
    vocabulary.
    """
    system, vocabulary = concept_extractor(extraction.extractor), extraction.phrase_filter.vocabulary
    if system and vocabulary and getattr(vocabulary, "digest", None) != system.vocabulary_digest:
        hint = "leave --vocabulary out, name the vocabulary of the training, or train again with this one"
        raise BadParameter(f"the system {system.name} was trained with another vocabulary", hint)
    empty = extraction.analyser.analyse(Document("(nothing)", ""))
    if "tags" in extraction.extractor.needs:
        check_needs(extraction.extractor, empty, frozenset({"tags"}))
    rank_document(extraction.extractor, empty, 1)
    if extraction.phrase_filter.min_probability is not None:
        sample = extraction.analyser.analyse(Document("(a sample)", _SAMPLE))
        check_probabilities(rank_document(extraction.extractor, sample, 1).keyphrases(1), extraction.extractor.name)


def check_needs(extractor: Extractor, analysed: AnalysedDocument, of: frozenset[str] | None = None) -> None:
    """Check that the analysis has what the system needs, or those of its needs named in ``of``."""
    needs = extractor.needs if of is None else extractor.needs & of
    if needs <= _ALWAYS:
        return
    missing = sorted(needs - analysed.provides)
    if missing:
        message = f"{extractor.name} needs {' and '.join(missing)}, which the analysis of {analysed.source.id!r} lacks"
        raise NeedsUnmet(message, "choose a system without that need: `keywright systems` lists needs")


def report_defect(name: str, error: Exception) -> Failure:
    """Return the failure for a document that an unexpected error stopped."""
    message = f"{type(error).__name__}: {error}"
    return Failure(name, UNEXPECTED, message, "KEYWRIGHT_DEBUG=1 shows where; please report it")


@dataclass(frozen=True, slots=True)
class AsRecord:
    """A function from an outcome to its record, of which the system has a short signature."""

    system: str
    include_text: bool = False

    def __call__(self, document: Document | None, outcome: Outcome) -> FinishedRecord:
        """Return the record of an outcome."""
        record = outcome_record(outcome, self.system)
        if isinstance(outcome, Failure):
            return FinishedRecord(outcome.document_id, to_json(record), failure=replace(outcome, meta={}))
        if self.include_text and document is not None:
            record["text"] = document.text
        return FinishedRecord(outcome.document_id, to_json(record), outcome.warnings, outcome.profile)
