"""`extract` and `run` with promises from a calibrator, the same from Python, and what cannot be guaranteed."""

import json

import pytest
from tests.end_to_end.program import keywright
from tests.end_to_end.test_calibrating import ARTICLE, write_labelled

import keywright as kw
from keywright.calibration.calibrators.calibrator import Calibrator


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A calibrator of a run over 60 documents, in each of which one phrase is right."""
    place = tmp_path_factory.mktemp("guarantees")
    write_labelled(place / "gold.jsonl", 60)
    keywright("run", "counting", "gold.jsonl", "-o", "run.jsonl", "--quiet", cwd=place)
    done = keywright("calibrate", "run.jsonl", "--gold", "gold.jsonl", "-o", "c.json", "--quiet", cwd=place)
    (place / "printed.txt").write_bytes(done.stdout)
    return place


def promised(folder):
    """The highest tenth that calibrate says can be promised."""
    return kw.calibrate(folder / "run.jsonl", folder / "gold.jsonl").guarantees[-1]


def test_calibrate_tells_what_can_be_promised(folder):
    printed = (folder / "printed.txt").read_text()
    best = promised(folder)
    assert "guarantees possible at confidence level 0.9" in printed
    assert f" {best.target:g} " in printed
    done = keywright("calibrate", "run.jsonl", "--gold", "gold.jsonl", "-o", "d.json", "--json", cwd=folder)
    assert json.loads(done.stdout)["guarantees"][-1] == json.loads(json.dumps(best.as_json()))


def test_only_what_passes_is_shown(folder):
    best = promised(folder)
    options = ("--calibrator", "c.json", "--min-precision", best.target, "--confidence-level", 0.9, "--json")
    done = keywright("extract", ARTICLE, "-s", "counting", *options, cwd=folder)
    assert done.returncode == 0
    assert f"note: precision at least {best.target:g} with confidence 0.9: phrases from" in done.stderr.decode()
    (record,) = json.loads(done.stdout)
    assert all(one["probability"] >= best.threshold for one in record["keyphrases"])
    system = kw.calibrated("counting", folder / "c.json")
    ours = kw.extract(kw.read(ARTICLE), system, min_precision=best.target, confidence_level=0.9)
    assert list(ours.texts) == [one["text"] for one in record["keyphrases"]]
    ran = keywright("run", "counting", "gold.jsonl", "-o", "limited.jsonl", *options, cwd=folder)
    assert ran.returncode == 0
    summary = json.loads(ran.stdout)
    assert summary["system"].startswith("limited|inner:(calibrated|")
    assert summary["guarantee"] == json.loads(json.dumps(best.as_json()))
    shown = kw.run(system, folder / "gold.jsonl", min_precision=best.target).predictions
    assert sum(len(one.keyphrases) for one in shown) / 60 == pytest.approx(best.phrases, abs=0.2)


def test_nothing_passes_in_a_document_without_sure_phrases(folder):
    options = ("--calibrator", "c.json", "--abstain-below", 1, "--json", "--quiet")
    done = keywright("extract", ARTICLE, "-s", "counting", *options, cwd=folder)
    assert (done.returncode, json.loads(done.stdout)[0]["keyphrases"]) == (0, [])
    best = keywright("extract", ARTICLE, "-s", "counting", "--calibrator", "c.json", "-n", "auto", "--json", cwd=folder)
    assert json.loads(best.stdout)[0]["keyphrases"]


def test_what_cannot_be(folder):
    extract = ("extract", ARTICLE, "-s", "counting")
    held = Calibrator.read(folder / "c.json").held_out
    assert not held.correct.all()
    for status, said, arguments in (
        (
            1,
            "precision 0.99 cannot be guaranteed with confidence 0.9",
            ("--calibrator", "c.json", "--min-precision", 0.99),
        ),
        (1, "60 documents with a phrase to show are too few", ("--calibrator", "c.json", "--min-precision", 0.99)),
        (1, "recall 0.99 on", ("--calibrator", "c.json", "--min-recall", 0.99)),
        (2, "min_precision 1.5 expected a number above 0", ("--calibrator", "c.json", "--min-precision", 1.5)),
        (
            2,
            "confidence_level 1.0 expected a number above 0 and below 1",
            ("--calibrator", "c.json", "--min-precision", 0.5, "--confidence-level", 1),
        ),
        (2, "confidence_level without min_precision", ("--calibrator", "c.json", "--confidence-level", 0.9)),
        (
            2,
            "min_precision needs a calibrator, and counting has none fit one on labelled documents: ",
            ("--min-precision", 0.5),
        ),
        (
            2,
            "together with other options that choose phrases",
            ("--calibrator", "c.json", "--min-precision", 0.3, "--diversity", 0.5),
        ),
    ):
        done = keywright(*extract, *arguments, cwd=folder)
        message = " ".join(done.stderr.decode().split())
        assert done.returncode == status, message
        assert said in message, message
        assert "Traceback" not in message
        assert not done.stdout
