"""Tables of analyses, systems and protocols as files, and files that are not replaced by accident."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

LABELLED = ROOT / "examples" / "abstracts.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs")
    for name in ("kpminer", "tfidf"):
        assert keywright("run", name, LABELLED, "-o", f"{name}.jsonl", "--quiet", cwd=place).returncode == 0
    return place


def rows(text: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode()), delimiter=delimiter))


def test_an_analysis_has_a_row_for_each_measure(folder):
    analyse = ("analyse", "tfidf.jsonl", "--gold", LABELLED, "--quiet")
    assert keywright(*analyse, "-o", "analysis.csv", cwd=folder).returncode == 0
    table = rows((folder / "analysis.csv").read_bytes())
    assert table[0] == ["run", "class", "phrases", "measure", "value", "low", "high", "noise_floor"]
    values = json.loads(keywright(*analyse, "--json", cwd=folder).stdout)["runs"]["tfidf"]
    aurocs = [row[4] for row in table if row[3] == "auroc"]
    assert aurocs
    assert all(value in json.dumps(values) for value in aurocs)
    assert rows(keywright(*analyse, "-f", "tsv", cwd=folder).stdout, "\t") == table
    assert "| --- |" in keywright(*analyse, "-f", "md", cwd=folder).stdout.decode()
    again = keywright(*analyse, "-o", "analysis.csv", cwd=folder)
    assert again.returncode == 2
    assert b"replace it with --force" in again.stderr


def test_systems_and_protocols_are_tables():
    systems = rows(keywright("systems", "-f", "csv").stdout)
    assert systems[0] == ["system", "idea", "needs", "can be trained"]
    assert "kpminer" in {row[0] for row in systems}
    protocols = rows(keywright("protocols", "-f", "tsv").stdout, "\t")
    assert protocols[0] == ["protocol", "golds", "measures", "unit"]
    assert "<td>beta" not in keywright("protocols", "-f", "html").stdout.decode()
    assert "\\toprule" in keywright("systems", "kpminer", "-f", "latex").stdout.decode()
    both = keywright("systems", "kpminer", "-f", "csv")
    assert (both.returncode, both.stdout) == (2, b"")
    assert b"2 tables with format csv" in both.stderr


def test_a_run_is_replaced_by_the_same_run_only(folder):
    before = (folder / "kpminer.jsonl").read_bytes()
    other = keywright("run", "yake", LABELLED, "-o", "kpminer.jsonl", cwd=folder)
    assert other.returncode == 2
    assert b"kpminer.jsonl exists: a run of kpminer#" in other.stderr
    assert (folder / "kpminer.jsonl").read_bytes() == before
    assert keywright("run", "kpminer", LABELLED, "-o", "kpminer.jsonl", "-q", cwd=folder).returncode == 0
    (folder / "notes.txt").write_text("mine")
    assert b"notes.txt exists: not a run" in keywright("run", "yake", LABELLED, "-o", "notes.txt", cwd=folder).stderr
    assert keywright("run", "yake", LABELLED, "-o", "notes.txt", "--force", "-q", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    "command",
    [("combine", "kpminer.jsonl", "tfidf.jsonl"), ("calibrate", "tfidf.jsonl", "--gold", LABELLED)],
    ids=["combine", "calibrate"],
)
def test_what_is_there_is_kept(folder, command):
    (folder / "kept.json").write_text("mine")
    done = keywright(*command, "-o", "kept.json", cwd=folder)
    assert done.returncode == 2
    assert b"kept.json exists" in done.stderr
    assert (folder / "kept.json").read_text() == "mine"


def test_comparisons_take_measures_and_fields(folder):
    lines = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    for name in ("one", "two"):
        records = ({"doc": line["id"], "kps": "; ".join(line["title"].split()[:3])} for line in lines)
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    fields = ("--id-field", "doc", "--phrases-field", "kps", "--separator", ";")
    compare = ("compare", "one.jsonl", "two.jsonl", "-p", "keywright-1", "--gold", LABELLED, "--resamples", "50")
    done = keywright(*compare, *fields, "--measures", "F@3,MAP", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)["runs"]["one"]["values"]) == {
        *("author/F@3", "author/macro-F@3", "author/mean-F@3", "author/MAP")
    }
