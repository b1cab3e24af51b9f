"""Topics of a collection, asked about another document.

Topics: found again where texts were made of them.

Clusters: found again where points lie together.
"""

import numpy as np
import pytest
from scipy import sparse

from keywright.core.errors import BadParameter
from keywright.extraction.learners.topic_model import TopicModel, clusters, topics
from keywright.testing.promises import equal

KNOWN = np.array([10, 20, 30], np.uint64)
MODEL = TopicModel(KNOWN, np.array([[0.6, 0.4, 0.0], [0.0, 0.4, 0.6]]), np.array([0.5, 0.5]))


def keys(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


def test_words_in_any_order_and_unknown_ones():
    assert MODEL.of(keys(30, 5, 10, 99)).tolist() == [[0, 0, 0.6, 0], [0.6, 0, 0, 0]]
    assert MODEL.of(keys()).shape == (2, 0)


def test_shares_follow_the_words():
    """20 tells nothing, so it goes with the others: 3 of 4 for the first topic, whatever there is of 20."""
    assert MODEL.shares(keys(10, 20, 30), np.array([3, 5, 1])) == pytest.approx([0.75, 0.25], abs=1e-6)
    assert MODEL.shares(keys(10), np.array([2])) == pytest.approx([1, 0])


def test_shares_of_what_is_unknown_are_those_of_the_collection():
    model = TopicModel(KNOWN, MODEL.words, np.array([0.8, 0.2]))
    assert model.shares(keys(99), np.array([4])).tolist() == [0.8, 0.2]
    assert model.shares(keys(), np.array([], int)).tolist() == [0.8, 0.2]


BAGS = [(keys(1, 2), np.array([9, 8])), (keys(3, 4), np.array([9, 7])), (keys(2, 1), np.array([7, 9]))]


def test_texts_with_different_words_have_different_topics():
    model = TopicModel.fit(BAGS, 2, seed=1)
    assert model.keys.tolist() == [1, 2, 3, 4]
    assert model.words.sum(axis=1) == pytest.approx([1, 1])
    first = model.words[:, 0].argmax()
    assert model.words[first, :2].sum() > 0.9
    assert model.words[1 - first, 2:].sum() > 0.9
    assert model.shares(keys(3), np.array([5]))[1 - first] > 0.9
    assert equal(model, TopicModel.fit(BAGS, 2, seed=1))


def test_nothing_to_learn_from():
    model = TopicModel.fit([], 3, seed=1)
    assert model.of(keys(5)).tolist() == [[0], [0], [0]]
    assert model.shares(keys(5), np.array([2])) == pytest.approx([1 / 3] * 3)
    empty = TopicModel.fit([(keys(), np.array([], int))], 2, seed=1)
    assert empty.shares(keys(5), np.array([2])) == pytest.approx([1 / 2] * 2)


def test_no_topics():
    with pytest.raises(BadParameter, match="topics"):
        TopicModel.fit(BAGS, 0, seed=1)


def made_of_two() -> np.ndarray:
    """Twenty texts about the first three words, twenty about the last three."""
    random = np.random.default_rng(1)
    about = np.repeat([[0.3, 0.3, 0.3, 0.1, 0, 0], [0, 0, 0.1, 0.3, 0.3, 0.3]], 20, axis=0)
    return np.array([random.multinomial(40, chances) for chances in about])


def test_texts_fall_apart_into_what_they_were_made_of():
    found = topics(made_of_two(), 2, alpha=0.1)
    assert found.words.shape == (2, 6)
    assert found.shares.shape == (40, 2)
    assert found.words.sum(axis=1) == pytest.approx([1, 1])
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(40))
    first = int(found.shares[0].argmax())
    assert (found.shares.argmax(axis=1) == np.repeat([first, 1 - first], 20)).all()
    assert found.words[first] == pytest.approx([0.3, 0.3, 0.3, 0.1, 0, 0], abs=0.06)


def test_the_same_every_time_and_for_sparse_counts():
    counts = made_of_two()
    first = topics(counts, 3, rounds=5)
    assert topics(counts, 3, rounds=5).words.tolist() == first.words.tolist()
    assert topics(sparse.csr_matrix(counts), 3, rounds=5).words == pytest.approx(first.words)
    assert topics(counts, 3, rounds=5, seed=2).words.tolist() != first.words.tolist()


def test_nothing_has_topics_without_words():
    assert topics(np.zeros((0, 4)), 3).shares.shape == (0, 3)
    empty = topics(np.zeros((2, 0)), 4)
    assert empty.words.shape == (4, 0)
    assert empty.shares.tolist() == [[0.25] * 4] * 2


def test_words_that_never_occur():
    assert topics(np.zeros((2, 4)), 2).words.tolist() == [[0.25] * 4] * 2
    assert np.isfinite(topics(np.array([[1, 0], [0, 0]]), 2).shares).all()


def test_no_topics_are_refused():
    with pytest.raises(BadParameter, match="0 topics"):
        topics(np.ones((2, 2)), 0)


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
