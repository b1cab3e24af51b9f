"""What KEA shares, by hand; the rest is tested with the system."""

import numpy as np
from tests.builders import analysed

from keywright.extraction.ranking.kea import behind_longer, is_name, kea_ngrams
from keywright.text.keys import phrase_key


def keys(*phrases: str) -> set[int]:
    return set(map(phrase_key, phrases))


def test_names_are_single_words_with_a_capital():
    document = analysed("Adam sees DNS, Adam Smith")
    found = kea_ngrams(document)
    assert set(found.key[is_name(found, document)].tolist()) == keys("Adam", "Smith")


def test_a_part_behind_the_whole_is_outdone():
    """*map* is as good as *grid map* but loses by what parts equals; *grid* stands before it."""
    document = analysed("grid map")
    found = kea_ngrams(document)  # grid, grid map, map
    scores, ties = np.array([2.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0])
    assert behind_longer(document, found, scores, ties).tolist() == [False, False, True]
    assert behind_longer(document, found, scores, -ties).tolist() == [False, False, False]
