"""Topics: found again where texts were made of them."""

import numpy as np
import pytest
from scipy import sparse

from keywright.core.errors import BadParameter
from keywright.extraction.learners.topic_model import topics


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
