"""Topics of a collection, asked about another document."""

import numpy as np
import pytest

from keywright.core.errors import BadParameter
from keywright.extraction.learners.topic_model import TopicModel
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
