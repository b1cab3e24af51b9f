"""What is decided for each document of a batch: its candidates, scores behind its shortlist, its list's length."""

import itertools

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.document_batches import join_documents
from keywright.extraction.candidates.ngrams import plain_ngrams
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.extraction.ranking.by_document import (
    candidates_of,
    count_by_expected_f1,
    counts_by_expected_f1,
    with_scores_behind,
)
from keywright.text.keys import phrase_key

BOUNDS = np.array([0, 3, 3, 5])  # three candidates, none, two


def test_equal_phrases_of_two_documents_are_two_candidates():
    documents = [analysed("Salt marsh. Salt"), analysed(""), analysed("A salt marsh")]
    batch = join_documents(documents)
    candidates = usual_candidates(batch)
    assert candidates.key.tolist() == 2 * [phrase_key(phrase) for phrase in ("salt", "salt marsh", "marsh")]
    assert candidates.frequency.tolist() == [2, 1, 1, 1, 1, 1]
    assert candidates.first.tolist() == [0, 0, 1, 5, 5, 6]
    last = candidates_of(candidates, 3, 6, int(batch.bounds[2]))
    alone = plain_ngrams(documents[2], 5)
    for name in ("key", "length", "frequency", "first", "last", "offsets", "positions", "widths"):
        assert getattr(last, name).tolist() == getattr(alone, name).tolist()


def test_scores_behind_the_shortlist_are_below_it():
    weight = np.array([1.0, 3, 2, 9, 8])
    in_shortlist = np.array([False, True, False, True, True])
    scores = with_scores_behind(weight, np.array([-2.0, 5, 6]), in_shortlist, BOUNDS)
    # Of three candidates the second weighs most and is listed: the third and the first follow it, 1 below and more.
    assert scores.tolist() == [-2 - 1 - 2 / 3, -2, -2 - 1 - 1 / 3, 5, 6]


def test_nothing_listed():
    scores = with_scores_behind(np.array([1.0, 2]), np.zeros(0), np.zeros(2, bool), np.array([0, 2]))
    assert scores.tolist() == [-1.5, -1.0]


def test_counts_are_those_of_each_document():
    # By hand for .9 .1 .6: 2 * .9 / (1 + 1.6), 2 * 1.5 / (2 + 1.6), 2 * 1.6 / (3 + 1.6): the second is the largest.
    probabilities = np.array([0.9, 0.1, 0.6, 0.2, 0.0])
    assert counts_by_expected_f1(probabilities, BOUNDS).tolist() == [2, 0, 1]
    assert counts_by_expected_f1(np.zeros(0), np.array([0, 0])).tolist() == [0]


@pytest.mark.parametrize("seed", range(5))
def test_counts_equal_those_of_single_documents(seed):
    rng = np.random.default_rng(seed)
    bounds = np.concatenate(([0], np.cumsum(rng.integers(0, 40, 30))))
    probabilities = rng.random(bounds[-1]) ** 3
    parts = [probabilities[begin:end] for begin, end in itertools.pairwise(bounds)]
    expected = [count_by_expected_f1(np.sort(part)[::-1]) for part in parts]
    assert counts_by_expected_f1(probabilities, bounds).tolist() == expected
