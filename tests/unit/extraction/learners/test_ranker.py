"""A trained ranking on disk: the same after a round trip, and safe against damaged files."""

import hashlib
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.extraction.learners.grown import boosted_trees

from keywright.core.errors import BrokenFile, MissingData
from keywright.core.zstandard import zstd
from keywright.extraction.learners import ranker as judge_module
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import TrainedRanker

RANDOM = np.random.default_rng(1)
ROWS = RANDOM.normal(size=(400, 3))
ANSWERS = ROWS[:, 0] > 0.5
MAPS = {
    "author": ProbabilityMap(np.array([-1.0, 1.0]), np.array([0.1, 0.9])),
    "reader": ProbabilityMap(np.array([-2.0, 0.0, 2.0]), np.array([0.2, 0.3, 0.4])),
}
JUDGE = TrainedRanker(boosted_trees(ROWS, ANSWERS, trees=4), ("a", "b", "é"), MAPS, {"name": "small", "licence": "CC0"})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("judge") / "small.json.zst"
    JUDGE.save(path)
    return path


def test_what_was_saved_is_loaded(saved):
    loaded = TrainedRanker.load(saved)
    np.testing.assert_array_equal(loaded.scores(ROWS), JUDGE.scores(ROWS))
    assert loaded.columns == JUDGE.columns
    assert set(loaded.probability) == {"author", "reader"}
    for style, one in MAPS.items():
        np.testing.assert_array_equal(loaded.probabilities(ROWS[:, 0], style), one.of(ROWS[:, 0]))
    assert loaded.fingerprint == JUDGE.fingerprint == loaded.card["sha256"][:8]
    assert {"name": "small", "licence": "CC0"}.items() <= loaded.card.items()
    assert pickle.loads(pickle.dumps(loaded)).fingerprint == JUDGE.fingerprint


def test_the_same_is_saved_as_the_same_bytes(saved, tmp_path):
    TrainedRanker.load(saved).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()


def test_probabilities_by_hand():
    scores = np.array([-9, -1, 0, 1, 9.0])
    assert JUDGE.probabilities(scores, "author") == pytest.approx([0.1, 0.1, 0.5, 0.9, 0.9])
    assert JUDGE.probabilities(scores, "reader") == pytest.approx([0.2, 0.25, 0.3, 0.35, 0.4])
    assert JUDGE.probabilities(scores, "indexer") is None


def test_the_fingerprint_is_of_all_that_decides():
    others = (
        TrainedRanker(boosted_trees(ROWS, ANSWERS, trees=5), JUDGE.columns, MAPS, JUDGE.card),
        TrainedRanker(JUDGE.trees, ("a", "b", "c"), MAPS, JUDGE.card),
        TrainedRanker(JUDGE.trees, JUDGE.columns, {"author": MAPS["author"]}, JUDGE.card),
    )
    assert len({JUDGE.fingerprint, *(one.fingerprint for one in others)}) == 4
    assert TrainedRanker(JUDGE.trees, JUDGE.columns, MAPS).fingerprint == JUDGE.fingerprint


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(MissingData, match=r"no trained ranking at .*nothing"):
        TrainedRanker.load(tmp_path / "nothing")


def unpacked(path) -> dict:
    return json.loads(zstd.decompress(path.read_bytes()))


def packed(tmp_path, whole) -> TrainedRanker:
    path = tmp_path / "odd.json.zst"
    path.write_bytes(zstd.compress(json.dumps(whole).encode()))
    return path


def test_a_file_that_is_not_what_its_card_says(saved, tmp_path):
    whole = unpacked(saved)
    changed = whole["judge"].replace("0.9]", "0.8]")
    assert changed != whole["judge"]
    for odd in (whole | {"judge": changed}, whole | {"card": {"sha256": "0"}}, whole | {"card": {}}):
        with pytest.raises(BrokenFile, match=r"^odd\.json\.zst does not match its card; copy"):
            TrainedRanker.load(packed(tmp_path, odd))


PARTS = {"trees": "tree", "columns": ["a"], "probability": {}}


@pytest.mark.parametrize(
    "parts",
    [
        [],
        5,
        PARTS | {"probability": 5},
        PARTS | {"probability": [1]},
        PARTS | {"probability": {"author": [[1]]}},
        PARTS | {"probability": {"author": 1}},
        PARTS | {"columns": 5},
        {"trees": "tree", "columns": ["a"]},
    ],
    ids=str,
)
def test_contents_of_another_kind(parts, tmp_path):
    text = json.dumps(parts)
    whole = {"card": {"sha256": hashlib.sha256(text.encode()).hexdigest()}, "judge": text}
    with pytest.raises(BrokenFile, match=r"odd\.json\.zst cannot be read"):
        TrainedRanker.load(packed(tmp_path, whole))


@pytest.mark.parametrize(
    "whole", [[], 5, "text", {}, {"card": 5, "judge": ""}, {"card": [1], "judge": ""}, {"card": {}}], ids=str
)
def test_no_card_or_nothing_to_judge_by(whole, tmp_path):
    with pytest.raises(BrokenFile, match=r"odd\.json\.zst cannot be read"):
        TrainedRanker.load(packed(tmp_path, whole))


@pytest.mark.parametrize("content", [b"", b"text", b"\x28\xb5\x2f\xfd", zstd.compress(b"text")])
def test_files_of_another_kind(content, tmp_path):
    path = tmp_path / "odd"
    path.write_bytes(content)
    with pytest.raises(BrokenFile, match="odd cannot be read"):
        TrainedRanker.load(path)


@pytest.mark.parametrize("told", [True, False])
def test_a_file_that_unpacks_to_very_much(told, tmp_path, monkeypatch):
    """Whether the file tells its size or not."""
    monkeypatch.setattr(judge_module, "_LARGEST", 1_000_000)
    path = tmp_path / "bomb"
    path.write_bytes(
        zstd.compress(b" " * 2_000_000 + b"{}", options={zstd.CompressionParameter.content_size_flag: told})
    )
    assert path.stat().st_size < 1000
    with pytest.raises(BrokenFile, match=r"bomb cannot be read: .*1000000 bytes"):
        TrainedRanker.load(path)


@settings(max_examples=60)
@given(st.data())
def test_any_damage_is_an_error(saved, tmp_path_factory, data):
    content = bytearray(saved.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[at:]
    else:
        content[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(content)
    try:
        loaded = TrainedRanker.load(path)
    except BrokenFile:
        return
    assert loaded.fingerprint == JUDGE.fingerprint  # bits that mean nothing, or stand in the card
