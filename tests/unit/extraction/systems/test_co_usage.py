"""Company of phrases in lists of keyphrases, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import pair_keys
from keywright.extraction.systems.humb import mean_co_usage
from keywright.text.keys import phrase_key

FOUND = ngrams(analysed("grid; market; noise; tide"), 1)


def pair(left: str, right: str) -> int:
    return int(pair_keys(np.array([phrase_key(left)], np.uint64), np.array([phrase_key(right)], np.uint64))[0])


LISTS = PhraseCounts.of_phrases([(phrase_key("grid"), 8), (phrase_key("market"), 4), (phrase_key("noise"), 5)], 100)
PAIRS = PhraseCounts.of_phrases([(pair("grid", "market"), 2), (pair("noise", "grid"), 4)], 100)


def test_the_mean_over_the_best_but_oneself():
    """Of 8 lists with grid 2 have market and 4 noise; of 4 with market 2 have grid and none has noise."""
    found = mean_co_usage(FOUND, np.array([0, 1]), LISTS, PAIRS)
    expected = [math.log(1 + 2 / 4), math.log(1 + 2 / 8), math.log(1 + 4 / 8) / 2, 0]
    assert found == pytest.approx(expected)


def test_a_best_one_that_no_list_has_says_nothing():
    assert mean_co_usage(FOUND, np.array([3]), LISTS, PAIRS).tolist() == [0, 0, 0, 0]


def test_no_best_no_candidates():
    nobody = np.zeros(0, np.int64)
    assert mean_co_usage(FOUND, nobody, LISTS, PAIRS).tolist() == [0, 0, 0, 0]
    assert mean_co_usage(FOUND.where(np.zeros(4, bool)), nobody, LISTS, PAIRS).shape == (0,)
