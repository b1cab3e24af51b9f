"""Results as plain values: equal to what the command line prints; short descriptions; pairs."""

import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction, Run

LABELLED = ROOT / "examples" / "abstracts.jsonl"
NOTE = ROOT / "examples" / "note.txt"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return {name: (kw.run(name, LABELLED, output=folder / f"{name}.jsonl"), folder) for name in ("kpminer", "tfidf")}


def printed(arguments):
    done = keywright(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_pairs_of_text_and_probability():
    prediction = Prediction("a", (Keyphrase("tide gauges", 2.0, 0.75), Keyphrase("sea", 1.0)))
    assert prediction.pairs() == [("tide gauges", 0.75), ("sea", None)]
    assert Prediction("a", ()).pairs() == []
    assert [text for text, _ in kw.extract(kw.read(NOTE)).pairs()] == list(kw.extract(kw.read(NOTE)).texts)


def test_a_prediction_as_extract_prints_it():
    (record,) = printed(["extract", NOTE, "--json"])
    prediction = kw.extract(kw.read(NOTE))
    assert record.pop("signature").startswith("default|")  # the first record of an output has it
    assert prediction.to_dict(record["system"]) == record
    assert prediction.to_dict() == {name: value for name, value in record.items() if name != "system"}
    failure = Failure("a", "empty_input", "no words", "write some")
    assert failure.to_dict() == {
        "id": "a",
        "error": {"code": "empty_input", "message": "no words", "hint": "write some"},
    }


def test_a_run_as_its_file_says_it(runs):
    run, folder = runs["kpminer"]
    header, *records = map(json.loads, (folder / "kpminer.jsonl").read_text("utf-8").splitlines())
    record = run.to_dict()
    assert {**header, "seconds": record["seconds"]} == {
        key: value for key, value in record.items() if key != "documents"
    }
    assert record["documents"] == [{key: value for key, value in each.items() if key != "system"} for each in records]


def test_scores_as_the_command_line_prints_them(runs):
    folder = runs["kpminer"][1]
    report = printed(["score", folder / "kpminer.jsonl", "-p", "keywright-1", "--json"])
    assert kw.score(folder / "kpminer.jsonl", "keywright-1").to_dict() == report


def test_comparisons_and_analyses_as_the_command_line_prints_them(runs):
    files = [runs[name][1] / f"{name}.jsonl" for name in runs]
    compared = printed(["compare", *files, "-p", "keywright-1", "--resamples", 100, "--json"])
    assert kw.compare(files, "keywright-1", resamples=100).to_dict() == compared
    analysed = printed(["analyse", files[0], "--json"])
    assert kw.analyse(files[:1])["kpminer"].to_dict() == analysed["runs"]["kpminer"]


def test_short_descriptions(runs):
    phrases = tuple(Keyphrase(text, 1.0, 0.5) for text in ("tides", "gauges", "sea", "moon"))
    assert (
        repr(Prediction("a", phrases))
        == "<Prediction for 'a': 4 keyphrases: 'tides' 0.50, 'gauges' 0.50, 'sea' 0.50, …>"
    )
    assert repr(Prediction("a", ())) == "<Prediction for 'a': 0 keyphrases>"
    assert repr(Run("kpminer|cutoff:400|v1", "inspec/test", "", (), (Failure("a", "", ""),))) == (
        "<Run of kpminer over inspec/test: 0 documents, 1 failed>"
    )
    assert repr(Run("", "", "", ())) == "<Run of an unknown system: 0 documents>"
    report = kw.score([["tides"]], [["tides"]], "keywright-1", ["P@1", "R@1", "F@1"], intervals=False)
    assert repr(report) == (
        "<Report of 1 documents under keywright-1: gold/P@1 1.0000, gold/R@1 1.0000, gold/F@1 1.0000, … 6 more>"
    )
    comparison = kw.compare({name: run for name, (run, _) in runs.items()}, "keywright-1", resamples=10)
    assert repr(comparison).startswith("<Comparison of 'kpminer', 'tfidf' under keywright-1: ")
    analysis = kw.analyse({"kpminer": runs["kpminer"][0]})["kpminer"]
    assert repr(analysis) == "<Analysis of kpminer: score of present, absent, all phrases>"
