"""Decontamination: which documents of a training collection overlap a test collection.

Three rules, each enough: the same title, shared keyphrases, shared runs of six words. Runs that stand in several
documents of either collection are figures of speech or boiler-plate and tell nothing. All comparisons go by hashes in
sorted columns, so that the work grows with the texts, not with the pairs of documents.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.datasets.traces import OPENING, Lists, Traces

RULES: Final = ("title", "keyphrases", "text")


@dataclass(frozen=True, slots=True)
class Rules:
    """When two documents overlap.

    Attributes:
        title_letters: fewest letters of a title that tells; a shorter one, such as "Editorial", is many papers'.
        shared_phrases: fewest keyphrases that two lists must share.
        phrases_share: least part of the test document's list that they must be, 0 to 1.
        shared_runs: fewest runs of six words that two texts must share.
        runs_share: least part of the runs of the shorter text that they must be, 0 to 1.
        common: documents of one collection above which a run that they share is nobody's own.
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
        phrases: keyphrases shared, where they are enough; else 0.
        runs: part of the shorter text's runs of words that is shared, where it is enough; else 0.
    """

    document: str
    test: str
    title: bool
    phrases: int
    runs: float

    @property
    def rules(self) -> tuple[str, ...]:
        """Those of ``RULES`` that found it."""
        found = (self.title, self.phrases > 0, self.runs > 0)
        return tuple(rule for rule, holds in zip(RULES, found, strict=True) if holds)


def overlaps(training: Traces, test: Traces, rules: Rules = Rules()) -> tuple[Overlap, ...]:
    """Pairs of documents that overlap by any rule, in the order of the training collection, then of the test."""
    titles = set(same_titles(training, test, rules))
    phrases = shared_phrases(training.lists, test.lists, rules)
    runs = shared_runs(training, test, rules)
    pairs = sorted({*titles, *phrases, *runs})
    return tuple(
        Overlap(
            training.ids[one],
            test.ids[other],
            (one, other) in titles,
            phrases.get((one, other), 0),
            runs.get((one, other), 0.0),
        )
        for one, other in pairs
    )


def same_titles(training: Traces, test: Traces, rules: Rules) -> Iterator[tuple[int, int]]:
    """Pairs of documents of which one begins with the title of the other."""
    yield from _opening_with(training.openings, test.titles, rules.title_letters)
    for other, one in _opening_with(test.openings, training.titles, rules.title_letters):
        yield one, other


def shared_phrases(training: Lists, test: Lists, rules: Rules) -> dict[tuple[int, int], int]:
    """Number of keyphrases that the best two lists of a pair of documents share, where it is enough."""
    one, other = _joined(training.key, test.key)
    # A phrase has one key or more: a phrase of the test list counts once for each training list.
    met = np.unique(np.stack([training.owner[training.phrase[one]], test.phrase[other]]), axis=1)
    lists, shared = np.unique(np.stack([met[0], test.owner[met[1]]]), axis=1, return_counts=True)
    enough = (shared >= rules.shared_phrases) & (shared >= rules.phrases_share * test.size[lists[1]])
    found: dict[tuple[int, int], int] = {}
    pairs = zip(training.document[lists[0][enough]].tolist(), test.document[lists[1][enough]].tolist(), strict=True)
    for pair, count in zip(pairs, shared[enough].tolist(), strict=True):
        found[pair] = max(count, found.get(pair, 0))
    return found


def shared_runs(training: Traces, test: Traces, rules: Rules) -> dict[tuple[int, int], float]:
    """Part of the shorter text's runs of words that a pair of documents shares, where it is enough."""
    one, other = _joined(training.run, test.run, rules.common)
    pairs, shared = np.unique(np.stack([training.document[one], test.document[other]]), axis=1, return_counts=True)
    share: Floats = shared / np.maximum(1, np.minimum(training.runs[pairs[0]], test.runs[pairs[1]]))
    enough = (shared >= rules.shared_runs) & (share >= rules.runs_share)
    kept = zip(pairs[0][enough].tolist(), pairs[1][enough].tolist(), strict=True)
    return dict(zip(kept, share[enough].tolist(), strict=True))


def _opening_with(openings: tuple[str, ...], titles: tuple[str, ...], least: int) -> Iterator[tuple[int, int]]:
    """Pairs of an opening and a title that it begins with."""
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
    """Positions, left and right, of all pairs of equal keys in ascending columns.

    Keys that come more than ``most`` times in one of the columns have no pair.
    """
    keys, first_right, count_right = np.unique(right, return_index=True, return_counts=True)
    first_left = np.searchsorted(left, keys, "left")
    count_left = np.searchsorted(left, keys, "right") - first_left
    kept = count_left > 0
    if most is not None:
        kept &= (count_left <= most) & (count_right <= most)
    first_left, count_left, first_right, count_right = (
        column[kept] for column in (first_left, count_left, first_right, count_right)
    )
    counts = count_left * count_right
    key = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(key)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first_left[key] + within // count_right[key], first_right[key] + within % count_right[key]
