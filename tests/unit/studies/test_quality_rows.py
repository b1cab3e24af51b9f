"""Rows of the quality report: they travel as records, and reliability is pooled over collections."""

import json

import numpy as np
import pytest

from keywright.calibration.calibration_error import NoiseFloor
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.experiments.reliability import Reliability, TopPhrases, measure_reliability
from studies.quality.rows import Score
from studies.quality.study import pool_phrases

FIRST = TopPhrases(np.array([0.2, 0.8, 0.8]), np.array([False, True, True]), np.array([0, 0, 1]))
SECOND = TopPhrases(np.array([0.2]), np.array([True]), np.array([0]))


def test_scores_come_back_from_their_records():
    for ends in (None, (0.1, 0.3)):
        row = Score("inspec/test", "kpg|rules", "present", "F@5", "tfidf", 0.2, ends)
        assert Score.of(json.loads(json.dumps(row.record()))) == row


def test_reliability_comes_back_from_its_record():
    row = measure_reliability("abstract", "default", FIRST)
    assert Reliability.of(json.loads(json.dumps(row.record()))) == row


def test_reliability_by_hand():
    row = measure_reliability("abstract", "default", FIRST)
    assert (row.documents, row.phrases) == (2, 3)
    assert row.error == pytest.approx((0.2 + 2 * 0.2) / 3)  # each bin is off by .2
    assert [(one.size, one.share) for one in row.bins if one.size] == [(1, 0.0), (2, 1.0)]
    assert isinstance(row.floor, NoiseFloor)


def test_intervals_draw_documents():
    """Of two documents, the first off by .2 a phrase: whichever are drawn, the error is .2; with another it varies."""
    row = measure_reliability("abstract", "default", FIRST, Resampling(500))
    assert row.interval == pytest.approx((0.2, 0.2))
    other = measure_reliability("abstract", "default", pool_phrases([FIRST, SECOND]), Resampling(500))
    assert other.interval[0] < other.error <= other.interval[1]


def test_documents_of_several_collections_stay_apart():
    whole = pool_phrases([FIRST, SECOND, SECOND])
    assert whole.owner.tolist() == [0, 0, 1, 2, 3]
    assert whole.right.tolist() == [False, True, True, True, True]


def test_a_record_says_what_it_is():
    assert {Score.part, Reliability.part} == {"score", "reliability"}
