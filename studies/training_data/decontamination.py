"""Decontamination: documents of a training collection that overlap a test collection.

Three rules, each sufficient: the same title, shared keyphrases, shared runs of six words. Runs that occur in several
documents of either collection are figures of speech or boiler-plate, and do not count. All comparisons use hashes in
sorted columns, so that the work grows with the texts, not with the pairs of documents.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.datasets.training_mix import RULES, TELLING
from studies.training_data.traces import OPENING, Lists, Traces


@dataclass(frozen=True, slots=True)
class Rules:
    """Conditions for an overlap of two documents; the numbers are arbitrary.

    Attributes:
        title_letters: minimum letters of a title; many papers share short ones, such as "Editorial".
        shared_phrases: minimum number of shared keyphrases of two lists.
        phrases_share: minimum share of the test document's list, 0 to 1.
        shared_runs: minimum number of shared runs of six words of two texts.
        runs_share: minimum share of the runs of the shorter text, 0 to 1.
        common: maximum number of documents of one collection with the same run, for a run to count.
    """

    title_letters: int = 20
    shared_phrases: int = 2
    phrases_share: float = 0.6
    shared_runs: int = 10
    runs_share: float = 0.1
    common: int = 3


@dataclass(frozen=True, slots=True)
class Overlap:
    """A training document and a test document that overlap.

    Attributes:
        document: id of the training document.
        test: id of the test document.
        title: whether one begins with the title of the other.
        phrases: number of shared keyphrases, if enough; else 0.
        runs: shared share of the shorter text's runs of words, if enough; else 0.
    """

    document: str
    test: str
    title: bool
    phrases: int
    runs: float

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of ``RULES`` that apply."""
        applies = (self.title, self.phrases > 0, self.runs > 0)
        return tuple(rule for rule, holds in zip(RULES, applies, strict=True) if holds)


def overlaps(training: Traces, test: Traces, rules: Rules = Rules()) -> tuple[Overlap, ...]:
    """Return pairs of documents that overlap by any rule, in the order of the training, then of the test collection."""
    titles = set(same_titles(training, test, rules))
    phrases = shared_phrases(training.lists, test.lists, rules)
    runs = shared_runs(training, test, rules)
    pairs = sorted({*titles, *phrases, *runs})
    return tuple(
        Overlap(training.ids[pair[0]], test.ids[pair[1]], pair in titles, phrases.get(pair, 0), runs.get(pair, 0.0))
        for pair in pairs
    )


def overlapping_ids(training: Traces, left_out: Traces) -> frozenset[str]:
    """Return the ids of training documents that share a title or text with a collection that is left out."""
    return frozenset(pair.document for pair in overlaps(training, left_out) if {*pair.rules} & {*TELLING})


def same_titles(training: Traces, test: Traces, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield pairs of documents of which one begins with the title of the other."""
    yield from _opening_with(training.openings, test.titles, rules.title_letters)
    for test_index, training_index in _opening_with(test.openings, training.titles, rules.title_letters):
        yield training_index, test_index


def shared_phrases(training: Lists, test: Lists, rules: Rules) -> dict[tuple[int, int], int]:
    """Return the number of keyphrases that the two most similar lists of two documents share, if enough."""
    left, right = _joined(training.key, test.key)
    # A phrase may have several keys: each phrase of the test list counts once for each training list.
    met = np.unique(np.stack([training.owner[training.phrase[left]], test.phrase[right]]), axis=1)
    lists, shared = np.unique(np.stack([met[0], test.owner[met[1]]]), axis=1, return_counts=True)
    enough = (shared >= rules.shared_phrases) & (shared >= rules.phrases_share * test.size[lists[1]])
    most: dict[tuple[int, int], int] = {}
    pairs = zip(training.document[lists[0][enough]].tolist(), test.document[lists[1][enough]].tolist(), strict=True)
    for pair, count in zip(pairs, shared[enough].tolist(), strict=True):
        most[pair] = max(count, most.get(pair, 0))
    return most


def shared_runs(training: Traces, test: Traces, rules: Rules) -> dict[tuple[int, int], float]:
    """Return the share of the shorter text's runs of words that two documents share, if enough."""
    left, right = _joined(training.run, test.run, rules.common)
    pairs, shared = np.unique(np.stack([training.document[left], test.document[right]]), axis=1, return_counts=True)
    share: Floats = shared / np.maximum(1, np.minimum(training.runs[pairs[0]], test.runs[pairs[1]]))
    enough = (shared >= rules.shared_runs) & (share >= rules.runs_share)
    overlapping = zip(pairs[0][enough].tolist(), pairs[1][enough].tolist(), strict=True)
    return dict(zip(overlapping, share[enough].tolist(), strict=True))


def _opening_with(openings: tuple[str, ...], titles: tuple[str, ...], least: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of an opening and a title that it begins with."""
    by_title: dict[str, list[int]] = {}
    for number, title in enumerate(titles):
        if len(title) >= least:
            by_title.setdefault(title[:OPENING], []).append(number)
    lengths = sorted({len(title) for title in by_title})
    for number, opening in enumerate(openings):
        begun = (by_title.get(opening[:length], ()) for length in lengths if length <= len(opening))
        for begins_with in chain.from_iterable(begun):
            yield number, begins_with


def _joined(left: Keys, right: Keys, most: int | None = None) -> tuple[Ints, Ints]:
    """Return positions, left and right, of all pairs of equal keys in ascending columns.

    Keys that occur more than ``most`` times in one of the columns have no pair. A sort-merge join: each key has a
    stretch in both columns, and quotient and remainder of a counter enumerate the product of the two stretches.
    """
    keys, first_right, count_right = np.unique(right, return_index=True, return_counts=True)
    first_left = np.searchsorted(left, keys, "left")
    count_left = np.searchsorted(left, keys, "right") - first_left
    joined = count_left > 0
    if most is not None:
        joined &= (count_left <= most) & (count_right <= most)
    first_left, count_left, first_right, count_right = (
        column[joined] for column in (first_left, count_left, first_right, count_right)
    )
    counts = count_left * count_right
    key = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(key)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first_left[key] + within // count_right[key], first_right[key] + within % count_right[key]
