"""Candidates inside longer candidates of one document, and in a collection (phrasehood)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.labelled import text_key


def mentions_inside(candidates: Candidates) -> Floats:
    """Return the mentions of the most frequent candidate one token longer around each one, or 0, (candidates,)."""
    if not len(candidates):
        return np.zeros(0)
    longer = LongerAround.of(candidates).next_of(candidates)
    return np.asarray(np.maximum.reduceat(longer, candidates.offsets[:-1]), float)


@dataclass(frozen=True, eq=False)
class LongerAround:
    """Table of candidates by width and position, for the most frequent one around any span of tokens."""

    # Mentions of the candidate of a width that begins at a token, 0 for none, (widest + 2, tokens + 1) with sentinels.
    mentions: Ints

    @classmethod
    def of(cls, candidates: Candidates) -> "LongerAround":
        """Return the table of all candidates of a document, at least one."""
        mentions = np.zeros((int(candidates.widths.max()) + 2, int(candidates.positions.max()) + 2), np.int32)
        mentions[candidates.widths, candidates.positions + 1] = np.repeat(candidates.frequency, candidates.frequency)
        return cls(mentions)

    @cached_property
    def most(self) -> Ints:
        """Mentions of the most frequent longer candidate around each span, in the shape of ``mentions``."""
        # Dynamic programming from wide to narrow: a longer candidate around a span contains one of the two spans that
        # are one token longer, or is one of them. All positions of a width are done at once.
        most = np.zeros_like(self.mentions)
        for width in range(len(most) - 3, 0, -1):
            longer = np.maximum(self.mentions[width + 1], most[width + 1])
            most[width, 0] = longer[0]
            np.maximum(longer[1:], longer[:-1], out=most[width, 1:])
        return most

    def next_of(self, some: Candidates) -> Ints:
        """Return the mentions of the more frequent candidate one token longer, (mentions of some candidates,)."""
        longer, places = some.widths + 1, some.positions + 1
        return np.asarray(np.maximum(self.mentions[longer, places], self.mentions[longer, places - 1]))


@dataclass(frozen=True, slots=True, eq=False)
class Nesting:
    """Pairs of a mention, by index and ascending, and a longer candidate around it, (pairs,) each."""

    inner: Ints
    outer: Ints

    @classmethod
    def of(cls, candidates: Candidates) -> "Nesting":
        """Return all pairs of a mention and a longer mention that contains it."""
        if not len(candidates):
            return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))
        starts, widths, owner = candidates.positions, candidates.widths, candidates.owner
        widest, nobody = int(widths.max()), len(candidates)
        # Table look-ups instead of comparing all pairs: which candidate of each width begins at each token. As many
        # empty rows come first as a longer mention can begin earlier.
        owner_at = np.full((int(starts.max()) + widest, widest + 1), nobody, np.int64)
        owner_at[starts + widest - 1, widths] = owner
        inner, outer = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for width in range(2, widest + 1):
            for earlier in range(width):
                fits = np.flatnonzero((widths < width) & (widths + earlier <= width))
                around = owner_at[starts[fits] + widest - 1 - earlier, width]
                contained = around != nobody
                inner.append(fits[contained])
                outer.append(around[contained])
        order = np.argsort(np.concatenate(inner), kind="stable")
        return cls(np.concatenate(inner)[order], np.concatenate(outer)[order])

    def phrases(self, candidates: Candidates) -> tuple[Ints, Ints, Ints]:
        """Return distinct pairs: the shorter, the longer, and mentions of the shorter inside, each (pairs,)."""
        total = max(1, len(candidates))
        # Pairs packed into one integer; a mention inside two overlapping ones of "a b a b a" counts once.
        once = np.unique(self.inner * total + self.outer)
        shorter, longer = candidates.owner[once // total], once % total
        pairs, inside = np.unique(shorter * total + longer, return_counts=True)
        return pairs // total, pairs % total, inside


def mentions_in_longer(candidates: Candidates, least: int = 1) -> Floats:
    """Return the mentions of each candidate inside longer ones with ``least`` mentions, (candidates,)."""
    nesting = Nesting.of(candidates)
    inside = np.zeros(len(candidates.positions), bool)
    inside[nesting.inner[candidates.frequency[nesting.outer] >= least]] = True
    return np.asarray(np.bincount(candidates.owner, weights=inside, minlength=len(candidates)), float)


def sum_of_longer(candidates: Candidates) -> Floats:
    """Return the sum of the mentions of all longer candidates that contain each candidate, (candidates,)."""
    shorter, longer, _ = Nesting.of(candidates).phrases(candidates)
    return np.asarray(np.bincount(shorter, candidates.frequency[longer], len(candidates)), float)


def substring_frequency(candidates: Candidates) -> Floats:
    """Return mentions, outside of each candidate, of shorter ones in it, (candidates,): Nguyen and Luong (2010)."""
    shorter, longer, inside = Nesting.of(candidates).phrases(candidates)
    return np.asarray(np.bincount(longer, candidates.frequency[shorter] - inside, len(candidates)), float)


def c_value(candidates: Candidates, words: Ints, added: float = 0) -> Floats:
    """Return ``log2(words + added)`` times the mentions less the mean mentions of longer candidates, (candidates,)."""
    # Frantzi, Ananiadou and Mima (2000), where ``added`` is 0, so that the value of single words is 0.
    shorter, _, _ = Nesting.of(candidates).phrases(candidates)
    number = np.bincount(shorter, minlength=len(candidates))
    free = candidates.frequency - sum_of_longer(candidates) / np.maximum(number, 1)
    return np.asarray(np.log2(words + added) * free)


@dataclass(frozen=True, slots=True, eq=False)
class Phrasehood:
    """Share of each candidate's mentions, here and in a collection, outside of longer phrases, 0 to 1, (candidates,).

    Longer phrases with ``least`` mentions in their document count (Berend and Farkas 2010, who give no formula); labels
    do not. ``texts``: hashes, (documents,); ``mentions``: of phrases in several documents, ``free``: outside of longer
    ones.
    """

    texts: Keys
    mentions: PhraseCounts
    free: PhraseCounts
    least: int = 2

    @classmethod
    def of(
        cls,
        documents: Iterable[AnalysedDocument],
        candidates_of: Callable[[AnalysedDocument], Candidates],
        least: int = 2,
    ) -> Self:
        """Count over a collection that fits into memory."""
        parts = [(text_key(document), candidates_of(document)) for document in documents]
        several = count_documents((candidates.key for _, candidates in parts), least=2).keys
        keys, mentions, free = [], [], []
        for _, candidates in parts:
            common = np.isin(candidates.key, several)
            keys.append(candidates.key[common])
            mentions.append(candidates.frequency[common])
            free.append(_free_mentions(candidates, least)[common])
        return cls(
            np.array([text for text, _ in parts], np.uint64),
            count_mentions(zip(keys, mentions, strict=True)),
            count_mentions(zip(keys, free, strict=True)),
            least,
        )

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        counted = np.uint64(text_key(document)) in self.texts
        here, free_here = candidates.frequency, _free_mentions(candidates, self.least)
        # A phrase of this document alone is in no table, whether or not the document was counted.
        total = np.maximum(self.mentions.of(candidates.key) + here * (not counted), here)
        free = np.maximum(self.free.of(candidates.key) + free_here * (not counted), free_here)
        return np.asarray(free / total)


def _free_mentions(candidates: Candidates, least: int) -> Ints:
    """Return the mentions of each candidate outside of longer ones with ``least`` mentions, (candidates,)."""
    return candidates.frequency - mentions_in_longer(candidates, least).astype(np.int64)
