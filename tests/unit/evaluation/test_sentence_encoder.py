"""The offline encoder: right sizes, no dependence on neighbours, nearness as expected, clear errors."""

import sys

import numpy as np
import pytest

from keywright.core.errors import MissingExtra, WrongFingerprint
from keywright.evaluation import sentence_encoder
from keywright.evaluation.sentence_encoder import DIMENSIONS, MiniLM


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


def test_near_phrases_are_near():
    network, net, cooking, empty = MiniLM()(["neural network", "deep neural nets", "vegetable cooking", ""])
    assert network.shape == (DIMENSIONS,)
    assert cosine(network, net) > 0.6 > cosine(network, cooking)
    assert np.isfinite(empty).all()


def test_neighbours_do_not_change_an_embedding():
    phrases = [f"{one} {other}" for one in ("grid", "wireless sensor", "a") for other in ("computing", "nodes of nets")]
    together, alone = MiniLM()(phrases), np.vstack([MiniLM()([phrase]) for phrase in phrases])
    assert together == pytest.approx(alone, abs=1e-5)
    assert MiniLM()(phrases[::-1]) == pytest.approx(together[::-1], abs=1e-5)


def test_no_phrases():
    assert MiniLM()([]).shape == (0, DIMENSIONS)


def test_its_name_says_which_weights():
    assert MiniLM().fingerprint == "minilm_l6_v2_int8@8199be6f+be50c362"


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    sentence_encoder._loaded.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"keywright\[embed\]"):
        MiniLM()(["a"])


def test_other_weights_are_refused(monkeypatch):
    sentence_encoder._loaded.cache_clear()
    monkeypatch.setattr(sentence_encoder, "WEIGHTS", "0" * 64)
    with pytest.raises(WrongFingerprint, match="weights"):
        MiniLM()(["a"])
