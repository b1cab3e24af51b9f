"""Runs compared on the command line: five labelled abstracts, two systems."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw

LABELLED = ROOT / "examples" / "abstracts.jsonl"
PROTOCOL = ("--protocol", "keywright-1")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs, and one of them twice under one name."""
    folder = tmp_path_factory.mktemp("runs")
    for system in ("kpminer", "tfidf"):
        kw.run(system, LABELLED, output=folder / f"{system}.jsonl")
    (folder / "again").mkdir()
    (folder / "again" / "tfidf.jsonl").write_bytes((folder / "tfidf.jsonl").read_bytes())
    return folder


def compared(runs, *options: str):
    return keywright("compare", "kpminer.jsonl", "tfidf.jsonl", *PROTOCOL, *options, cwd=runs)


def test_json_is_what_python_gives(runs):
    done = compared(runs, "--json", "--resamples", "500")
    assert done.returncode == 0
    value = json.loads(done.stdout)
    assert list(value["runs"]) == ["kpminer", "tfidf"]
    assert (value["sig"], value["intervals_by"], value["stratified"]) == ("ar500:12345", "pb500:12345", False)
    assert value["documents"] == {"author": 5}
    files = [runs / "kpminer.jsonl", runs / "tfidf.jsonl"]
    comparison = kw.compare(files, "keywright-1", resamples=500)
    assert [one["p_holm"] for one in value["differences"]] == [one.p_holm for one in comparison.differences]
    assert [one["interval"] for one in value["differences"]] == [[one.low, one.high] for one in comparison.differences]
    assert value["runs"]["tfidf"]["values"] == dict(kw.score(files[1], "keywright-1", intervals=False).values)


def test_tables(runs):
    text = compared(runs, "--resamples", "200").stdout.decode()
    assert "kpminer: kpminer#" in text
    assert "difference" in text
    assert "ar200:12345" in text
    assert "with 5 documents, author/F@15 differences under" in text


def test_formats(runs):
    rows = list(csv.DictReader(io.StringIO(compared(runs, "--format", "csv", "--resamples", "50").stdout.decode())))
    assert len(rows) == 45
    assert rows[0]["value"] == "author/P@5"
    assert "\\toprule" in compared(runs, "--format", "latex", "--resamples", "50").stdout.decode()
    assert "| --- |" in compared(runs, "--format", "markdown", "--resamples", "50").stdout.decode()
    assert keywright("compare", "kpminer.jsonl", "tfidf.jsonl", *PROTOCOL, "-o", "OUT", cwd=runs).stdout == b""
    assert (runs / "OUT").read_text("utf-8").startswith("protocol")


def test_documents(runs):
    value = json.loads(compared(runs, "--json", "--per-document", "--resamples", "50").stdout)
    assert len(value["per_document"]) == 5 * 15
    first = value["per_document"][0]
    assert (first["gold"], first["measure"], list(first["scores"])) == ("author", "P@5", ["kpminer", "tfidf"])
    assert b"document" in compared(runs, "--per-document", "--resamples", "50").stdout


def test_student_is_for_means(runs):
    value = json.loads(compared(runs, "--json", "--test", "t", "--resamples", "50").stdout)
    p = {one["value"]: one["p"] for one in value["differences"]}
    assert p["author/F@15"] is None
    assert 0 <= p["author/mean-F@15"] <= 1
    shown = compared(runs, "--test", "t", "--resamples", "50").stdout.decode()
    assert "author/mean-F@15" in shown


def test_files_of_one_name_go_by_their_paths(runs):
    done = keywright("compare", "again/tfidf.jsonl", "tfidf.jsonl", *PROTOCOL, "--json", "--resamples", "50", cwd=runs)
    value = json.loads(done.stdout)
    assert list(value["runs"]) == ["again/tfidf.jsonl", "tfidf.jsonl"]
    assert {one["p"] for one in value["differences"]} == {1.0}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["tfidf.jsonl", *PROTOCOL], 2, "1 runs to compare"),
        (["tfidf.jsonl", "tfidf.jsonl", *PROTOCOL], 2, "2 runs are called 'tfidf.jsonl'"),
        (["tfidf.jsonl", "none.jsonl", *PROTOCOL], 3, "no file none.jsonl"),
        (["tfidf.jsonl", "kpminer.jsonl", "--protocol", "keywrihgt-1"], 2, "did you mean 'keywright-1'"),
        (["tfidf.jsonl", "kpminer.jsonl", *PROTOCOL, "--resamples", "0"], 2, "0 resamples"),
        (["tfidf.jsonl", "kpminer.jsonl", *PROTOCOL, "--seed", "-1"], 2, "seed -1"),
        (["tfidf.jsonl", "kpminer.jsonl", *PROTOCOL, "--per-document", "--format", "csv"], 2, "--per-document"),
    ],
)
def test_what_cannot_be_compared(runs, arguments, code, said):
    done = keywright("compare", *arguments, cwd=runs)
    assert done.returncode == code
    assert said in done.stderr.decode()
    assert done.stdout == b""


def test_scores_have_intervals_unless_not_wanted(runs):
    value = json.loads(keywright("score", "tfidf.jsonl", *PROTOCOL, "--json", cwd=runs).stdout)
    assert value["sig"] == "pb10000:12345"
    assert list(value["intervals"]) == list(value["detectable"]) == list(value["values"])
    assert all(len(ends) == 2 and ends[0] <= ends[1] for ends in value["intervals"].values())
    text = keywright("score", "tfidf.jsonl", *PROTOCOL, cwd=runs).stdout.decode()
    assert "with 5 documents, author/F@15 differences under" in text
    bare = json.loads(keywright("score", "tfidf.jsonl", *PROTOCOL, "--json", "--no-intervals", cwd=runs).stdout)
    assert (bare["sig"], bare["intervals"]) == ("none", {})
    assert bare["values"] == value["values"]


def test_an_encoder_replaces_that_of_semantic_measures(runs):
    """With the shipped encoder named, the table is that of the semantic protocol; other protocols have no encoder."""
    names, few = ("kpminer.jsonl", "tfidf.jsonl"), ("--resamples", "20", "--json")
    usual = keywright("compare", *names, "--protocol", "keywright-1-semantic", *few, cwd=runs)
    named = keywright("compare", *names, "--encoder", "minilm", *few, cwd=runs)
    assert (named.returncode, json.loads(named.stdout)["runs"]) == (0, json.loads(usual.stdout)["runs"])
    done = keywright("compare", *names, "--protocol", "kpg", "--encoder", "minilm", cwd=runs)
    assert (done.returncode, b"compare meanings" in done.stderr) == (2, True)
