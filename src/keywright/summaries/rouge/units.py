"""Units that ROUGE counts in a text, and the number of them that two texts share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

GAP: Final = 4
"""Most words between the two of a skip bigram of ROUGE-S4 and SU4 (option ``-2 4``)."""


class Units(NamedTuple):
    """How often each unit is in a text.

    Attributes:
        counts: by unit.
        total: of all units.
    """

    counts: Counter[object]
    total: int

    @classmethod
    def of_all(cls, units: Iterable[object]) -> "Units":
        """Count units."""
        counts = Counter(units)
        return cls(counts, counts.total())

    def shared(self, other: "Units") -> int:
        """Return how many units are in both texts; a unit counts as often as in the text that has it less often."""
        counts, others = self.counts, other.counts
        return sum(min(counts[unit], others[unit]) for unit in counts.keys() & others.keys())


def ngrams(tokens: Sequence[int], length: int) -> Units:
    """Count runs of tokens.

    Args:
        tokens: token ids of a whole text; runs cross the ends of sentences.
        length: tokens of a run.
    """
    return Units.of_all(tokens if length == 1 else zip(*(tokens[start:] for start in range(length)), strict=False))


def skip_bigrams(tokens: Sequence[int], *, unigrams: bool, gap: int = GAP) -> Units:
    """Count pairs of tokens in order.

    Args:
        tokens: token ids of a whole text; pairs cross the ends of sentences.
        unigrams: count every token but the last as well, as ROUGE-1.5.5 does.
        gap: most tokens between the two.
    """
    counts: Counter[object] = Counter(tokens[:-1] if unigrams else ())
    for distance in range(1, gap + 2):
        counts.update(zip(tokens, tokens[distance:], strict=False))
    return Units(counts, counts.total())
