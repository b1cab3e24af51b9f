"""Units that ROUGE counts in a text, and the number of them that two texts share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import add, mul
from typing import Final

GAP: Final = 4
"""Most words between the two of a skip bigram of ROUGE-S4 and SU4 (option ``-2 4``)."""
_BASE: Final = 1 << 32
"""Above every token id: a run of tokens is a number whose digits are the ids."""


class Units:
    """How often each unit is in a text.

    Attributes:
        counts: by unit.
        total: of all units.
    """

    def __init__(self, units: Sequence[int]) -> None:
        """Count units."""
        self.counts = Counter(units)
        self.total = len(units)

    @cached_property
    def _distinct(self) -> frozenset[int]:
        return frozenset(self.counts)

    @cached_property
    def _repeated(self) -> dict[int, int]:
        """Occurrences after the first, of those units that have any."""
        return {unit: number - 1 for unit, number in self.counts.items() if number > 1}

    def shared(self, counts: Mapping[int, int]) -> int:
        """Return how many units another text has; a unit counts as often as in the text that has it less often."""
        # One intersection in C counts the first occurrences; few units have more. The texts that many others are
        # compared with, references, are the ones that know theirs.
        hits = len(self._distinct.intersection(counts))
        for unit, more in self._repeated.items():
            number = counts.get(unit, 0)
            if number > 1:
                hits += min(number - 1, more)
        return hits


def ngrams(tokens: Sequence[int], length: int) -> Units:
    """Count runs of tokens.

    Args:
        tokens: token ids of a whole text, from 1; runs cross the ends of sentences.
        length: tokens of a run.
    """
    # Numbers instead of tuples: the garbage collector has nothing to track. All steps run in C.
    runs = tokens
    for start in range(1, length):
        runs = list(map(add, map(mul, runs, repeat(_BASE)), tokens[start:]))
    return Units(runs)


def skip_bigrams(tokens: Sequence[int], *, unigrams: bool, gap: int = GAP) -> Units:
    """Count pairs of tokens in order.

    Args:
        tokens: token ids of a whole text, from 1; pairs cross the ends of sentences.
        unigrams: count every token but the last as well, as ROUGE-1.5.5 does.
        gap: most tokens between the two.
    """
    first = list(map(mul, tokens, repeat(_BASE)))
    units: list[int] = list(tokens[:-1]) if unigrams else []
    for distance in range(1, gap + 2):
        units += map(add, first, tokens[distance:])
    return Units(units)
