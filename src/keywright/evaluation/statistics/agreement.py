"""Agreement of two people, or two groups, who chose keyphrases of the same documents.

Choices are sets: for each document, which things each side chose. Things are forms of phrases, or words, or whatever is
to be compared; ``chosen`` makes them of gold. Values are fractions; None where a number has no meaning.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from keywright.evaluation.formats.gold_sets import GoldSet

Choices: TypeAlias = Sequence[tuple[frozenset[Hashable], frozenset[Hashable]]]
"""For each document what the first and what the second side chose."""
Near: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]
"""Whether two entries, each with its accepted forms, are the same choice."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much of each side's choices the other side covers.

    Attributes:
        first_hit, second_hit: choices of each side that the other covers. They differ where one covers several.
        first, second: choices of each side.
    """

    first_hit: int
    second_hit: int
    first: int
    second: int

    @property
    def precision(self) -> float:
        """Share of the second side's choices, taken as predictions, that the first side covers; 0 without any."""
        return self.second_hit / self.second if self.second else 0.0

    @property
    def recall(self) -> float:
        """Share of the first side's choices, taken as gold, that the second side covers; 0 without any."""
        return self.first_hit / self.first if self.first else 0.0

    @property
    def f(self) -> float:
        """Harmonic mean of the two."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def overlap(documents: Iterable[tuple[Sequence[tuple[str, ...]], Sequence[tuple[str, ...]]]], near: Near) -> Overlap:
    """Entries of each side that are near some entry of the other, summed over documents; no credit is used up."""
    hits = [0, 0]
    sizes = [0, 0]
    for first, second in documents:
        hits[0] += sum(any(near(one, other) for other in second) for one in first)
        hits[1] += sum(any(near(one, other) for one in first) for other in second)
        sizes[0] += len(first)
        sizes[1] += len(second)
    return Overlap(hits[0], hits[1], sizes[0], sizes[1])


def shared(choices: Choices) -> Overlap:
    """The same for sets: what both sides chose."""
    both = sum(len(first & second) for first, second in choices)
    return Overlap(both, both, sum(len(first) for first, _ in choices), sum(len(second) for _, second in choices))


def hooper(choices: Choices) -> float | None:
    """Consistency after Hooper (1965): common / (common + only first + only second), mean over documents.

    Documents where nobody chose anything are left out; None if all are.
    """
    return _mean([len(first & second) / len(first | second) for first, second in choices if first | second])


def rolling(choices: Choices) -> float | None:
    """Consistency after Rolling (1981): 2 common / (first + second), mean over documents; the F of two sets.

    Documents where nobody chose anything are left out; None if all are.
    """
    sizes = [(len(first & second), len(first) + len(second)) for first, second in choices]
    return _mean([2 * common / both for common, both in sizes if both])


def krippendorff(choices: Choices, candidates: Sequence[Collection[Hashable]]) -> float | None:
    """Krippendorff's alpha (2004) of yes and no, each candidate of each document decided by both sides.

    1 for agreement, 0 for what chance gives, below for less. It depends on the candidates: the more phrases that nobody
    would choose are among them, the nearer two small sets come to their F. A choice that is no candidate counts as one.

    Args:
        choices: what each side chose.
        candidates: what there was to choose from, in each document.

    Returns:
        None where chance cannot disagree: no candidates, or all decisions alike.
    """
    decided = yes = apart = 0
    for (first, second), offered in zip(choices, candidates, strict=True):
        decided += len({*offered, *first, *second})
        yes += len(first) + len(second)
        apart += len(first ^ second)
    total = 2 * decided
    expected = yes * (total - yes)  # pairs of different values among all decisions
    return 1 - (total - 1) * apart / expected if expected else None


def chosen(first: GoldSet, second: GoldSet, things: Callable[[tuple[str, ...]], Iterable[Hashable]]) -> Choices:
    """Choices of two kinds of gold, document by document, in the first's order.

    Args:
        first: gold of one side.
        second: gold of the other; a document that only one of them has was given nothing by the other.
        things: what an entry, given its accepted forms, stands for: its form, or its words.
    """
    others = {document.id: document.entries for document in second.documents}
    extra = [name for name in others if name not in {document.id for document in first.documents}]
    sides = [(document.entries, others.get(document.id, ())) for document in first.documents]
    sides += [((), others[name]) for name in extra]
    return [(_things(one, things), _things(other, things)) for one, other in sides]


def _things(
    entries: Iterable[tuple[str, ...]], things: Callable[[tuple[str, ...]], Iterable[Hashable]]
) -> frozenset[Hashable]:
    """What all entries of one side stand for."""
    return frozenset(thing for entry in entries for thing in things(entry))


def _mean(numbers: Sequence[float]) -> float | None:
    """Plain mean; None of nothing."""
    return sum(numbers) / len(numbers) if numbers else None
