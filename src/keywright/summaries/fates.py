"""Fates of keyphrases: those that a summary keeps of other texts, those it loses, and those it invents."""

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from keywright.core.candidates import Spans
from keywright.core.json_values import encode
from keywright.summaries.kpeval import KPEval
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
        probability: that a person would choose it, in the text of ``text``, 0 to 1; None if unknown.
        in_summary: spans in the summary, half-open, in characters.
        in_others: number of the text compared with, from 0, and its spans there.
    """

    lemmas: str
    text: str
    fate: Fate
    probability: float | None
    in_summary: Spans
    in_others: tuple[tuple[int, Spans], ...]

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        others = [{"text": number, "spans": spans} for number, spans in self.in_others]
        record = {"text": self.text, "lemmas": self.lemmas, "fate": self.fate, "probability": self.probability}
        return dict(encode({**record, "in_summary": self.in_summary, "in_others": others}))


@dataclass(frozen=True, slots=True)
class SummaryFates:
    """The keyphrases of one summary and of the texts that it is compared with.

    Attributes:
        others: texts compared with: the references, or the source.
        keyphrases: most probable first; where no probabilities are known, in the extractor's order.
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
    """Yield the fates of the keyphrases of each pair, in order; each distinct text is analysed once.

    The evaluator extracts keyphrases, and says which texts count.
    """
    find_keyphrases, find_lemmas = cache(evaluator.keyphrases), cache(evaluator.lemmas_of)
    for pair in pairs:
        others = evaluator.compared_with(pair)
        peer = find_keyphrases(pair.summary)
        fated: dict[str, FatedKeyphrase] = {}
        for number, text in enumerate(map(find_keyphrases, others)):
            for lemmas, keyphrase in text.keyphrases.items():
                if lemmas in fated:
                    in_others = (*fated[lemmas].in_others, (number, keyphrase.spans))
                    fated[lemmas] = replace(fated[lemmas], in_others=in_others)
                    continue
                ours = peer.keyphrases.get(lemmas)
                fate, spans = (Fate.KEPT, ours.spans) if ours else (Fate.LOST, ())
                where = ((number, keyphrase.spans),)
                fated[lemmas] = FatedKeyphrase(lemmas, keyphrase.text, fate, keyphrase.probability, spans, where)
        in_source = find_lemmas(pair.source) if pair.source else None
        for lemmas, keyphrase in peer.keyphrases.items():
            if lemmas not in fated:
                fate = Fate.INVENTED if in_source is not None and f" {lemmas} " not in in_source else Fate.ADDED
                fated[lemmas] = FatedKeyphrase(lemmas, keyphrase.text, fate, keyphrase.probability, keyphrase.spans, ())
        ordered = sorted(fated.values(), key=lambda each: -(each.probability or 0.0))
        notes = () if others else ("nothing to compare with",)
        yield SummaryFates(pair, others, tuple(ordered), (*pair.notes, *notes, *peer.warnings))
