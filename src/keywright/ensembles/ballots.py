"""Ballots: rank and confidence of each phrase of one document in several ranked lists.

Phrases of different lists are matched by stem. Present and absent phrases are ranked separately, as they are scored
separately: the best absent phrase of a list has rank 1, however many present ones precede it.
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
    """The phrases of one document in any list, in the order of the lists and of their ranks.

    Attributes:
        keyphrases: each from the first list that ranks it highest, (phrases,); if it has no spans there, with those of
            the first list that has some.
        present: whether the document contains it according to any list, (phrases,).
        rank: among the phrases of its class in each list, from 1 on; nan where it is not in the list, (phrases, lists).
        confidence: of each list in it; nan where it is not in the list, or the list has no confidence that could be
            compared with that of others, (phrases, lists).
    """

    keyphrases: tuple[Keyphrase, ...]
    present: Bools
    rank: Floats
    confidence: Floats

    def __len__(self) -> int:
        return len(self.keyphrases)

    @property
    def listed(self) -> Bools:
        """Truth value for each phrase and list: the list has the phrase, (phrases, lists)."""
        return ~np.isnan(self.rank)

    @property
    def votes(self) -> Floats:
        """Number of lists with the phrase, (phrases,)."""
        return np.asarray(self.listed.sum(axis=1), float)

    @property
    def reciprocal_rank(self) -> Floats:
        """Mean of 1 / rank over the lists with the phrase, (phrases,), above 0 and at most 1."""
        mean: Floats = np.nansum(1 / self.rank, axis=1) / self.votes
        return mean

    @property
    def mean_confidence(self) -> Floats | None:
        """Mean over the lists with the phrase, (phrases,); None where one of them has no comparable confidence."""
        if np.isnan(self.confidence[self.listed]).any():
            return None
        mean: Floats = np.nansum(self.confidence, axis=1) / self.votes
        return mean


def collect_ballots(
    lists: Sequence[Sequence[Keyphrase]],
    kinds: Sequence[Confidence | None],
    present: Callable[[Keyphrase], bool] = attrgetter("present"),
    language: str | None = None,
) -> Ballots:
    """Return the ballots of lists, best first, for one document; of repeats in a list the first counts.

    ``kinds`` has each list's confidence, None for one that cannot be compared with others. ``present`` decides if a
    phrase occurs in the document, by default by its spans. Stems are English without a language.
    """
    stem = stemmer(language or "en")
    lists_by_key = [_by_key(keyphrases, stem) for keyphrases in lists]
    present_by_key: dict[Hashable, bool] = {}
    for by_key in lists_by_key:
        for key, keyphrase in by_key.items():
            present_by_key[key] = present_by_key.get(key, False) or present(keyphrase)
    row_of = {key: row for row, key in enumerate(present_by_key)}
    rank = np.full((len(row_of), len(lists)), np.nan)
    confidence = rank.copy()
    for column, (by_key, kind) in enumerate(zip(lists_by_key, kinds, strict=True)):
        class_sizes = {True: 0, False: 0}
        for key in by_key:
            class_sizes[present_by_key[key]] += 1
            rank[row_of[key], column] = class_sizes[present_by_key[key]]
        if kind is not None:
            confidence[[row_of[key] for key in by_key], column] = confidences(tuple(by_key.values()), kind)
    best_list = np.nanargmin(rank, axis=1) if row_of else ()
    return Ballots(
        tuple(_with_spans(key, column, lists_by_key) for key, column in zip(row_of, best_list, strict=True)),
        np.fromiter(present_by_key.values(), bool),
        rank,
        confidence,
    )


def _with_spans(key: Hashable, column: int, lists_by_key: Sequence[dict[Hashable, Keyphrase]]) -> Keyphrase:
    """Return the keyphrase of a list, with the spans of any list: generators give none."""
    keyphrase = lists_by_key[column][key]
    if keyphrase.spans:
        return keyphrase
    spans = (by_key[key].spans for by_key in lists_by_key if key in by_key and by_key[key].spans)
    return replace(keyphrase, spans=next(spans, ()))


def _by_key(keyphrases: Sequence[Keyphrase], stem: Callable[[str], str]) -> dict[Hashable, Keyphrase]:
    """Return the first keyphrase of each sequence of stems; those without letter or digit by their text."""
    first: dict[Hashable, Keyphrase] = {}
    for keyphrase in keyphrases:
        first.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
    return first
