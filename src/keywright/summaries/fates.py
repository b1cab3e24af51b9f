"""Fates of keyphrases: those that a summary keeps of other texts, those it loses, and those it invents."""

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from keywright.core.candidates import Spans
from keywright.summaries.kpeval import KPEval, LemmaKeyphrase, TextKeyphrases
from keywright.summaries.pairs import Pair, SummaryText


class Fate(enum.StrEnum):
    """Fates of a keyphrase.

    ``kept`` is in the summary and in a text that it is compared with, ``lost`` is not in the summary, ``added`` is in
    the summary and in no reference, but the source contains it (or is unknown), ``invented`` is not even in the source.
    """

    KEPT = "kept"
    LOST = "lost"
    ADDED = "added"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class FatedKeyphrase:
    """A keyphrase with its fate.

    Attributes:
        lemmas: its identity.
        text: surface form: in the summary for added and invented ones, else in the first text that has it.
        fate: what became of it.
        probability: that a person would choose it, in the text of ``text``, 0 to 1; None if unknown.
        in_summary: places in the summary, half-open, in characters.
        in_others: number of the text compared with, from 0, and its places there.
    """

    lemmas: str
    text: str
    fate: Fate
    probability: float | None
    in_summary: Spans
    in_others: tuple[tuple[int, Spans], ...]

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "text": self.text,
            "lemmas": self.lemmas,
            "fate": self.fate.value,
            "probability": self.probability,
            "in_summary": [list(span) for span in self.in_summary],
            "in_others": [{"text": at, "spans": [list(span) for span in spans]} for at, spans in self.in_others],
        }


@dataclass(frozen=True, slots=True)
class SummaryFates:
    """The keyphrases of one summary and of the texts that it is compared with.

    Attributes:
        pair: the summary and the texts.
        others: texts compared with: the references, or the source.
        keyphrases: most probable first; where no probabilities are known, in the extractor's order.
        notes: for people.
    """

    pair: Pair
    others: tuple[SummaryText, ...]
    keyphrases: tuple[FatedKeyphrase, ...]
    notes: tuple[str, ...] = ()

    def with_fate(self, fate: Fate) -> tuple[FatedKeyphrase, ...]:
        """Return the keyphrases of one fate."""
        return tuple(keyphrase for keyphrase in self.keyphrases if keyphrase.fate is fate)

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "id": self.pair.id,
            "system": self.pair.system,
            "keyphrases": [keyphrase.as_json() for keyphrase in self.keyphrases],
            "counts": {fate.value: len(self.with_fate(fate)) for fate in Fate},
            "notes": list(self.notes),
        }


def find_all_fates(pairs: Iterable[Pair], evaluator: KPEval) -> Iterator[SummaryFates]:
    """Yield the fates of the keyphrases of each pair, in order; each distinct text is analysed once."""
    keyphrases, lemmas = cache(evaluator.keyphrases), cache(evaluator.lemmas_of)
    for pair in pairs:
        yield _find_fates(pair, evaluator.compared_with(pair), keyphrases, lemmas)


def find_fates(pair: Pair, evaluator: KPEval) -> SummaryFates:
    """Return the fates of the keyphrases of a pair, under the options of an evaluator.

    Args:
        pair: a summary, and its references or source.
        evaluator: extracts keyphrases, and says which texts count.
    """
    return next(find_all_fates((pair,), evaluator))


def _find_fates(
    pair: Pair,
    others: tuple[SummaryText, ...],
    keyphrases: Callable[[SummaryText], TextKeyphrases],
    lemmas_of: Callable[[SummaryText], str],
) -> SummaryFates:
    peer = keyphrases(pair.summary)
    compared = list(map(keyphrases, others))
    places = {lemmas: _find_spans(lemmas, compared) for text in compared for lemmas in text.keyphrases}
    fated = [
        _decide_fate(_find_first(lemmas, compared), Fate.KEPT if lemmas in peer.keyphrases else Fate.LOST, peer, where)
        for lemmas, where in places.items()
    ]
    in_source = lemmas_of(pair.source) if pair.source else None
    for lemmas, keyphrase in peer.keyphrases.items():
        if lemmas not in places:
            invented = in_source is not None and f" {lemmas} " not in in_source
            fated.append(_decide_fate(keyphrase, Fate.INVENTED if invented else Fate.ADDED, peer, ()))
    fated.sort(key=lambda each: -(each.probability or 0.0))
    notes = () if others else ("nothing to compare with",)
    return SummaryFates(pair, others, tuple(fated), (*pair.notes, *notes, *peer.warnings))


def _decide_fate(
    keyphrase: LemmaKeyphrase, fate: Fate, peer: TextKeyphrases, places: tuple[tuple[int, Spans], ...]
) -> FatedKeyphrase:
    in_summary = peer.keyphrases.get(keyphrase.lemmas)
    return FatedKeyphrase(
        keyphrase.lemmas, keyphrase.text, fate, keyphrase.probability, in_summary.spans if in_summary else (), places
    )


def _find_spans(lemmas: str, texts: Sequence[TextKeyphrases]) -> tuple[tuple[int, Spans], ...]:
    return tuple((at, text.keyphrases[lemmas].spans) for at, text in enumerate(texts) if lemmas in text.keyphrases)


def _find_first(lemmas: str, texts: Sequence[TextKeyphrases]) -> LemmaKeyphrase:
    return next(text.keyphrases[lemmas] for text in texts if lemmas in text.keyphrases)
