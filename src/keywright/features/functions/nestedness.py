"""Phrases inside longer phrases, all of them candidates of one document."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def mentions_inside(candidates: Candidates) -> Floats:
    """Mentions of the most frequent candidate that is one token longer and holds each candidate, (candidates,).

    0 for a candidate that no longer one holds. See ``most_of_longer`` for longer ones of any length.
    """
    if not len(candidates):
        return np.zeros(0)
    longer = LongerAround.of(candidates).next_of(candidates)
    return np.asarray(np.maximum.reduceat(longer, candidates.offsets[:-1]), float)


@dataclass(frozen=True, eq=False)
class LongerAround:
    """Which candidates stand where, and the most frequent one around each stretch of tokens.

    Attributes:
        mentions: of the candidate with some width that begins at some token, 0 for none, (widest + 2, tokens + 1);
            before the first token there is an empty place.
    """

    mentions: Ints

    @classmethod
    def of(cls, candidates: Candidates) -> "LongerAround":
        """Of all candidates of a document, at least one."""
        mentions = np.zeros((int(candidates.widths.max()) + 2, int(candidates.positions.max()) + 2), np.int32)
        mentions[candidates.widths, candidates.positions + 1] = np.repeat(candidates.frequency, candidates.frequency)
        return cls(mentions)

    @cached_property
    def most(self) -> Ints:
        """Mentions of the most frequent candidate around such a stretch, longer than it; shape of ``mentions``.

        What holds a stretch and is longer also holds one of the two stretches that are a token longer, or is one.
        """
        most = np.zeros_like(self.mentions)
        for width in range(len(most) - 3, 0, -1):
            longer = np.maximum(self.mentions[width + 1], most[width + 1])
            most[width, 0] = longer[0]
            np.maximum(longer[1:], longer[:-1], out=most[width, 1:])
        return most

    def next_of(self, some: Candidates) -> Ints:
        """Mentions of the more frequent one that is a token longer, (mentions of some candidates,)."""
        longer, places = some.widths + 1, some.positions + 1
        return np.asarray(np.maximum(self.mentions[longer, places], self.mentions[longer, places - 1]))

    def most_of(self, some: Candidates) -> Ints:
        """Mentions of the most frequent one that is longer, (mentions of some candidates,)."""
        return np.asarray(self.most[some.widths, some.positions + 1])


@dataclass(frozen=True, slots=True, eq=False)
class Nesting:
    """Which mentions lie inside mentions of longer candidates.

    Attributes:
        inner: number of the mention inside, ascending, (pairs,).
        outer: candidate whose mention is around it, (pairs,).
    """

    inner: Ints
    outer: Ints

    @classmethod
    def of(cls, candidates: Candidates) -> "Nesting":
        """All pairs of a mention and a longer mention that holds it wholly; none for no candidates."""
        if not len(candidates):
            return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))
        starts, widths, owner = candidates.positions, candidates.widths, candidates.owner
        widest, nobody = int(widths.max()), len(candidates)
        # Row: token before which a mention begins, after as many empty rows as a longer one can begin earlier.
        owner_at = np.full((int(starts.max()) + widest, widest + 1), nobody, np.int64)
        owner_at[starts + widest - 1, widths] = owner
        inner, outer = [], []
        for width in range(2, widest + 1):
            for earlier in range(width):
                fits = np.flatnonzero((widths < width) & (widths + earlier <= width))
                around = owner_at[starts[fits] + widest - 1 - earlier, width]
                held = around != nobody
                inner.append(fits[held])
                outer.append(around[held])
        order = np.argsort(np.concatenate(inner), kind="stable") if inner else np.zeros(0, np.int64)
        return cls(*(np.concatenate([np.zeros(0, np.int64), *pairs])[order] for pairs in (inner, outer)))

    def phrases(self, candidates: Candidates) -> tuple[Ints, Ints, Ints]:
        """Distinct pairs of candidates: the shorter, the longer, and mentions of the shorter inside, each (pairs,)."""
        total = len(candidates)
        once = np.unique(self.inner * total + self.outer)  # a mention inside two overlapping ones of "a b a b a"
        shorter, longer = candidates.owner[once // max(1, total)], once % max(1, total)
        pairs, inside = np.unique(shorter * total + longer, return_counts=True)
        return pairs // max(1, total), pairs % max(1, total), inside


def mentions_in_longer(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Mentions of each candidate that lie inside a mention of a longer one, (candidates,)."""
    inside = np.zeros(len(candidates.positions), bool)
    inside[Nesting.of(candidates).inner] = True
    return np.asarray(np.bincount(candidates.owner, weights=inside, minlength=len(candidates)), float)


def longer_phrases(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Number of distinct longer candidates that hold each candidate, (candidates,)."""
    shorter, _longer, _inside = Nesting.of(candidates).phrases(candidates)
    return np.asarray(np.bincount(shorter, minlength=len(candidates)), float)


def sum_of_longer(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Mentions, taken together, of all longer candidates that hold each candidate, (candidates,)."""
    shorter, longer, _inside = Nesting.of(candidates).phrases(candidates)
    return np.asarray(np.bincount(shorter, candidates.frequency[longer], len(candidates)), float)


def most_of_longer(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Mentions of the most frequent longer candidate that holds each candidate, 0 where none does, (candidates,)."""
    shorter, longer, _inside = Nesting.of(candidates).phrases(candidates)
    most = np.zeros(len(candidates))
    np.maximum.at(most, shorter, candidates.frequency[longer])
    return most


def dpm_index(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """1 less the mentions of the most frequent longer candidate for each own one, 0 to 1, (candidates,).

    The document phrase maximality index of Haddoud and Abdeddaïm (2014): 1 for a phrase that no longer one holds, 0 for
    one that always stands in the same longer one.
    """
    return np.maximum(1 - most_of_longer(candidates, document) / candidates.frequency, 0.0)


def substring_frequency(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Mentions, outside of each candidate, of the shorter candidates that it holds, (candidates,).

    Nguyen and Luong (2010), their third feature.
    """
    shorter, longer, inside = Nesting.of(candidates).phrases(candidates)
    outside = candidates.frequency[shorter] - inside
    return np.asarray(np.bincount(longer, outside, len(candidates)), float)


@dataclass(frozen=True, slots=True)
class FreeShare:
    """Share of each candidate's mentions outside of longer candidates of some frequency, 0 to 1, (candidates,).

    Phrasehood in Berend and Farkas (2010), whose formula is not given.

    Attributes:
        least: mentions that a longer candidate needs to count.
    """

    least: int = 2

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        nesting = Nesting.of(candidates)
        inside = np.zeros(len(candidates.positions), bool)
        inside[nesting.inner[candidates.frequency[nesting.outer] >= self.least]] = True
        held = np.bincount(candidates.owner, weights=inside, minlength=len(candidates))
        return 1 - held / candidates.frequency


@dataclass(frozen=True, slots=True)
class CValue:
    """Logarithm of the length times the mentions, less the mean mentions of longer candidates, (candidates,).

    Frantzi, Ananiadou and Mima (2000): ``log2(words + added) * (tf - sum of longer tf / number of longer)``.

    Attributes:
        added: words added to the length; with 0, as in the paper, single words have 0.
    """

    added: float = 0

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        shorter, longer, _inside = Nesting.of(candidates).phrases(candidates)
        number = np.bincount(shorter, minlength=len(candidates))
        together = np.bincount(shorter, candidates.frequency[longer], len(candidates))
        own = candidates.frequency - together / np.maximum(number, 1)
        return np.asarray(np.log2(candidates.length + self.added) * own)
