"""The function for ``Dataset.map``: rows, batches, processes, caches, and texts that fail.

``datasets`` ships no tests for such functions; these run it on data sets in memory.
"""

import math

import pytest
from tests.integrations.hosts import TEXTS, host

import keywright as kw
from keywright.core.errors import BadParameter
from keywright.integrations.datasets import KeyphraseColumns

datasets = host("datasets")


@pytest.fixture(scope="module")
def columns():
    return KeyphraseColumns(top=2)


@pytest.fixture(autouse=True)
def _quiet(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    datasets.disable_progress_bars()


def table(texts):
    return datasets.Dataset.from_dict({"text": list(texts), "number": list(range(len(texts)))})


def comparable(rows):
    """Rows with NaN as None, so that equal ones are equal."""
    lists = [
        {name: value.tolist() if hasattr(value, "tolist") else value for name, value in row.items()} for row in rows
    ]
    name = "keyphrases_probabilities"
    return [row | {name: [None if math.isnan(each) else each for each in row[name]]} for row in lists]


def test_rows_get_the_keyphrases_of_the_verb(columns):
    mapped = table(TEXTS).map(columns)
    prediction = kw.extract(TEXTS[0], top=2)
    assert mapped[0]["text"] == TEXTS[0]
    assert mapped[0]["keyphrases"] == list(prediction.texts)
    assert mapped[0]["keyphrases_scores"] == [each.score for each in prediction.keyphrases]
    assert mapped[0]["keyphrases_error"] == ""
    assert (mapped[1]["keyphrases"], mapped[1]["keyphrases_scores"]) == ([], [])
    assert "no words" in mapped[1]["keyphrases_error"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of Python 3.12, which processes of datasets cause
def test_batches_and_processes_give_the_same_rows(columns):
    rows = comparable(table(TEXTS).map(columns))
    assert comparable(table(TEXTS).map(columns, batched=True, batch_size=2)) == rows
    assert comparable(table(TEXTS).map(columns, batched=True, num_proc=2)) == rows
    assert comparable(table(TEXTS).to_iterable_dataset().map(columns)) == rows


def test_texts_that_fail_first_do_not_decide_the_types(columns):
    """Written one by one, the first rows have neither a keyphrase nor a probability."""
    mapped = table(["", None, TEXTS[0]]).map(columns, writer_batch_size=1)
    assert mapped.features["keyphrases"] == datasets.List(datasets.Value("string"))
    assert mapped.features["keyphrases_probabilities"] == datasets.List(datasets.Value("float64"))
    assert mapped[2]["keyphrases"] == list(kw.extract(TEXTS[0], top=2).texts)


def test_the_same_settings_are_found_in_the_cache():
    """``datasets`` names a result after a hash of the pickled function."""
    hashes = [datasets.fingerprint.Hasher.hash(KeyphraseColumns(top=top)) for top in (2, 2, 3)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_one_row_of_tokens_is_not_a_batch(columns):
    mapped = datasets.Dataset.from_dict({"text": [["rain", "gardens"]]}).map(columns)
    assert mapped[0]["keyphrases"] == []
    assert "is not a document" in mapped[0]["keyphrases_error"]


def test_columns_are_not_overwritten(columns):
    with pytest.raises(BadParameter, match="the column 'keyphrases' exists already"):
        columns({"text": "a", "keyphrases": ["gold"]})
    named = KeyphraseColumns(into="extracted", top=1)({"text": TEXTS[0], "keyphrases": ["gold"]})
    assert set(named) == {f"extracted{end}" for end in ("", "_scores", "_probabilities", "_error")}


def test_a_missing_column_is_named_with_those_that_are_there(columns):
    with pytest.raises(BadParameter, match="there is no column 'text'; the columns are abstract, id"):
        columns({"abstract": "a", "id": 1})
