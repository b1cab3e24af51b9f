"""Shortlists of candidates of one or several documents, with intermediate results that groups of columns share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_tokens
from keywright.core.documents import GoldKeyphrase, Style
from keywright.extraction.features.functions.nestedness import LongerAround


@dataclass(frozen=True, eq=False)
class WordValues:
    """Per-word values over the words of each candidate's first mention, and their aggregates by column name.

    ``values``: positions past the end repeat the last word, (columns, longest, candidates); ``present``: where there is
    a word, (longest, candidates); ``size``: words, at least 1, (candidates,).
    """

    names: tuple[str, ...]
    values: Floats
    present: Bools
    size: Ints

    # Each aggregate covers all columns in one call: for short texts, numpy's overhead per call exceeds the arithmetic.

    @cached_property
    def at(self) -> dict[str, Floats]:
        """Value at each position; positions past the end repeat the last word, (longest, candidates) each."""
        return dict(zip(self.names, self.values, strict=True))

    @cached_property
    def first(self) -> dict[str, Floats]:
        """Value of the first word, (candidates,) each."""
        return dict(zip(self.names, self.values[:, 0], strict=True))

    @cached_property
    def last(self) -> dict[str, Floats]:
        """Value of the last word, (candidates,) each."""
        return dict(zip(self.names, self.values[:, -1], strict=True))

    @cached_property
    def sum(self) -> dict[str, Floats]:
        """Sum over the words, (candidates,) each."""
        # Word after word: numpy's own sum would add the words of a single candidate in another order.
        total = self.values[:, 0].copy()
        for place in range(1, len(self.present)):
            total += self.values[:, place] * self.present[place]
        return dict(zip(self.names, total, strict=True))

    @cached_property
    def mean(self) -> dict[str, Floats]:
        """Mean over the words, (candidates,) each."""
        return {name: total / self.size for name, total in self.sum.items()}

    @cached_property
    def min(self) -> dict[str, Floats]:
        """Smallest value of a word, (candidates,) each."""
        return dict(zip(self.names, self.values.min(axis=1), strict=True))

    @cached_property
    def max(self) -> dict[str, Floats]:
        """Largest value of a word, (candidates,) each."""
        return dict(zip(self.names, self.values.max(axis=1), strict=True))


class LongerCandidates(NamedTuple):
    """Mentions of the most frequent longer candidate, one token and any longer, around each, (shortlist,)."""

    next_mentions: Floats
    most_mentions: Floats
    share_inside: Floats


@dataclass(frozen=True, eq=False)
class DescribedCandidates:
    """Candidates of one document or several, by first mention, and those ``in_shortlist``, (candidates,)."""

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
    def _position(self) -> Ints:
        """Positions of words in a first mention, (longest, 1)."""
        return np.arange(int(self.shortlist.length.max(initial=1)))[:, None]

    @cached_property
    def _words(self) -> Ints:
        """Word form at each position of first mentions, the last word behind it, (longest, shortlist)."""
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
        size = self.shortlist.length
        return WordValues(tuple(columns), values.take(place[self._words], axis=1), self._position < size, size)

    def mean_over_mentions(self, values: Bools | Floats) -> Floats:
        """Return the mean of values (mentions,) over the mentions of each candidate, (shortlist,)."""
        sums = np.bincount(self.shortlist.owner, weights=values, minlength=len(self.shortlist))
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
    def longer(self) -> LongerCandidates:
        """Longer candidates around the mentions of the shortlist; 0 for a candidate that none contains."""
        shortlist = self.shortlist
        if not len(shortlist):
            return LongerCandidates(*(np.zeros(0),) * 3)
        longer, heads = LongerAround.of(self.candidates), shortlist.offsets[:-1]
        most = longer.most[shortlist.widths, shortlist.positions + 1]
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
