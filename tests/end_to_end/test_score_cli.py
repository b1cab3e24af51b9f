"""keywright score on the command line: runs of other tools, formats of reports, differences explained."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright, said, value
from tests.house.tree import ROOT

LABELLED = ROOT / "examples" / "abstracts.jsonl"
IDS = ("leaks", "sourdough", "ferries", "lichens", "archives")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "RUN"
    assert keywright("run", "tfidf", LABELLED, "-o", path).returncode == 0
    return path


def test_a_table_of_phrases_is_scored_like_any_run(tmp_path):
    lines = ["id,rank,keyphrase", *(f"{name},1,acoustic leak detection" for name in IDS)]
    (tmp_path / "mine.csv").write_text("\n".join(lines))
    done = keywright("score", "mine.csv", "--gold", LABELLED, "-p", "keywright-1", "--json", cwd=tmp_path)
    report = value(done)
    assert report["run"].startswith("csv|sha256:")
    assert report["values"]["author/P@5"] == pytest.approx(1 / 25)  # right for one of five documents


def test_lines_without_ids_are_matched_and_that_is_said(tmp_path):
    (tmp_path / "preds.txt").write_text("noise profile;hydrophones\n\n\n\nyeasts;x\n")
    done = keywright("score", "preds.txt", "--gold", LABELLED, "-p", "keywright-1", "--json", cwd=tmp_path)
    assert value(done)["values"]["author/P@5"] == pytest.approx(2 / 25)
    assert "5 lines of preds.txt have no ids: they were taken for the documents of gold" in said(done)
    assert "3 lines are empty: no predictions" in said(done)
    (tmp_path / "preds.txt").write_text("noise profile;hydrophones\n")
    done = keywright("score", "preds.txt", "--gold", LABELLED, "-p", "keywright-1", cwd=tmp_path)
    assert done.returncode == 3
    assert "1 lines without ids" in said(done)


def test_kpeval_brings_its_own_gold(tmp_path):
    record = {"source": "leaks <eos> noise in pipes .", "target": "leaks;noise", "prediction": "leaks;pipe"}
    (tmp_path / "k.jsonl").write_text(f"{json.dumps(record)}\n")
    report = value(keywright("score", "k.jsonl", "-p", "keywright-1", "--json", cwd=tmp_path))
    assert report["values"]["gold/R@5"] == 0.5


def test_a_run_of_another_collection_ends_with_three_and_names_both(tmp_path):
    (tmp_path / "other.csv").write_text("id,keyphrase\nC-1,grids\nC-2,grids\n")
    done = keywright("score", "other.csv", "--gold", LABELLED, "-p", "semeval2010", cwd=tmp_path)
    assert done.returncode == 3
    assert "other.csv (2 documents) and gold" in said(done)
    assert "no document in common, such as 'C-1' against 'leaks'" in said(done)


@pytest.mark.parametrize(
    ("content", "status", "hint"),
    [
        ("id,keyphrase,score\nleaks,a,nan\n", 3, "is not a finite number"),
        ("", 3, "is empty"),
        ("one\ntwo\n", 3, "--run-format"),
        ('"\r\0\x01PNG\x7f', 3, "is not in a recognised run format"),
        ("x" * 200_000, 3, "is not in a recognised run format"),
    ],
)
def test_a_broken_run_ends_with_three(tmp_path, content, status, hint):
    (tmp_path / "bad").write_text(content)
    done = keywright("score", "bad", "--gold", LABELLED, "-p", "keywright-1", cwd=tmp_path)
    assert done.returncode == status
    assert hint in said(done)


def test_a_run_format_can_be_named_and_must_exist(tmp_path):
    (tmp_path / "lines").write_text("noise profile\n\n\n\n\n")
    options = ("score", "lines", "--gold", LABELLED, "-p", "keywright-1", "--json", "--run-format")
    assert value(keywright(*options, "kpg", cwd=tmp_path))["scored"] == 5
    done = keywright(*options, "kgp", cwd=tmp_path)
    assert done.returncode == 2
    assert "did you mean 'kpg'" in said(done)


def test_missing_unknown_and_repeated_documents_are_counted(tmp_path):
    (tmp_path / "a.trec").write_text("leaks Q0 noise profile 1 1 t\nunknown Q0 x 1 1 t\n")
    done = keywright("score", "a.trec", "--gold", LABELLED, "-p", "keywright-1", cwd=tmp_path)
    assert done.returncode == 3
    assert "4 documents have no answer" in said(done)
    counted = value(keywright("score", "a.trec", "--gold", LABELLED, "-p", "kpg-strict", "--json", cwd=tmp_path))
    assert counted["skipped"]["no answer"] == 4
    assert counted["skipped"]["not in the gold"] == 1


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "html"])
def test_reports_come_in_every_format(run, tmp_path, form):
    done = keywright("score", run, "-p", "keywright-1", "--format", form, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (0, b"")
    text = (tmp_path / "out").read_text()
    start = {"csv": "protocol,run,gold", "markdown": "| gold |", "latex": "% protocol", "html": "<!DOCTYPE html>"}
    assert text.startswith(start[form])
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        table = value(keywright("score", run, "-p", "keywright-1", "--json"))
        assert [float(row["value"]) for row in rows] == list(table["values"].values())


def test_json_as_a_format_is_json(run):
    options = ("score", run, "-p", "keywright-1")
    assert value(keywright(*options, "--format", "json")) == value(keywright(*options, "--json"))


def test_a_difference_is_explained(run):
    found = value(keywright("score", run, "--explain-difference", "keywright-1", "keywright-1", "--json"))
    assert found["steps"] == []
    done = keywright("score", run, "--explain-difference", "keywright-1", "keywright-1")
    assert "One rule after the other" in done.stdout.decode()


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (
            ("-p", "keywright-1", "--explain-difference", "keywright-1", "semeval2010"),
            "--protocol together with --explain-difference",
        ),
        (
            ("--encoder", "minilm", "--explain-difference", "keywright-1", "semeval2010"),
            "--encoder together with --explain-difference",
        ),
        (("--explain-difference", "keywright-1", "semeval2010", "--format", "html"), "use it with table or json"),
        (("-p", "keywright-1", "--per-document", "--format", "latex"), "use it with table or json"),
        (("--explain-difference", "keywright-1", "semeval"), "did you mean 'semeval2010'"),
    ],
)
def test_options_that_do_not_go_together_end_with_two(run, options, hint):
    done = keywright("score", run, *options)
    assert done.returncode == 2
    assert hint in said(done)


def test_a_run_over_other_texts_with_the_same_ids_is_told(run, tmp_path):
    changed = tmp_path / "changed.jsonl"
    changed.write_text(LABELLED.read_text().replace("plastic pipe", "steel pipe"))
    assert "other texts" not in said(keywright("score", run, "--gold", LABELLED, "-p", "keywright-1"))
    done = keywright("score", run, "--gold", changed, "-p", "keywright-1")
    assert done.returncode == 0
    assert "the run was made from other texts than the gold's: fingerprints" in said(done)


def test_what_is_read_is_not_written_over(run, tmp_path):
    given, paper = tmp_path / "RUN", tmp_path / "paper.txt"
    given.write_bytes(run.read_bytes())
    paper.write_text("Tide gauges measure sea level. Tide gauges drift.")
    options = ("--gold", LABELLED, "-p", "keywright-1", "-o", given)
    for arguments in (("score", given, *options), ("compare", given, run, *options), ("extract", paper, "-o", paper)):
        done = keywright(*arguments)
        assert done.returncode == 2
        assert "is read, and would be lost" in said(done)
    assert given.read_bytes() == run.read_bytes()
    assert paper.read_text().startswith("Tide gauges")


def test_stems_that_are_stemmed_again_are_told(tmp_path):
    phrase = {"phrase": "grid", "tokens": ["grid"], "probs": [0.5], "rank": 1}
    line = {"doc_id": "d", "source": "a grid", "gold": ["grid"], "phrases": [phrase], "dataset": "semeval"}
    (tmp_path / "RUN").write_text(json.dumps(line))
    note = "the gold ships stemmed, and this protocol stems it again"
    assert note in said(keywright("score", tmp_path / "RUN", "-p", "kpg"))
    assert note not in said(keywright("score", tmp_path / "RUN", "-p", "kpg-stemmed-gold"))


def test_measures_are_chosen(run):
    report = value(keywright("score", run, "-p", "keywright-1", "--measures", "F@3,MAP", "--no-intervals", "--json"))
    assert report["values"].keys() == {"author/F@3", "author/macro-F@3", "author/mean-F@3", "author/MAP"}
    done = keywright("score", run, "-p", "keywright-1", "--measures", "F@3,MAP", "--no-intervals")
    assert b"MAP" in done.stdout
    done = keywright("score", run, "-p", "keywright-1", "--measures", "recall@5")
    assert done.returncode == 2
    assert "did you mean 'R@5'" in said(done)


def test_a_measure_is_not_a_protocol(run):
    done = keywright("score", run, "-p", "f1")
    assert done.returncode == 2
    assert "--protocol keywright-1 --measures F@5" in said(done)


def test_a_file_of_another_shape_is_mapped_and_that_is_said(tmp_path):
    lines = [json.dumps({"paper": name, "out": "noise profile | yeasts"}) for name in IDS]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    command = ("score", "mine.jsonl", "--gold", LABELLED, "-p", "keywright-1", "--json", "--no-intervals")
    done = keywright(*command, "--id-field", "paper", "--phrases-field", "out", cwd=tmp_path)
    assert value(done)["values"]["author/P@5"] == pytest.approx(2 / 25)
    assert "mine.jsonl was read as JSON Lines with phrases in 'out', phrases separated by '|'" in said(done)
    done = keywright(*command, cwd=tmp_path)
    assert done.returncode == 3
    assert "the fields 'paper', 'out', which no format has" in said(done)
    (tmp_path / "mine.txt").write_text("noise profile + yeasts\n" * 5)
    done = keywright("score", "mine.txt", *command[2:], "--separator", "+", cwd=tmp_path)
    assert value(done)["values"]["author/P@5"] == pytest.approx(2 / 25)
