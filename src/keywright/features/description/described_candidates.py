"""The few candidates of a document that are worth a close look, and what several of their features need.

Functions elsewhere in this package give one feature for all candidates each, and are read one at a time. A ranker with
a hundred features on every document of a large collection cannot look the same words up ten times over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.features.functions.nestedness import LongerAround
from keywright.features.functions.structure import by_kind


@dataclass(frozen=True, eq=False)
class OverWords:
    """Numbers of each word, taken over the words of a candidate's first mention; asked by the number's name.

    Attributes:
        row: by name, which of the numbers it is.
        numbers: of the word at each place, of the last word behind a mention's end, (numbers, longest, candidates).
        present: which places hold a word, (longest, candidates).
        size: words of each mention, at least 1, (candidates,).
    """

    row: Mapping[str, int]
    numbers: Floats
    present: Bools
    size: Ints

    def at(self, name: str) -> Floats:
        """Numbers of the words at each place, of the last one behind the end, (longest, candidates)."""
        return np.asarray(self.numbers[self.row[name]])

    def first(self, name: str) -> Floats:
        """Number of the first word, (candidates,)."""
        return np.asarray(self.numbers[self.row[name], 0])

    def last(self, name: str) -> Floats:
        """Number of the last word, (candidates,)."""
        return np.asarray(self.numbers[self.row[name], -1])

    def sum(self, name: str) -> Floats:
        """Sum over the words, (candidates,)."""
        return np.asarray(self._sum[self.row[name]])

    def mean(self, name: str) -> Floats:
        """Mean over the words, (candidates,)."""
        return np.asarray(self._mean[self.row[name]])

    def least(self, name: str) -> Floats:
        """Least number of a word, (candidates,)."""
        return np.asarray(self._least[self.row[name]])

    def most(self, name: str) -> Floats:
        """Greatest number of a word, (candidates,)."""
        return np.asarray(self._most[self.row[name]])

    # All numbers at once: for the short texts that come by the thousand a call costs more than what it computes.

    @cached_property
    def _sum(self) -> Floats:
        return np.asarray((self.numbers * self.present).sum(axis=1))

    @cached_property
    def _mean(self) -> Floats:
        return np.asarray(self._sum / self.size)

    @cached_property
    def _least(self) -> Floats:
        return np.asarray(self.numbers.min(axis=1))

    @cached_property
    def _most(self) -> Floats:
        return np.asarray(self.numbers.max(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """Longer candidates around the mentions of each candidate, (candidates,).

    Attributes:
        next: mentions of the most frequent one that is one token longer.
        most: mentions of the most frequent one of any length.
        inside: share of mentions that lie inside a longer candidate which is seen at least twice.
    """

    next: Floats
    most: Floats
    inside: Floats


@dataclass(frozen=True, eq=False)
class View:
    """Some of a document's candidates.

    Attributes:
        document: the document.
        found: all its candidates.
        kept: which of them are looked at, (found,).
    """

    document: AnalysedDocument
    found: Candidates
    kept: Bools

    @cached_property
    def few(self) -> Candidates:
        """The candidates that are looked at."""
        return self.found.where(self.kept)

    @cached_property
    def owner(self) -> Ints:
        """Candidate of each mention, (mentions,)."""
        return self.few.owner

    @cached_property
    def _ahead(self) -> Ints:
        """Places of words in first mentions, (longest, 1)."""
        return np.arange(int(self.few.length.max(initial=1)))[:, None]

    @cached_property
    def _words(self) -> Ints:
        """Word form at each place of first mentions, the last one behind their ends, (longest, few)."""
        return self.document.word[self.few.first + np.minimum(self._ahead, self.few.length - 1)]

    @cached_property
    def used(self) -> Ints:
        """Word forms of first mentions, ascending, (used,)."""
        used = np.zeros(len(self.document.words), bool)
        used[self._words] = True
        return np.flatnonzero(used)

    def over_words(self, columns: Mapping[str, Numbers | Bools]) -> OverWords:
        """Numbers of the word forms ``used``, (used,) each, over the words of each candidate."""
        place = np.empty(len(self.document.words), np.int64)
        place[self.used] = np.arange(len(self.used))
        numbers = np.concatenate([np.zeros(0), *columns.values()]).reshape(len(columns), -1)
        rows = {name: row for row, name in enumerate(columns)}
        size = self.few.length
        return OverWords(rows, numbers.take(place[self._words], axis=1), self._ahead < size, size)

    def share(self, mentions: Bools | Floats) -> Floats:
        """Mean over the mentions of each candidate, (few,), of numbers (mentions,)."""
        sums = np.bincount(self.owner, weights=mentions, minlength=len(self.few))
        return np.asarray(sums / np.maximum(self.few.frequency, 1))

    def shares(self, mentions: Mapping[str, Bools]) -> dict[str, Floats]:
        """Share of the mentions of each candidate, (few,), that masks (mentions,) mark, by their names."""
        if not len(self.few):
            return dict.fromkeys(mentions, np.zeros(0))
        marked = np.array(list(mentions.values()), np.int32)
        sums = np.add.reduceat(marked, self.few.offsets[:-1], axis=1)
        return dict(zip(mentions, sums / self.few.frequency, strict=True))

    @cached_property
    def in_sections(self) -> Ints:
        """Mentions in sections of each kind, (few, kinds)."""
        return by_kind(self.few, self.document)

    @cached_property
    def around(self) -> Around:
        """Longer candidates around the mentions of the few; 0 for candidates that none holds."""
        few = self.few
        if not len(few):
            return Around(*(np.zeros(0),) * 3)
        longer, begins = LongerAround.of(self.found), few.offsets[:-1]
        most = longer.most_of(few)
        return Around(
            next=np.maximum.reduceat(longer.next_of(few), begins).astype(float),
            most=np.maximum.reduceat(most, begins).astype(float),
            inside=self.share(most > 1),
        )
