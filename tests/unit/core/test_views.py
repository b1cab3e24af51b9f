"""Results as tables: the same columns in every library, one row for a failure, and a short table in notebooks."""

import math
from dataclasses import replace

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, EmptyInput
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import LONG, WIDE, Failure, Prediction, Predictions, Run, list_columns
from keywright.core.views import make_data_frame

PREDICTION = Prediction(
    "a", (Keyphrase("tide gauge", 2.5, 0.5, ((4, 14), (20, 30))), Keyphrase("<b>sea</b>", -1.0)), language="en"
)
FAILURE = Failure.from_error("b", EmptyInput("b holds no words", "write some"))
RESULTS = Predictions([PREDICTION, FAILURE, Prediction("c", ())])
COLUMNS = {
    "id": ["a", "a", "b", "c"],
    "rank": [1, 2, None, None],
    "keyphrase": ["tide gauge", "<b>sea</b>", None, None],
    "score": [2.5, -1.0, None, None],
    "probability": [0.5, None, None, None],
    "start": [4, None, None, None],
    "end": [14, None, None, None],
    "error": [None, None, "b holds no words", None],
}


def test_columns_are_those_of_the_interface():
    assert list(LONG) == "id rank keyphrase score probability start end error".split()
    assert list_columns(RESULTS) == COLUMNS
    wide = list_columns(RESULTS, wide=True)
    assert wide == {
        "id": ["a", "b", "c"],
        "keyphrases": [["tide gauge", "<b>sea</b>"], None, []],
        "error": [None, "b holds no words", None],
    }


def test_every_library_gives_the_same_table():
    assert RESULTS.to_frame("polars").to_dict(as_series=False) == COLUMNS
    assert RESULTS.to_frame("pyarrow").to_pydict() == COLUMNS
    frame = RESULTS.to_frame()
    assert isinstance(frame, pd.DataFrame)
    missing = frame.astype(object).where(frame.notna(), None)
    assert missing.to_dict("list") == COLUMNS
    assert frame["rank"].dtype == "Int64"


def test_tables_without_rows_have_the_types_of_others():
    assert Predictions().to_frame("polars").schema == RESULTS.to_frame("polars").schema
    assert (Predictions().to_frame().dtypes == RESULTS.to_frame().dtypes).all()
    assert Predictions().to_frame("pyarrow").schema.equals(RESULTS.to_frame("pyarrow").schema)
    assert list(Predictions().to_frame(wide=True).columns) == list(WIDE)


def test_one_prediction_and_a_run_are_tables():
    assert PREDICTION.to_frame("polars")["keyphrase"].to_list() == ["tide gauge", "<b>sea</b>"]
    run = Run("s|1", "d", "", (PREDICTION,), (FAILURE,))
    assert run.to_frame("pyarrow", wide=True).column("id").to_pylist() == ["a", "b"]


def test_names_of_files_that_are_not_unicode_do_not_break_tables():
    odd = replace(PREDICTION, document_id="caf\udce9.txt")
    for library, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)):
        assert isinstance(odd.to_frame(library), kind)
    assert odd.to_frame("polars")["id"][0].startswith("caf")


def test_another_library_is_refused():
    with pytest.raises(BadParameter, match="'excel'"):
        RESULTS.to_frame("excel")


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(kw.KeywrightError, match="polars") as caught:
        make_data_frame({"a": ["b"]}, {"a": str}, "polars")
    assert caught.value.hint == "pip install polars"
    for library in ("pandas", "pyarrow"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(kw.KeywrightError, match="none is installed"):
        make_data_frame({"a": ["b"]}, {"a": str})


def test_a_list_of_results_is_a_list_and_prints_short():
    results = kw.extract(["Tide gauges drift.", ""], system="firstphrases", top=1)
    assert isinstance(results, list)
    assert repr(results) == "<Predictions for 2 documents, 1 failed>"
    assert repr(results[:1]) == "<Predictions for 1 document>"
    assert [record["id"] for record in results.to_dict()] == ["text-1", "text-2"]
    assert results == list(results)


def test_notebooks_show_escaped_texts_and_say_what_they_leave_out():
    html = PREDICTION._repr_html_()
    assert "&lt;b&gt;sea" in html
    assert "<b>" not in html
    assert "0.50" in html
    shown = RESULTS._repr_html_()
    assert "error: b holds no words" in shown
    many = Predictions([PREDICTION] * 1023)
    assert "… and 1,003 more documents" in many._repr_html_()
    assert len(many._repr_html_()) < 20_000
    assert "Run of s over d: 1 documents, 1 failed" in Run("s|1", "d", "", (PREDICTION,), (FAILURE,))._repr_html_()


GOLD = {"a": ["grid computing"], "b": ["tide", "gauges"]}
FIRST = {"a": ["grid computing", "schedulers"], "b": ["tides"]}
SECOND = {"a": ["schedulers"], "b": ["tides"]}


def test_reports_are_tables():
    report = kw.score(FIRST, GOLD, "keywright-1", ["R@5", "P@1"], intervals=50)
    frame = report.to_frame("polars")
    assert frame.filter(pl.col("measure") == "R")["value"][0] == pytest.approx(2 / 3)
    assert {"value", "low", "high", "signature"} <= set(frame.columns)
    assert "gold/R@5" in report._repr_html_()
    assert "95 % interval" in report._repr_html_()
    plain = kw.score(FIRST, GOLD, "keywright-1", ["R@5"], intervals=False)
    assert math.isnan(plain.to_frame()["low"][0])
    assert "interval" not in plain._repr_html_()


def test_comparisons_are_tables():
    comparison = kw.compare({"first": FIRST, "second": SECOND}, "keywright-1", GOLD, resamples=20)
    frame = comparison.to_frame("polars")
    row = frame.row(by_predicate=(pl.col("value") == "gold/R@5"), named=True)
    assert (row["first"], row["second"]) == ("first", "second")
    assert row["difference"] == pytest.approx(1 / 3)  # two of three gold phrases against one
    assert len(frame) == len(comparison.differences)
    shown = comparison._repr_html_()
    assert "first minus second" in shown
    assert f"… and {len(frame) - 20} more differences" in shown


def test_analyses_are_tables():
    run = kw.run("kpminer", str(ROOT / "examples" / "abstracts.jsonl"))
    analysis = kw.analyse({"kpminer": run})["kpminer"]
    frame = analysis.to_frame()
    assert set(frame["class"]) == {"present", "all"}  # no absent phrase has a score
    assert frame.columns.tolist() == ["class", "phrases", "measure", "value", "low", "high", "noise_floor"]
    assert "AUROC" in analysis._repr_html_()
    assert "Brier" not in analysis._repr_html_()  # scores are not probabilities
