"""The few candidates of a document that are worth a close look, and what several of their features need.

Functions elsewhere in this package give one feature for all candidates each, and are read one at a time. A ranker with
a hundred features on every document of a large collection cannot look the same words up ten times over.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.corpus.counts import PhraseCounts
from keywright.features.words import word_mentions


@dataclass(frozen=True, eq=False)
class OverWords:
    """A number of each word, taken over the words of a candidate's first mention; all (candidates,).

    Attributes:
        numbers: of the word at each place, (candidates, longest).
        present: which places hold a word, (candidates, longest).
        size: words of each mention, at least 1, (candidates,).
    """

    numbers: Floats
    present: Bools
    size: Ints

    @cached_property
    def first(self) -> Floats:
        """Number of the first word."""
        return np.asarray(self.numbers[:, 0])

    @cached_property
    def last(self) -> Floats:
        """Number of the last word."""
        return np.asarray(self.numbers[np.arange(len(self.size)), self.size - 1])

    @cached_property
    def mean(self) -> Floats:
        """Mean over the words."""
        return np.asarray(np.where(self.present, self.numbers, 0).sum(axis=1) / self.size)

    @cached_property
    def least(self) -> Floats:
        """Least number of a word."""
        return np.asarray(np.where(self.present, self.numbers, np.inf).min(axis=1))

    @cached_property
    def most(self) -> Floats:
        """Greatest number of a word."""
        return np.asarray(np.where(self.present, self.numbers, -np.inf).max(axis=1))


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
    def tokens(self) -> tuple[Ints, Bools]:
        """Tokens of first mentions, and which places hold one, both (few, longest)."""
        ahead = np.arange(int(self.few.length.max(initial=1)))
        present = ahead < self.few.length[:, None]
        return np.where(present, self.few.first[:, None] + ahead, 0), present

    def share(self, mentions: Bools | Floats) -> Floats:
        """Mean over the mentions of each candidate, (few,), of numbers (mentions,)."""
        sums = np.bincount(self.owner, weights=mentions, minlength=len(self.few))
        return np.asarray(sums / np.maximum(self.few.frequency, 1))

    @cached_property
    def words(self) -> Ints:
        """Word form at each place of the first mentions, (few, longest); any behind a mention's end."""
        return self.document.word[self.tokens[0]]

    @cached_property
    def mentions_of_words(self) -> Floats:
        """Tokens of the document with the stem of each word form, (words,)."""
        return word_mentions(self.document)

    def over_words(self, numbers: Floats) -> OverWords:
        """A number of each word form, (words,), over the words of each candidate."""
        return OverWords(np.asarray(numbers, float)[self.words], self.tokens[1], self.few.length)

    def known(self, table: PhraseCounts) -> Floats:
        """Counts of word forms in a table, (words,); 0 for those in no first mention, which are not looked up."""
        counts = np.zeros(len(self.document.words))
        counts[self._used] = table.of(self.document.word_key[self._used])
        return counts

    @cached_property
    def _used(self) -> Ints:
        """Word forms of first mentions, ascending, (used,)."""
        used = np.zeros(len(self.document.words), bool)
        used[self.words[self.tokens[1]]] = True
        return np.flatnonzero(used)

    @cached_property
    def around(self) -> Around:
        """Longer candidates around the mentions of the few; 0 for candidates that none holds."""
        few, found = self.few, self.found
        if not len(few):
            return Around(*(np.zeros(0),) * 3)
        widest = int(found.widths.max())
        frequency = np.append(found.frequency, 0)
        nobody = len(found)
        # Row: token before which a mention begins, after as many empty rows as a longer one can begin earlier.
        owner_at = np.full((int(found.positions.max()) + widest + 1, widest + 2), nobody, np.int32)
        owner_at[found.positions + widest, found.widths] = found.owner
        starts, widths = few.positions + widest, few.widths
        following, most = np.zeros(len(starts)), np.zeros(len(starts))
        for longer in range(1, widest):
            for earlier in range(longer + 1):
                width = np.minimum(widths + longer, widest + 1)
                around = frequency[owner_at[starts - earlier, width]]
                np.maximum(most, around, out=most)
                if longer == 1:
                    np.maximum(following, around, out=following)
        begins = few.offsets[:-1]
        return Around(
            next=np.maximum.reduceat(following, begins),
            most=np.maximum.reduceat(most, begins),
            inside=self.share(most > 1),
        )
