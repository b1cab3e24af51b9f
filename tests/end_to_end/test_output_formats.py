"""Output by name: the ending of a file decides its format, and nothing is written over unasked."""

import csv
import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

TIDES = "Tide gauges measure sea level. Tide gauges drift.\n"
LABELLED = ROOT / "examples" / "abstracts.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A text, and runs of two systems."""
    place = tmp_path_factory.mktemp("outputs")
    (place / "tides.txt").write_text(TIDES)
    for system in ("firstphrases", "tfidf"):
        assert keywright("run", system, LABELLED, "-o", f"{system}.jsonl", "--top", "5", cwd=place).returncode == 0
    return place


EXTRACT = ("extract", "tides.txt", "--top", "2", "-s", "firstphrases", "--quiet")
SCORE = ("score", "tfidf.jsonl", "-p", "keywright-1", "--no-intervals", "--quiet")
COMPARE = ("compare", "firstphrases.jsonl", "tfidf.jsonl", "-p", "keywright-1", "--resamples", "20", "--quiet")


@pytest.mark.parametrize(
    ("verb", "ending", "start"),
    [
        (EXTRACT, "csv", "id,rank,keyphrase,"),
        (EXTRACT, "tsv", "id\trank\tkeyphrase\t"),
        (EXTRACT, "json", '[\n{"id": "tides.txt"'),
        (EXTRACT, "JSONL", '{"id": "tides.txt"'),
        (EXTRACT, "html", "<!DOCTYPE html>"),
        (EXTRACT, "md", "| rank | keyphrase |"),
        (EXTRACT, "tex", "\\begin{table}"),
        (EXTRACT, "txt", "tides.txt (en, "),
        (SCORE, "csv", "protocol,run,gold"),
        (SCORE, "tsv", "protocol\trun\tgold"),
        (SCORE, "md", "| gold |"),
        (COMPARE, "json", '{\n "protocol"'),
        (COMPARE, "tex", "% "),
    ],
)
def test_the_ending_decides(folder, tmp_path, verb, ending, start):
    output = tmp_path / f"out.{ending}"
    done = keywright(*verb, "-o", output, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert output.read_text().startswith(start)


def test_the_name_of_a_format_goes_before_the_ending(folder, tmp_path):
    assert keywright(*EXTRACT, "-f", "tsv", "-o", tmp_path / "out.csv", cwd=folder).returncode == 0
    assert (tmp_path / "out.csv").read_text().startswith("id\trank")


def test_tables_of_both_separators_hold_the_same(folder, tmp_path):
    rows = []
    for ending, separator in (("csv", ","), ("tsv", "\t")):
        keywright(*SCORE, "-o", tmp_path / f"out.{ending}", cwd=folder)
        rows.append(list(csv.reader((tmp_path / f"out.{ending}").read_text().splitlines(), delimiter=separator)))
    assert rows[0] == rows[1]
    assert len(rows[0]) > 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*EXTRACT, "-o", "out.xyz"), "endings of formats: .txt, .json, .jsonl, .csv, .tsv, .md, .tex, .html"),
        ((*SCORE, "-o", "out.jsonl"), "endings of formats: .txt, .json, .csv, .tsv, .md, .tex, .html"),
        ((*EXTRACT, "-f", "cvs"), "expected one of: table, json, jsonl, csv"),
        ((*EXTRACT, "-o", "tides.txt"), "tides.txt is read, and would be lost"),
        ((*EXTRACT, "-o", "nowhere/out.csv"), "lies in a folder that does not exist"),
        (("summaries", "report", "pairs.jsonl", "-o", "out.pdf"), "endings of formats: .html"),
    ],
)
def test_names_that_do_not_say_the_format_are_refused(folder, arguments, message):
    done = keywright(*arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr.decode()


@pytest.mark.parametrize("verb", [EXTRACT, SCORE])
def test_nothing_is_written_over_without_force(folder, tmp_path, verb):
    output = tmp_path / "out.json"
    output.write_text("dear")
    done = keywright(*verb, "-o", output, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.decode() == f"error: {output} exists\n  name another file, or replace it with --force\n"
    assert output.read_text() == "dear"
    assert keywright(*verb, "-o", output, "--force", cwd=folder).returncode == 0
    assert json.loads(output.read_text())


def test_an_empty_file_and_standard_output_hold_nothing(folder, tmp_path):
    (tmp_path / "out.csv").touch()
    assert keywright(*EXTRACT, "-o", tmp_path / "out.csv", cwd=folder).returncode == 0
    assert keywright(*EXTRACT, "-o", "-", "-f", "csv", cwd=folder).stdout.startswith(b"id,rank")
