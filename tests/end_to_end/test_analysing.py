"""Runs analysed, from Python and on the command line: generators, systems with scores, and what is refused."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw

LABELLED = ROOT / "examples" / "abstracts.jsonl"
TEXT = {"source": "grids <eos> we study grids and web services .", "gold": ["grids", "web services", "ontology"]}


def phrase(text: str, probabilities: Sequence[Any], rank: int = 0) -> dict[str, Any]:
    return {"phrase": text, "tokens": text.split(), "probs": list(probabilities), "rank": rank}


def line(*phrases: dict[str, Any], name: str = "d1", **more: Any) -> str:
    return json.dumps({"doc_id": name, "model": "toy", **TEXT, "phrases": list(phrases), **more}) + "\n"


GRIDS, WEB, ONTOLOGY = phrase("grids", [0.5]), phrase("web services", [0.25, 1], 1), phrase("soap", [0.5], 2)


@pytest.fixture
def generator(tmp_path):
    """A file of two documents."""
    (tmp_path / "toy.jsonl").write_text(line(GRIDS, WEB, ONTOLOGY) + line(WEB, name="d2"), "utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def systems(tmp_path_factory):
    """Runs with scores and with probabilities."""
    folder = tmp_path_factory.mktemp("runs")
    for system in ("kpminer", "default"):
        kw.run(system, LABELLED, output=folder / f"{system}.jsonl")
    return folder


def test_the_program_says_what_python_says(generator):
    done = keywright("analyse", "toy.jsonl", "--json", cwd=generator)
    assert done.returncode == 0
    found = json.loads(done.stdout)["runs"]["toy"]
    (one,) = kw.analyse(generator / "toy.jsonl").values()
    assert found == json.loads(json.dumps(one.to_dict()))
    assert found["classes"]["present"]["values"]["ece"]["value"] == 0.5  # .5 three times, always right
    assert b"note: toy: all 3 present phrases are correct" in done.stderr


def test_pictures_and_page(generator):
    (generator / "<b>&.jsonl").write_text(line(GRIDS, ONTOLOGY, model="<script>alert(1)</script>"), "utf-8")
    files = ("toy.jsonl", "<b>&.jsonl")
    done = keywright("analyse", *files, "--plots", "plots", "--report", "page.html", "--quiet", cwd=generator)
    assert (done.returncode, done.stderr) == (0, b"")
    names = ("fifths", "perplexity", "places", "reliability", "risk")
    written = sorted(one.name for one in (generator / "plots").iterdir())
    assert written == sorted(f"{name}.{ending}" for name in names for ending in ("svg", "png"))
    page = (generator / "page.html").read_text("utf-8")
    assert page.count("<svg ") == len(names)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;&amp;" in page
    assert not re.search(r"(?:src|href)=\"(?!#)|https?://|@import|url\((?!#)", page)


def test_pages_are_the_same_each_time(generator):
    for name in ("one.html", "two.html"):
        kw.analyse(generator / "toy.jsonl", report=generator / name)
    assert (generator / "one.html").read_bytes() == (generator / "two.html").read_bytes()


def test_systems_have_no_tokens_and_the_program_says_so(systems):
    done = keywright("analyse", "kpminer.jsonl", "default.jsonl", "--report", "page.html", cwd=systems)
    assert done.returncode == 0
    said = done.stderr.decode()
    assert "kpminer: not shown: calibration measures: scores are not probabilities" in said
    assert "default: not shown: perplexities and positions in phrases: the run has no token probabilities" in said
    assert "default: not shown: calibration" not in said
    shown = done.stdout.decode()
    assert "kpminer:" in shown
    assert "confidence probability" in shown
    calibration = shown.partition("Calibration in percent.")[2].partition("This table shows")[0]
    assert "default" in calibration
    assert "kpminer" not in calibration
    assert (systems / "page.html").read_text("utf-8").count("<svg ") == 3


def test_progress_is_told(systems):
    told = []
    kw.analyse([systems / "kpminer.jsonl", systems / "default.jsonl"], progress=lambda *one: told.append(one))
    assert told == [(number, 6) for number in range(1, 7)]


BROKEN = {
    "probability 1.5 in 'grids' is not between 0 and 1": line(phrase("grids", [1.5])),
    "probability -0.1 in 'grids' is not between 0 and 1": line(phrase("grids", [-0.1])),
    "probs must be a finite number, found nan": line(phrase("grids", [float("nan")])),
    "1 tokens and 2 log-probabilities": line(phrase("grids", [0.5, 0.5])),
    "do not make up the phrase 'grids'": line({**phrase("grids", [0.5]), "tokens": ["pipes"]}),
    "'kpp' is missing": line({**phrase("grids", [0.5]), "tokens": None, "probs": None}),
    "'grids' has tokens or probabilities, not both": line({**phrase("grids", [0.5]), "probs": None}),
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_files_are_named_with_their_line(tmp_path, message):
    (tmp_path / "toy.jsonl").write_text(BROKEN[message], "utf-8")
    done = keywright("analyse", "toy.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert message in done.stderr.decode()
    assert "line 1 of toy.jsonl" in done.stderr.decode()


def test_log_probabilities_above_0_are_refused(systems):
    head, *lines = (systems / "kpminer.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    record["keyphrases"][0] |= {"generation": {"tokens": ["grids"], "log_probabilities": [0.25], "words": 1}}
    (systems / "above.jsonl").write_text("\n".join([head, json.dumps(record), *lines[1:], ""]), "utf-8")
    done = keywright("analyse", "above.jsonl", cwd=systems)
    assert done.returncode == 3
    assert "log-probability 0.25 of 'grids' is not a finite number up to 0" in done.stderr.decode()


REFUSED = {
    ("kpminer.jsonl", "--score-field", "kpp-s"): (3, "has no token probabilities"),
    ("kpminer.jsonl", "--score-field", "probability"): (3, "has no probability"),
    ("kpminer.jsonl", "--score-field", "score"): (2, "probabilities are not between 0 and 1"),
    ("kpminer.jsonl", "--score-field", "sure"): (2, "Invalid value"),
    ("kpminer.jsonl", "--protocol", "semeval2010"): (2, "does not distinguish present from absent phrases"),
    ("kpminer.jsonl", "--gold", "other.jsonl"): (3, "in common"),
    ("kpminer.jsonl", "kpminer.jsonl"): (2, "2 runs are called 'kpminer.jsonl'"),
    ("kpminer.jsonl", "--plots", "kpminer.jsonl"): (2, "kpminer.jsonl cannot be a folder"),
    ("kpminer.jsonl", "--report", "none/page.html"): (2, "lies in a folder that does not exist"),
    ("kpminer.jsonl", "--calibrator", "none.json"): (4, "there is no calibrator none.json"),
    ("nothing.jsonl",): (3, "nothing.jsonl"),
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_cannot_be_done_is_said_in_a_line(systems, arguments):
    (systems / "other.jsonl").write_text('{"id": "else", "title": "A", "abstract": "B.", "keyphrases": ["B"]}\n')
    done = keywright("analyse", *arguments, cwd=systems)
    code, message = REFUSED[arguments]
    assert message in " ".join(done.stderr.decode().replace("│", "").split())
    assert (done.returncode, done.stdout) == (code, b"")
    assert b"Traceback" not in done.stderr


def test_without_matplotlib_numbers_are_there_and_pictures_name_the_extra(generator):
    (generator / "matplotlib.py").write_text("raise ModuleNotFoundError", "utf-8")
    without = {"PYTHONPATH": str(generator)}
    assert keywright("analyse", "toy.jsonl", cwd=generator, **without).returncode == 0
    done = keywright("analyse", "toy.jsonl", "--plots", "plots", cwd=generator, **without)
    assert done.returncode != 0
    assert b"plots need matplotlib, which is not installed" in done.stderr
    assert not (generator / "plots").exists()
