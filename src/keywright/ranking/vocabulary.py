"""Mentions of the phrases of a user's vocabulary."""

from collections.abc import Collection

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.candidates.words import words_and_numbers
from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined


def mentions_of(document: AnalysedDocument, keys: Collection[int], longest: int) -> Candidates:
    """Return the phrases with one of some keys, as candidates.

    Whole words are compared by their stems, including stop words and numbers; a phrase does not cross a sign or the end
    of a sentence.

    Args:
        document: the document.
        keys: of the vocabulary.
        longest: maximum parts of a phrase of the vocabulary.
    """
    wanted = np.array(sorted(keys), np.uint64)
    place = np.flatnonzero(words_and_numbers(document))
    word = document.word[place]
    begins = np.ones(len(place), bool)
    begins[1:] = (np.diff(place) > 1) | (np.diff(document.sentence[place]) > 0)
    stretch = np.cumsum(begins)
    key = document.word_key[word]
    columns: list[tuple[Ints, Ints, Ints]] = []
    # Rolling hash: the keys of all spans grow by one token per step.
    for width in range(1, min(longest, len(place)) + 1):
        if width > 1:
            last = word[width - 1 :]
            key = joined(key[:-1], document.word_key[last], document.word_parts[last])
        whole = stretch[: len(key)] == stretch[width - 1 :]
        hits = np.flatnonzero(whole & np.isin(key, wanted))
        columns.append((key[hits], place[hits], np.full(len(hits), width)))
    if not columns:
        return regrouped(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))
    return regrouped(*(np.concatenate(column) for column in zip(*columns, strict=True)))
