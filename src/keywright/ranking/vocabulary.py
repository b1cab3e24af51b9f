"""Phrases of a person's own vocabulary, wherever they stand in a document."""

from collections.abc import Collection

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.candidates.words import words_and_numbers
from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined


def mentions_of(document: AnalysedDocument, keys: Collection[int], longest: int) -> Candidates:
    """Phrases with one of some keys, as candidates; none in an empty document.

    Whole words are compared by their stems, stop words and numbers among them; no phrase runs across a sign or the end
    of a sentence.

    Args:
        document: the document.
        keys: of the phrases looked for.
        longest: most parts that one of them has.
    """
    wanted = np.array(sorted(keys), np.uint64)
    place = np.flatnonzero(words_and_numbers(document))
    word = document.word[place]
    begins = np.ones(len(place), bool)
    begins[1:] = (np.diff(place) > 1) | (np.diff(document.sentence[place]) > 0)
    stretch = np.cumsum(begins)
    key = document.word_key[word]
    found: list[tuple[Ints, Ints, Ints]] = []
    for width in range(1, min(longest, len(place)) + 1):
        if width > 1:
            last = word[width - 1 :]
            key = joined(key[:-1], document.word_key[last], document.word_parts[last])
        whole = stretch[: len(key)] == stretch[width - 1 :]
        hits = np.flatnonzero(whole & np.isin(key, wanted))
        found.append((key[hits], place[hits], np.full(len(hits), width)))
    if not found:
        return regrouped(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))
    keys_found, position, width_found = (np.concatenate(column) for column in zip(*found, strict=True))
    return regrouped(keys_found, position, width_found)
