"""AutoSummENG and MeMoG of many pairs, topic by topic, in bounded memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.summaries.ngram_graphs.comparing import Comparing, Comparison, mean_similarities
from keywright.summaries.ngram_graphs.units import Units, units_of
from keywright.summaries.pairs import Pair

GraphMeasure: TypeAlias = Literal["autosummeng", "memog"]

_SIMILARITY: Final = {"autosummeng": "vs", "memog": "nvs"}
_BATCH: Final = 50_000
"""Characters that are compared at once: their edges fit in a processor's cache, and more gain nothing (measured)."""
_PART: Final = 1_000_000
"""Characters of a topic that are compared at once; in a larger topic, references are read once for each part.

Arbitrary; about 150 MB at the usual distance.
"""


@dataclass(frozen=True, slots=True)
class Scoring:
    """Measures of pairs and their rules.

    Attributes:
        measures: measures, in the order of the scores.
        comparing: rules of graphs and their comparison.
        jackknife: average MeMoG over sets of references that leave one out. AutoSummENG, a mean over references, is
            the same with and without.
    """

    measures: tuple[GraphMeasure, ...]
    comparing: Comparing
    jackknife: bool = False

    def scores(self, pairs: Sequence[Pair]) -> Iterator[tuple[float, ...] | None]:
        """Yield the scores of each pair, by measure, in order; None for a pair without references.

        The graph of a text is made once in a topic.
        """
        done: dict[int, tuple[float, ...] | None] = {at: None for at, pair in enumerate(pairs) if not pair.references}
        waiting = _batches(pairs)
        for at in range(len(pairs)):
            while at not in done:
                parts = next(waiting)
                values = self._compared([[pairs[place] for place in part] for part in parts])
                places = [place for part in parts for place in part]
                done.update(zip(places, map(tuple, values.tolist()), strict=True))
            yield done.pop(at)

    def _compared(self, topics: Sequence[Sequence[Pair]]) -> Floats:
        """Return scores of the pairs of whole topics, (pairs, measures)."""
        comparisons = [
            [self._comparison(pair, measure) for pair in pairs for measure in self.measures] for pairs in topics
        ]
        result = mean_similarities(comparisons, self.comparing)
        # Comparisons go through the measures of each pair, so that each measure has every so-many-th value.
        count = len(self.measures)
        columns = [getattr(result, _SIMILARITY[measure])[place::count] for place, measure in enumerate(self.measures)]
        return np.column_stack(columns)

    def _comparison(self, pair: Pair, measure: GraphMeasure) -> Comparison:
        level = self.comparing.rules.level
        models: tuple[tuple[Units, ...], ...]
        if measure == "autosummeng":
            models = tuple([(units_of(text, level),) for text in pair.references])
        else:
            sets = pair.reference_sets(jackknife=self.jackknife)
            models = tuple([tuple([units_of(text, level) for text in texts]) for texts in sets])
        return Comparison(units_of(pair.summary, level), models)


def _batches(pairs: Sequence[Pair]) -> Iterator[list[list[int]]]:
    """Yield places of pairs with references, by topics that are compared at once; topics in order of appearance."""
    topics: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        if pair.references:
            topics.setdefault(pair.id, []).append(at)
    batch: list[list[int]] = []
    size = 0
    for topic in topics.values():
        for part in _parts(pairs, topic):
            batch.append(part)
            size += sum(len(pairs[at].summary.whole) for at in part)
            if size >= _BATCH:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _parts(pairs: Sequence[Pair], topic: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of a topic's pairs, in parts of at most ``_PART`` characters where it has more."""
    part: list[int] = []
    size = 0
    for at in topic:
        length = len(pairs[at].summary.whole)
        if part and size + length > _PART:
            yield part
            part, size = [], 0
        part.append(at)
        size += length
    yield part
