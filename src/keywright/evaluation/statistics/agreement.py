"""Agreement of two people, or two groups, who chose keyphrases of the same documents, by sets of anything hashable."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from keywright.evaluation.answers import GoldSet
from keywright.evaluation.measures.counts import harmonic

Choices: TypeAlias = Sequence[tuple[frozenset[Hashable], frozenset[Hashable]]]
"""For each document the choices of the first and of the second side."""
Near: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]
"""Test whether two entries, each with its accepted forms, are the same choice."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Numbers of each side's choices that the other side covers."""

    # ``first_hit``, ``second_hit``: choices of each side that the other covers. They differ where one covers several.
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
        return harmonic(self.precision, self.recall)


def count_overlap(
    documents: Iterable[tuple[Sequence[tuple[str, ...]], Sequence[tuple[str, ...]]]], near: Near
) -> Overlap:
    """Count entries of each side that are near some entry of the other, over all documents; no entry is used up."""
    hits = [0, 0]
    sizes = [0, 0]
    for first, second in documents:
        hits[0] += sum(any(near(entry, other) for other in second) for entry in first)
        hits[1] += sum(any(near(entry, other) for entry in first) for other in second)
        sizes[0] += len(first)
        sizes[1] += len(second)
    return Overlap(*hits, *sizes)


def count_shared(choices: Choices) -> Overlap:
    """Count the choices of sets that both sides share."""
    both = sum(len(first & second) for first, second in choices)
    return Overlap(both, both, sum(len(first) for first, _ in choices), sum(len(second) for _, second in choices))


def hooper(choices: Choices) -> float | None:
    """Compute consistency after Hooper (1965): common / union, mean over documents with a choice; None without any."""
    return _mean([len(first & second) / len(first | second) for first, second in choices if first | second])


def rolling(choices: Choices) -> float | None:
    """Compute consistency after Rolling (1981): 2 common / (first + second), the mean as in ``hooper``."""
    sizes = [(len(first & second), len(first) + len(second)) for first, second in choices]
    return _mean([2 * common / both for common, both in sizes if both])


def pair_choices(first: GoldSet, second: GoldSet, things: Callable[[tuple[str, ...]], Iterable[Hashable]]) -> Choices:
    """Return choices of two kinds of gold by document: the ``things`` of entries; a missing document is empty."""
    others = {document.id: document.entries for document in second.documents}
    sides = [(document.entries, others.pop(document.id, ())) for document in first.documents]
    pairs = []
    for pair in (*sides, *(((), entries) for entries in others.values())):
        ours, theirs = (frozenset(thing for entry in side for thing in things(entry)) for side in pair)
        pairs.append((ours, theirs))
    return pairs


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
