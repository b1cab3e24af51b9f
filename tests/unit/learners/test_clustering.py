"""Clusters: found again where points lie together."""

import numpy as np

from keywright.extraction.learners.topic_model import clusters

POINTS = np.array([[0.0, 0.0], [9.0, 9.0], [0.0, 0.1], [9.1, 9.0], [0.1, 0.0]])


def test_points_that_lie_together():
    found = clusters(POINTS, 2)
    assert len(set(found[[0, 2, 4]].tolist())) == 1
    assert len(set(found[[1, 3]].tolist())) == 1
    assert sorted(set(found.tolist())) == [0, 1]


def test_the_same_every_time():
    rows = np.random.default_rng(1).random((60, 4))
    assert clusters(rows, 7).tolist() == clusters(rows, 7).tolist()
    assert clusters(rows, 7, seed=2).tolist() != clusters(rows, 7).tolist()


def test_few_points():
    assert clusters(POINTS, 1).tolist() == [0] * 5
    assert clusters(POINTS, 5).tolist() == [0, 1, 2, 3, 4]
    assert clusters(np.zeros((0, 3)), 2).tolist() == []


def test_no_gaps_where_clusters_stay_empty():
    found = clusters(np.repeat(POINTS[:2], 5, axis=0), 4)
    assert sorted(set(found.tolist())) == [0, 1]
