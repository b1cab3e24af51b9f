"""Shortlists of candidates of one or several documents, with intermediate results that groups of columns share.

``features/functions`` computes one feature of all candidates at a time. The default extractor needs about a hundred
columns for every document of a large collection, so this module gathers words and mentions once for all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_tokens
from keywright.core.documents import GoldKeyphrase, Style
from keywright.extraction.features.functions.nestedness import LongerAround
from keywright.extraction.features.functions.position import by_kind


@dataclass(frozen=True, eq=False)
class WordValues:
    """Per-word values aggregated over the words of each candidate's first mention, by column name.

    Attributes:
        row: index of each column in ``values``.
        values: of the word at each position; positions past the end repeat the last word, (columns, longest,
            candidates).
        present: whether a position holds a word, (longest, candidates).
        size: words of each mention, at least 1, (candidates,).
    """

    row: Mapping[str, int]
    values: Floats
    present: Bools
    size: Ints

    def at(self, name: str) -> Floats:
        """Return the value at each position; positions past the end repeat the last word, (longest, candidates)."""
        return np.asarray(self.values[self.row[name]])

    def first(self, name: str) -> Floats:
        """Return the value of the first word, (candidates,)."""
        return np.asarray(self.values[self.row[name], 0])

    def last(self, name: str) -> Floats:
        """Return the value of the last word, (candidates,)."""
        return np.asarray(self.values[self.row[name], -1])

    def sum(self, name: str) -> Floats:
        """Return the sum over the words, (candidates,)."""
        return np.asarray(self._sum[self.row[name]])

    def mean(self, name: str) -> Floats:
        """Return the mean over the words, (candidates,)."""
        return np.asarray(self._mean[self.row[name]])

    def min(self, name: str) -> Floats:
        """Return the smallest value of a word, (candidates,)."""
        return np.asarray(self._min[self.row[name]])

    def max(self, name: str) -> Floats:
        """Return the largest value of a word, (candidates,)."""
        return np.asarray(self._max[self.row[name]])

    # Each aggregate covers all columns in one call: for short texts, numpy's overhead per call exceeds the arithmetic.

    @cached_property
    def _sum(self) -> Floats:
        # Word after word: numpy's own sum would add the words of a single candidate in another order.
        total = self.values[:, 0].copy()
        for place in range(1, len(self.present)):
            total += self.values[:, place] * self.present[place]
        return total

    @cached_property
    def _mean(self) -> Floats:
        return np.asarray(self._sum / self.size)

    @cached_property
    def _min(self) -> Floats:
        return np.asarray(self.values.min(axis=1))

    @cached_property
    def _max(self) -> Floats:
        return np.asarray(self.values.max(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class LongerCandidates:
    """Longer candidates that contain the mentions of each shortlisted candidate, (shortlist,).

    Attributes:
        next_mentions: mentions of the most frequent one that is exactly one token longer.
        most_mentions: mentions of the most frequent one of any length.
        share_inside: share of mentions inside a longer candidate that occurs at least twice.
    """

    next_mentions: Floats
    most_mentions: Floats
    share_inside: Floats


@dataclass(frozen=True, eq=False)
class DescribedCandidates:
    """Candidates and the shortlist that is described, of one document or of several as one.

    Attributes:
        candidates: in the order of their first mention.
        in_shortlist: which of them are described, (candidates,).
    """

    document: Analysed
    candidates: Candidates
    in_shortlist: Bools

    @cached_property
    def shortlist(self) -> Candidates:
        """The described candidates."""
        return self.candidates.where(self.in_shortlist)

    @cached_property
    def number(self) -> Ints:
        """Document of each described candidate, (shortlist,)."""
        return self.document.numbers(self.shortlist.first)

    @cached_property
    def tokens(self) -> Ints:
        """Tokens of the document of each described candidate, at least 1, (shortlist,)."""
        return np.maximum(1, count_tokens(self.document))[self.number]

    @cached_property
    def bounds(self) -> Ints:
        """Described candidates of document ``i`` are ``bounds[i]:bounds[i + 1]``, (documents + 1,)."""
        return np.asarray(self.shortlist.first.searchsorted(self.document.bounds))

    @cached_property
    def owner(self) -> Ints:
        """Shortlisted candidate of each mention, (mentions,)."""
        return self.shortlist.owner

    @cached_property
    def _position(self) -> Ints:
        """Positions of words in a first mention, (longest, 1)."""
        return np.arange(int(self.shortlist.length.max(initial=1)))[:, None]

    @cached_property
    def _words(self) -> Ints:
        """Word form at each position of first mentions; past the end, the last word, (longest, shortlist).

        Padding with the last word makes the array rectangular and leaves minimum, maximum and last value as they are.
        """
        return self.document.word[self.shortlist.first + np.minimum(self._position, self.shortlist.length - 1)]

    @cached_property
    def word_forms(self) -> Ints:
        """Word forms of first mentions, ascending, (word forms,)."""
        used = np.zeros(len(self.document.words), bool)
        used[self._words] = True
        return np.flatnonzero(used)

    def word_values(self, columns: Mapping[str, Numbers | Bools]) -> WordValues:
        """Return columns over ``word_forms``, (word forms,) each, by candidate."""
        # Inverse index: values exist only for the words in use, so each document word maps to its place among them.
        place = np.empty(len(self.document.words), np.int64)
        place[self.word_forms] = np.arange(len(self.word_forms))
        values = np.concatenate([np.zeros(0), *columns.values()]).reshape(len(columns), -1)
        rows = {name: row for row, name in enumerate(columns)}
        size = self.shortlist.length
        return WordValues(rows, values.take(place[self._words], axis=1), self._position < size, size)

    def mean_over_mentions(self, values: Bools | Floats) -> Floats:
        """Return the mean of values (mentions,) over the mentions of each candidate, (shortlist,)."""
        sums = np.bincount(self.owner, weights=values, minlength=len(self.shortlist))
        return np.asarray(sums / np.maximum(self.shortlist.frequency, 1))

    def shares_of_mentions(self, masks: Mapping[str, Bools]) -> dict[str, Floats]:
        """Return the share of each candidate's mentions that each mask (mentions,) marks, (shortlist,), by name."""
        if not len(self.shortlist):
            return dict.fromkeys(masks, np.zeros(0))
        # Segmented sum: mentions of a candidate are adjacent, so one ``reduceat`` sums all masks of all candidates.
        marked = np.array(list(masks.values()), np.int32)
        sums = np.add.reduceat(marked, self.shortlist.offsets[:-1], axis=1)
        return dict(zip(masks, sums / self.shortlist.frequency, strict=True))

    @cached_property
    def in_sections(self) -> Ints:
        """Mentions in sections of each kind, (shortlist, kinds)."""
        return by_kind(self.shortlist, self.document)

    @cached_property
    def longer(self) -> LongerCandidates:
        """Longer candidates around the mentions of the shortlist; 0 for a candidate that none contains."""
        shortlist = self.shortlist
        if not len(shortlist):
            return LongerCandidates(*(np.zeros(0),) * 3)
        longer, heads = LongerAround.of(self.candidates), shortlist.offsets[:-1]
        most = longer.most_of(shortlist)
        return LongerCandidates(
            next_mentions=np.maximum.reduceat(longer.next_of(shortlist), heads).astype(float),
            most_mentions=np.maximum.reduceat(most, heads).astype(float),
            share_inside=self.mean_over_mentions(most > 1),
        )


STYLES: Final = tuple(Style)
_STYLE_OF_GOLD: Final = {
    "author": Style.AUTHOR,
    "reader": Style.READER,
    "combined": Style.READER,
    "tag": Style.SUBJECT,
    "descriptor": Style.SUBJECT,
}


def add_style_column(rows: Floats, style: Style) -> Floats:
    """Return rows with the style as one column more, (shortlist, columns + 1)."""
    column = np.full((1, len(rows)), STYLES.index(style), np.float32)
    return np.vstack([rows.T, column]).T  # column by column in memory, as trees read them


def style_of(gold: GoldKeyphrase) -> Style:
    """Return the style that a kind of gold teaches: author, reader (also of both together), subject, else indexer."""
    return _STYLE_OF_GOLD.get(gold.by, Style.INDEXER)
