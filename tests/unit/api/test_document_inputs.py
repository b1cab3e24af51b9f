"""What people pass to extract: each form is read as meant, or refused with what to write."""

import math
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, KeywrightError, MissingData, UnreadableInput

TIDES = "Tide gauges measure sea level. Tide gauges drift."
GRIDS = "A grid scheduler assigns jobs. The grid scheduler is fair."


def ids(outcomes):
    return [outcome.document_id for outcome in outcomes]


def codes(outcomes):
    return [getattr(outcome, "code", "done") for outcome in outcomes]


def extract(documents, errors="keep"):
    return kw.extract(documents, "kpminer", top=2, language="en", errors=errors)


def test_a_file_is_a_path_a_name_of_one_is_not_a_text():
    assert extract(ROOT / "examples" / "article.txt").texts == ("soil moisture", "growing seasons")
    with pytest.raises(UnreadableInput, match="is the name of a file"):
        extract(str(ROOT / "examples" / "article.pdf"))
    with pytest.raises(UnreadableInput, match="looks like the name of a file"):
        extract("paper.pdf")
    with pytest.raises(MissingData):
        extract(Path("paper.pdf"))
    assert extract(kw.document("paper.pdf")).document_id == "text"


def test_a_dict_is_one_record():
    by_text = extract({"id": "a", "text": TIDES, "doi": "10.1/2"})
    assert by_text.document_id == "a"
    assert by_text.texts == extract(TIDES).texts
    by_abstract = extract({"title": "Tides", "abstract": TIDES})
    assert by_abstract.coverage.read == len(f"Tides\n\n{TIDES}")
    assert extract({"title": math.nan, "text": TIDES}).texts == extract(TIDES).texts
    with pytest.raises(BadRecord, match="a dict with 'a', 'b' is not a record") as raised:
        extract({"a": TIDES, "b": GRIDS})
    assert "[{'id': id, 'text': text}, ...]" in raised.value.hint


def test_records_of_a_list_keep_their_ids():
    records = [{"id": np.int64(7), "text": TIDES}, {"text": GRIDS}, {"id": "c", "text": ""}, {"id": "d", "text": 3}]
    outcomes = extract(records)
    assert ids(outcomes) == ["7", "text-2", "c", "d"]
    assert codes(outcomes) == ["done", "done", "bad_record", "bad_record"]


@pytest.mark.parametrize("kind", [list, tuple, np.array, deque, lambda texts: dict(enumerate(texts)).values()])
def test_collections_give_lists_in_their_order(kind):
    outcomes = extract(kind([TIDES, GRIDS]))
    assert isinstance(outcomes, list)
    assert ids(outcomes) == ["text-1", "text-2"]
    assert [outcome.texts for outcome in outcomes] == [extract(TIDES).texts, extract(GRIDS).texts]


def test_iterators_stream():
    texts = iter([TIDES, "", GRIDS])
    stream = extract(texts)
    assert ids([next(stream)]) == ["text-1"]
    assert next(texts) == ""  # no more than one was taken
    assert ids(stream) == ["text-2"]


def test_a_series_of_pandas_keeps_its_index():
    pandas = pytest.importorskip("pandas")
    texts = pandas.Series([TIDES, None, GRIDS], index=["b", "a", "b"])
    outcomes = extract(texts)
    assert ids(outcomes) == ["b", "a", "b#2"]
    assert codes(outcomes) == ["done", "empty_input", "done"]
    assert outcomes[2].warnings[-1] == "an earlier document has the id 'b': this one is called 'b#2'"
    assert ids(extract(texts.iloc[::-1])) == ["b", "a", "b#2"]
    assert ids(extract(pandas.Series([TIDES, GRIDS]))) == ["0", "1"]


def test_a_series_of_polars_keeps_its_order():
    polars = pytest.importorskip("polars")
    outcomes = extract(polars.Series("abstract", [TIDES, None, GRIDS]))
    assert ids(outcomes) == ["text-1", "text-2", "text-3"]
    assert codes(outcomes) == ["done", "empty_input", "done"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_is_refused_with_its_column(library):
    frame = pytest.importorskip(library).DataFrame({"doi": ["10.1/2"], "abstract": [TIDES]})
    with pytest.raises(BadParameter, match="a table with the columns doi, abstract") as raised:
        extract(frame)
    assert "kw.extract(table['abstract'])" in raised.value.hint


def test_data_sets_and_files_that_were_read_are_collections():
    labelled = kw.dataset(ROOT / "examples" / "abstracts.jsonl")
    assert ids(extract(labelled)) == [each.id for each in labelled]
    outcomes = extract(kw.read_all([ROOT / "examples" / "note.txt", "nothing.txt"]))
    assert codes(outcomes) == ["done", "unreadable_input"]


def test_a_bad_entry_costs_that_entry_only(tmp_path):
    (tmp_path / "damaged.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    entries = [TIDES, "", None, math.nan, 3, "a.pdf", tmp_path / "no.txt", tmp_path / "damaged.pdf", [GRIDS], GRIDS]
    outcomes = extract(entries)
    assert codes(outcomes) == [
        *("done", "empty_input", "empty_input", "empty_input", "bad_parameter", "unreadable_input"),
        *("missing_data", "broken_file", "bad_parameter", "done"),
    ]
    assert outcomes[1].message == "text-2 holds no words"
    assert outcomes[6].document_id == str(tmp_path / "no.txt")
    assert outcomes[-1].texts == extract(GRIDS).texts
    with pytest.raises(EmptyInput, match="text-2 holds no words"):
        extract(entries, errors="raise")
    with pytest.raises(BadParameter, match="errors = 'ignore'"):
        extract(entries, errors="ignore")


def test_documents_that_share_an_id_get_numbers():
    outcomes = extract([kw.document(TIDES), kw.document(GRIDS), kw.document(GRIDS, "text#2"), kw.document(TIDES)])
    assert ids(outcomes) == ["text", "text#2", "text#2#2", "text#3"]


@pytest.mark.parametrize("value", ["", None, math.nan, {"text": ""}, Path("nothing.txt"), 3, b"Tides"])
def test_a_single_document_raises(value):
    with pytest.raises(KeywrightError):
        extract(value)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ({TIDES, GRIDS}, "sorted(texts)"),
        (np.array([[TIDES, GRIDS]]), "array[:, 0]"),
        (b"Tides", "data.decode('utf-8')"),
        (3, "expected a text"),
    ],
)
def test_what_is_not_a_collection_of_documents_is_refused(value, hint):
    with pytest.raises(BadParameter) as raised:
        extract(value)
    assert hint in raised.value.hint


def test_an_open_file_is_not_a_list_of_its_lines():
    with (ROOT / "README.md").open() as file, pytest.raises(BadParameter, match="open file"):
        extract(file)


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ({"n": 3}, "top=N"),
        ({"top_n": 3}, "top=N"),
        ({"limit": 3}, "top=N"),
        ({"keyphrase_ngram_range": (1, 3)}, "min_words=N"),
        ({"stop_words": "english"}, "stop_phrases"),
        ({"lan": "en"}, "language=CODE"),
        ({"n_jobs": 2}, "kw.extract_files"),
        ({"divers": 0.3}, "did you mean 'diversity'?"),
        ({"zzz": 0.3}, "there are style, expect"),
    ],
)
def test_options_of_other_tools_are_named(option, hint):
    with pytest.raises(BadParameter, match=f"no option '{next(iter(option))}'") as raised:
        kw.extract(TIDES, **option)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [((5,), "top=N"), ((GRIDS,), "kw.extract([first, second])"), (("kpminer", "5"), "expected a whole number from 1"),
     (("kpminer", 2.5), "expected a whole number from 1"), (("kpminer", True), "expected a whole number from 1")],
)  # fmt: skip
def test_arguments_in_the_wrong_place_are_named(arguments, hint):
    with pytest.raises(BadParameter) as raised:
        kw.extract(TIDES, *arguments)
    assert hint in raised.value.hint
