"""Associations of words with keyphrases: scores by hand, the file on disk, and files that are broken."""

import itertools
import math

import numpy as np
import pytest

from keywright.core.errors import BrokenFile, MissingData
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.ranking.absent_phrases import WordAssociations, shipped_absent
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


def key(phrase: str) -> int:
    return phrase_key(phrase, stemmer("en"))


@pytest.fixture
def table() -> WordAssociations:
    """*query* points to both keyphrases, *index* to the second."""
    words = sorted([key("query"), key("index")])
    of_query = words.index(key("query"))
    pairs = {of_query: ([0, 1], [0.5, 0.25]), 1 - of_query: ([1], [0.75])}
    labels = ("information retrieval", "databases")
    parts = [[key(word) for word in label.split()] for label in labels]
    return WordAssociations(
        words=np.array(words, np.uint64),
        rarity=np.array([2.0, 1.0] if of_query == 0 else [1.0, 2.0]),
        bounds=np.array([0, len(pairs[0][0]), 3]),
        label=np.array(pairs[0][0] + pairs[1][0]),
        weight=np.array(pairs[0][1] + pairs[1][1]),
        labels=labels,
        keys=np.array([key(label) for label in labels], np.uint64),
        uses=np.array([40, 7]),
        parts=np.array([*itertools.chain.from_iterable(parts)], np.uint64),
        part_bounds=np.array([0, 2, 3]),
        card={"name": "by hand", "licence": "CC0-1.0"},
    )


def weights(table: WordAssociations, **mentions: int) -> dict[str, float]:
    """Weight of each word by name."""
    keys = np.array(sorted(map(key, mentions)), np.uint64)
    numbers = {key(word): number for word, number in mentions.items()}
    row, weight = table.weights_of(keys, np.array([numbers[each] for each in keys.tolist()]))
    names = {key(word): word for word in mentions}
    return {names[int(table.words[at])]: value for at, value in zip(row.tolist(), weight.tolist(), strict=True)}


def test_weights_by_hand(table):
    """*query* once: (1 + log 1) * 2; *index* twice: (1 + log 2) * 1; *tide* is not known. Squares sum to one."""
    length = math.hypot(2, 1 + math.log(2))
    expected = {"query": 2 / length, "index": (1 + math.log(2)) / length}
    assert weights(table, query=1, index=2, tide=9) == pytest.approx(expected)
    assert weights(table, tide=9) == {}


def test_scores_by_hand(table):
    row, weight = np.array([0, 1]), np.array([0.6, 0.8])
    by_word = {int(table.words[0]): 0.6, int(table.words[1]): 0.8}
    query, index = by_word[key("query")], by_word[key("index")]
    assert table.scores(row, weight).tolist() == pytest.approx([0.5 * query, 0.25 * query + 0.75 * index])
    parts = dict(zip(table.words.tolist(), table.parts_of_scores(row, weight, 1).tolist(), strict=True))
    assert parts == pytest.approx({key("query"): 0.25 * query, key("index"): 0.75 * index})


def test_no_word_points_to_nothing(table):
    nothing = np.zeros(0, np.int64)
    assert table.scores(nothing, np.zeros(0)).tolist() == [0, 0]
    assert table.parts_of_scores(nothing, np.zeros(0), 0).tolist() == []


def test_a_saved_table_comes_back_with_weights_of_eight_bits(table, tmp_path):
    table.save(tmp_path / "table.npz")
    loaded = WordAssociations.load(tmp_path / "table.npz")
    assert loaded.labels == table.labels
    assert loaded.card["name"] == "by hand"
    for name in ("words", "rarity", "bounds", "label", "keys", "uses", "parts", "part_bounds"):
        assert getattr(loaded, name).tolist() == getattr(table, name).tolist()
    assert loaded.weight == pytest.approx(table.weight, abs=0.75 / 255)


def test_a_file_that_is_cut_off_is_refused(table, tmp_path):
    path = tmp_path / "table.npz"
    table.save(path)
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(BrokenFile, match=r"table\.npz cannot be read"):
        WordAssociations.load(path)


def test_a_changed_column_is_refused(table, tmp_path):
    path = tmp_path / "table.npz"
    table.save(path)
    with np.load(path) as packed:
        columns = dict(packed)
    np.savez_compressed(path, **(columns | {"uses": columns["uses"] + 1}))
    with pytest.raises(BrokenFile, match="does not match its card"):
        WordAssociations.load(path)


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "table.npz").write_text("no table")
    with pytest.raises(BrokenFile):
        WordAssociations.load(tmp_path / "table.npz")
    with pytest.raises(MissingData):
        WordAssociations.load(tmp_path / "none.npz")


def test_only_keyphrases_of_lists_that_may_be_counted_are_shipped():
    """Those of the shipped lexicon, whose lists have licences that allow it."""
    shipped = shipped_absent().associations
    assert (lexicon("author-keyphrases").of(shipped.keys) > 0).all()
    assert shipped.keys.tolist() == list(map(key, shipped.labels))
    assert (shipped.uses >= 4).all()


def test_which_phrases_of_a_text_are_keyphrases(table):
    assert table.among(np.array([key("databases"), 3, key("tides")], np.uint64)).tolist() == [False, True]
    assert table.among(np.zeros(0, np.uint64)).tolist() == [False, False]
