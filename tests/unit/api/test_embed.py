"""Embeddings of texts as an array, by any encoder."""

import numpy as np
import pytest

import keywright as kw
from keywright.core.errors import BadParameter


def test_rows_have_length_one_in_the_order_of_the_texts():
    """By hand: (3, 4) has length 5; a text that comes twice has one vector."""
    places = {"a": [3.0, 4.0], "b": [0.0, 2.0]}
    vectors = kw.embed(iter(["b", "a", "b"]), lambda texts: [places[text] for text in texts])
    assert vectors.tolist() == [[0.0, 1.0], [0.6, 0.8], [0.0, 1.0]]


def test_one_text_is_a_list_of_one():
    assert kw.embed("ab", lambda texts: [[float(len(text)), 0.0] for text in texts]).tolist() == [[1.0, 0.0]]


def test_no_texts_have_no_rows():
    assert len(kw.embed([])) == 0


def test_the_shipped_encoder_knows_what_is_alike():
    vectors = kw.embed(["tide gauge", "sea level", "tax law"])
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_vectors_of_another_shape_are_refused():
    with pytest.raises(BadParameter, match="an array of 2 rows"):
        kw.embed(["a", "b"], lambda _: [[1.0]])
    with pytest.raises(BadParameter):
        kw.embed(["a"], lambda _: [[float("nan"), 1.0]])
