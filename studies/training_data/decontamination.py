"""Traces of documents, and training documents that overlap those of test sets."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, SectionKind
from keywright.datasets.training_mix import RULES, TELLING
from keywright.text.keys import hash_of, phrase_key
from keywright.text.stems import stemmer

OPENING: Final = 400  # letters; arbitrary
RUN: Final = 6  # words; arbitrary
SHARED_PARTS: Final = frozenset(
    {
        SectionKind.REFERENCES,
        SectionKind.NOTICE,
        SectionKind.METADATA,
        SectionKind.AUTHORS,
        SectionKind.ACKNOWLEDGEMENTS,
    }
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT: Final = "<digit>"  # placeholder for numbers in some collections
_MULTIPLIERS: Final = np.array([pow(0x9E3779B97F4A7C15, power, 1 << 64) for power in range(RUN)], np.uint64)
"""Powers of an odd 64-bit constant (2**64 over the golden ratio): multipliers of a polynomial hash of a run."""


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Lists of keyphrases, one for each document and kind of gold.

    Attributes:
        document: number of the document, (lists,).
        size: distinct phrases, (lists,).
        key: of a phrase, as written and stemmed, ascending, (keys,).
        phrase: number of the phrase among all phrases of all lists, (keys,).
        owner: list of the phrase, (phrases,).
    """

    document: Ints
    size: Ints
    key: Keys
    phrase: Ints
    owner: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """Traces of a collection.

    Attributes:
        ids: of the documents, (documents,).
        titles: letters of each title; empty if unknown, (documents,).
        openings: first letters of each text from the title on, (documents,).
        lists: of keyphrases.
        run: hash of a run of words, each once per document, ascending, (runs,).
        document: number of the document of the run, (runs,).
        runs: number of runs of each document, (documents,).
    """

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    lists: Lists
    run: Keys
    document: Ints
    runs: Ints

    @classmethod
    def of(cls, labelled: Iterable[LabelledDocument[Document]], kinds: Container[str] | None = None) -> Self:
        """Return the traces of documents with sections; none for an empty collection.

        Args:
            labelled: the documents.
            kinds: kinds of gold to use; None for all. Keys from a small controlled vocabulary agree by chance.
        """
        ids, titles, openings, golds, runs = [], [], [], [], []
        hashes = _Hashes()
        for each in labelled:
            ids.append(each.id)
            titles.append(letters(each.document.section(SectionKind.TITLE) or ""))
            openings.append(opening(each.document))
            golds.append([entry for entry in each.gold if kinds is None or entry.by in kinds])
            runs.append(_runs(each.document, hashes))
        sizes = np.array([len(hashed) for hashed in runs], np.int64)
        together = np.concatenate([np.zeros(0, np.uint64), *runs])
        order = np.argsort(together, kind="stable")
        document = np.repeat(np.arange(len(runs), dtype=np.int32), sizes)[order]
        return cls(tuple(ids), tuple(titles), tuple(openings), _lists(golds), together[order], document, sizes)


def letters(text: str) -> str:
    """Return the letters of a text in lower case, nothing between them; digits and their placeholders are removed."""
    return "".join(_WORD.findall(text.lower().replace(_DIGIT, " ")))


def opening(document: Document) -> str:
    """Return the first letters of a document, from its title if known."""
    start = next((section.start for section in document.sections if section.kind == SectionKind.TITLE), 0)
    return letters(document.text[start : start + 2 * OPENING])[:OPENING]


class _Hashes(dict[str, int]):
    """Hashes of words, computed once."""

    def __missing__(self, word: str) -> int:
        """Return and store the hash of a new word."""
        self[word] = hashed = hash_of(word)
        return hashed


def _runs(document: Document, hashes: _Hashes) -> Keys:
    """Return the distinct runs of words of a document, ascending, (runs,)."""
    runs = [np.zeros(0, np.uint64)]
    for stretch in _stretches(document):
        words = [hashes[word] for word in _WORD.findall(stretch.lower().replace(_DIGIT, " "))]
        if len(words) >= RUN:
            # A polynomial hash of every window at once: windows are views, and products wrap modulo 2**64.
            runs.append(np.lib.stride_tricks.sliding_window_view(np.array(words, np.uint64), RUN) @ _MULTIPLIERS)
    return np.unique(np.concatenate(runs))


def _stretches(document: Document) -> Iterator[str]:
    """Yield the text between the parts that papers share."""
    at = 0
    for section in document.sections:
        if section.kind in SHARED_PARTS:
            yield document.text[at : section.start]
            at = section.end
    yield document.text[at:]


def _lists(golds: Iterable[Iterable[GoldKeyphrase]]) -> Lists:
    """Return lists of keyphrases of documents in order; phrases that differ only in inflection or case are one."""
    columns: tuple[list[int], ...] = ([], [], [], [])
    document, size, phrase, owner = columns
    key: list[int] = []
    for number, gold in enumerate(golds):
        for phrases in _distinct(gold):
            for forms in phrases:
                key.extend(forms)
                phrase.extend([len(owner)] * len(forms))
                owner.append(len(document))
            document.append(number)
            size.append(len(phrases))
    keys = np.array(key, np.uint64)
    order = np.argsort(keys, kind="stable")
    documents, sizes, phrase_of, owners = (np.array(column, np.int64) for column in columns)
    return Lists(documents, sizes, keys[order], phrase_of[order], owners)


def _distinct(gold: Iterable[GoldKeyphrase]) -> Iterator[list[set[int]]]:
    """Yield, for each kind of gold, its distinct phrases, each as the keys of its forms, as written and stemmed."""
    stem = stemmer("en")
    kinds: dict[str, dict[int, set[int]]] = {}
    for entry in gold:
        keys = {phrase_key(form, how) for form in entry.forms for how in (stem, str)} - {0}
        if keys:
            kinds.setdefault(entry.by, {}).setdefault(phrase_key(entry.forms[0], stem), set()).update(keys)
    return (list(phrases.values()) for phrases in kinds.values())


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
