"""Ballots: what several ranked lists say of each phrase of one document.

Phrases of different lists are one by their stems. Present and absent phrases are ranked apart, as they are scored
apart: the best absent phrase of a list has rank 1, however many present ones stand before it.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, confidences
from keywright.core.arrays import Bools, Floats
from keywright.core.predictions import Keyphrase
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True, eq=False)
class Ballots:
    """The phrases of one document that any list holds, in the order of the lists and of their ranks.

    Attributes:
        keyphrases: each as the first list gives it that has it highest, (phrases,); without spans there, with those
            of the first list that has some.
        present: whether any list finds it in the document, (phrases,).
        rank: its place among the phrases of its class in each list, from 1 on; nan where the list does not hold it,
            (phrases, lists).
        confidence: of each list in it; nan where the list does not hold it, or has no confidence that could be
            compared with that of others, (phrases, lists).
    """

    keyphrases: tuple[Keyphrase, ...]
    present: Bools
    rank: Floats
    confidence: Floats

    def __len__(self) -> int:
        """Number of phrases."""
        return len(self.keyphrases)

    @property
    def listed(self) -> Bools:
        """Whether each list holds each phrase, (phrases, lists)."""
        return ~np.isnan(self.rank)

    @property
    def votes(self) -> Floats:
        """How many lists hold each phrase, (phrases,)."""
        return np.asarray(self.listed.sum(axis=1), float)

    @property
    def reciprocal_rank(self) -> Floats:
        """Mean of 1 / rank over the lists that hold a phrase, (phrases,), above 0 and at most 1."""
        mean: Floats = np.nansum(1 / self.rank, axis=1) / self.votes
        return mean

    @property
    def mean_confidence(self) -> Floats | None:
        """Mean over the lists that hold a phrase, (phrases,); None where one of them has none to compare."""
        if np.isnan(self.confidence[self.listed]).any():
            return None
        mean: Floats = np.nansum(self.confidence, axis=1) / self.votes
        return mean


def ballots(
    lists: Sequence[Sequence[Keyphrase]],
    kinds: Sequence[Confidence | None],
    present: Callable[[Keyphrase], bool] = attrgetter("present"),
    language: str | None = None,
) -> Ballots:
    """What lists, best first, say of each phrase of one document; of repeats in a list the first counts.

    Args:
        lists: keyphrases of each list.
        kinds: each list's confidence; None for a list that has none to compare with others.
        present: whether a phrase stands in the document; by default, whether it has spans.
        language: of the stems that phrases meet by; English when None.

    Raises:
        BadRecord: a phrase does not have what its list's confidence is computed from.
    """
    stem = stemmer(language or "en")
    held = [_once(one, stem) for one in lists]
    found: dict[Hashable, bool] = {}
    for one in held:
        for key, keyphrase in one.items():
            found[key] = found.get(key, False) or present(keyphrase)
    index = {key: at for at, key in enumerate(found)}
    rank = np.full((len(found), len(lists)), np.nan)
    confidence = rank.copy()
    for column, (one, kind) in enumerate(zip(held, kinds, strict=True)):
        rows = [index[key] for key in one]
        places = {True: 0, False: 0}
        for key, row in zip(one, rows, strict=True):
            places[found[key]] += 1
            rank[row, column] = places[found[key]]
        if kind is not None:
            confidence[rows, column] = confidences(tuple(one.values()), kind)
    highest = np.nanargmin(rank, axis=1) if found else ()
    return Ballots(
        tuple(_standing(held[column][key], key, held) for key, column in zip(found, highest, strict=True)),
        np.fromiter(found.values(), bool),
        rank,
        confidence,
    )


def _standing(one: Keyphrase, key: Hashable, held: Sequence[dict[Hashable, Keyphrase]]) -> Keyphrase:
    """A keyphrase with spans, where any list has some: systems that generate do not say where phrases stand."""
    if one.spans:
        return one
    return replace(one, spans=next((other[key].spans for other in held if key in other and other[key].spans), ()))


def _once(keyphrases: Sequence[Keyphrase], stem: Callable[[str], str]) -> dict[Hashable, Keyphrase]:
    """Keyphrases by their stems, each the first with them; those without letter or digit by their text."""
    first: dict[Hashable, Keyphrase] = {}
    for keyphrase in keyphrases:
        first.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
    return first
