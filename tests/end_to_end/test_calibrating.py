"""`keywright calibrate`, and its file with `extract` and `run`: the same from Python, and what is refused."""

import json

import pytest
from tests.end_to_end.program import first_record, keywright
from tests.house.tree import ROOT

import keywright as kw

ARTICLE = ROOT / "examples" / "article.txt"
STONES = ("granite", "basalt", "obsidian", "quartz", "slate", "gneiss", "marble")


def write_labelled(path, number=24, *, gold=True):
    """Short documents, each about two stones, of which the first is the keyphrase."""
    records = []
    for at in range(number):
        one, other = STONES[at % 7], STONES[(at * 3 + 1) % 7]
        text = f"The {one} quarry. The {one} quarry sells {one} and {other}. A {other} fence needs a quarry worker."
        record = {"id": f"d{at}", "text": text, "language": "en"}
        records.append(record | ({"keyphrases": [f"{one} quarry"]} if gold else {}))
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Labelled documents, a run of them, and its calibrator."""
    place = tmp_path_factory.mktemp("calibrating")
    write_labelled(place / "gold.jsonl")
    keywright("run", "counting", "gold.jsonl", "-o", "run.jsonl", "--quiet", cwd=place)
    done = keywright("calibrate", "run.jsonl", "--gold", "gold.jsonl", "-o", "c.json", "--quiet", "--json", cwd=place)
    assert (done.returncode, done.stderr) == (0, b"")
    (place / "printed.json").write_bytes(done.stdout)
    return place


def test_python_and_command_line_agree(folder):
    printed = json.loads((folder / "printed.json").read_text())
    found = kw.calibrate(folder / "run.jsonl", folder / "gold.jsonl")
    ours = json.loads(json.dumps(found.as_json()))
    for one in (printed, ours):  # the gold's name is part of the card
        del one["card"]["data"], one["card"]["sha256"]
    assert ours == printed
    system = kw.calibrated("counting", folder / "c.json")
    done = keywright("extract", ARTICLE, "-s", "counting", "--calibrator", "c.json", "-n", 7, "--json", cwd=folder)
    prediction = kw.extract(kw.read(ARTICLE), system, top=7)
    assert json.loads(done.stdout) == [first_record(prediction, system)]
    assert prediction.texts == kw.extract(kw.read(ARTICLE), "counting", top=7).texts
    assert all(0 < one.probability < 1 for one in prediction.keyphrases)


def test_the_table_is_for_people(folder):
    done = keywright("calibrate", "run.jsonl", "--gold", "gold.jsonl", "-o", "d.json", "-m", "platt", cwd=folder)
    text = done.stdout.decode()
    assert "fitted    platt on score: counting#" in text
    assert "log loss" in text
    assert "note: 24 documents: intervals are wide; 50 to 100 are advised" in done.stderr.decode()


def test_probabilities_choose(folder):
    options = ("-s", "counting", "--calibrator", "c.json", "--min-probability", 0.1, "--json", "--explain")
    (record,) = json.loads(keywright("extract", ARTICLE, *options, cwd=folder).stdout)
    assert all(one["probability"] >= 0.1 and one["evidence"] for one in record["keyphrases"])


def test_other_documents_get_a_warning_once(folder):
    lines = [
        {"id": f"x{at}", "text": "Tide gauges drift. " * 5 + f"Level {at} rises, and no gauge sees it."}
        for at in range(30)
    ]
    (folder / "other.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ("--calibrator", "c.json", "--json", "--quiet", "--language", "en")
    done = keywright("run", "counting", "other.jsonl", "-o", "other.run", *options, cwd=folder)
    (told,) = json.loads(done.stdout)["warnings"]
    assert "scores no longer look like those of calibration" in told
    stability = json.loads(done.stdout)["stability"]
    assert (stability["documents"], stability["limit"]) == (30, 0.25)
    assert stability["index"] - stability["chance"] > 0.25
    system = kw.calibrated("counting", folder / "c.json")
    made = kw.run(system, folder / "other.jsonl", language="en")
    assert kw.drift(system, made) == (stability, (told,))
    shown = kw.run(system, folder / "other.jsonl", language="en", top="auto")
    assert kw.drift(system, shown) == (stability, (told,))
    assert kw.drift(kw.system("counting"), made) == (None, ())
    listed = kw.extract([one.document for one in kw.dataset(folder / "other.jsonl")], system, language="en")
    assert [one.document_id for one in listed if one.warnings] == ["x19"]
    for jobs in ((), ("--jobs", 2)):
        found = keywright("extract", "other.jsonl", "-s", "counting", *options, *jobs, cwd=folder)
        warned = [one["id"] for one in json.loads(found.stdout) if one["warnings"]]
        assert warned == ["x19"]
    same = keywright("run", "counting", "gold.jsonl", "-o", "same.run", *options, cwd=folder)
    assert json.loads(same.stdout)["warnings"] == []


def test_a_run_that_goes_on_is_the_same(folder):
    system = kw.calibrated("counting", folder / "c.json")
    first = kw.run(system, folder / "gold.jsonl", output=folder / "a.run")
    assert kw.run(system, folder / "gold.jsonl", output=folder / "b.run").predictions == first.predictions
    assert all(one.profile for one in first.predictions)


def test_a_run_that_is_there_gets_the_probabilities_it_would_have_had(folder):
    """From the run of the plain system, and from running the calibrated one."""
    arguments = ("run.jsonl", "--apply", "c.json", "-o", "applied.run", "--gold", "gold.jsonl")
    done = keywright("calibrate", *arguments, "--json", "--quiet", cwd=folder)
    printed = json.loads(done.stdout)
    assert (printed["run"], printed["done"], printed["warnings"]) == ("applied.run", 24, [])
    applied = kw.apply_calibrator(folder / "run.jsonl", folder / "c.json", texts=folder / "gold.jsonl")
    made = kw.run(kw.calibrated("counting", folder / "c.json"), folder / "gold.jsonl")
    assert applied.run.system == made.system == printed["system"]
    assert applied.stability == printed["stability"]
    for ours, theirs in zip(applied.run.predictions, made.predictions, strict=True):
        assert ours.texts == theirs.texts
        assert [one.probability for one in ours.keyphrases] == pytest.approx(
            [one.probability for one in theirs.keyphrases]
        )
        assert ours.profile == theirs.profile
    lines = (folder / "applied.run").read_text().splitlines()
    assert len(lines) == 25


def test_what_is_refused(folder):
    write_labelled(folder / "few.jsonl", 9)
    write_labelled(folder / "bare.jsonl", gold=False)
    (folder / "others.jsonl").write_text('{"id": "q", "text": "A quarry.", "keyphrases": ["quarry"]}\n')
    (folder / "broken.json").write_text("{")
    for name in ("large.jsonl", "large.json"):
        with (folder / name).open("wb") as file:
            file.truncate(101_000_000)
    calibrate = ("calibrate", "run.jsonl", "-o", "e.json", "--gold")
    extract = ("extract", ARTICLE, "--calibrator")
    for status, said, arguments in (
        (2, "9 documents have both predictions and gold", (*calibrate, "few.jsonl")),
        (3, "no document in common", (*calibrate, "bare.jsonl")),
        (3, "no document in common", (*calibrate, "others.jsonl")),
        (2, "Invalid value for '--method'", (*calibrate, "gold.jsonl", "--method", "sorcery")),
        (2, "1 folds of 24 documents", (*calibrate, "gold.jsonl", "--folds", 1)),
        (3, "has no token probabilities", (*calibrate, "gold.jsonl", "--score-field", "kpp-s")),
        (2, "--apply together with options for fitting", (*calibrate, "gold.jsonl", "--apply", "c.json", "--folds", 3)),
        (2, "have no text", (*calibrate, "few.jsonl", "--apply", "c.json")),
        (4, "there is no calibrator", (*calibrate, "gold.jsonl", "--apply", "none.json")),
        (3, "large.jsonl has 101,000,000 bytes", ("calibrate", "large.jsonl", "-o", "e.json", "--apply", "c.json")),
        (3, "large.json has 101,000,000 bytes", (*extract, "large.json")),
        (3, "run.jsonl cannot be read", (*extract, "run.jsonl")),
        (3, "no file nothing.jsonl", ("calibrate", "nothing.jsonl", "-o", "e.json")),
        (2, "lies in a folder that does not exist", ("calibrate", "run.jsonl", "-o", "no/e.json")),
        (2, "the calibrator was fitted for counting, and this is tfidf", (*extract, "c.json", "-s", "tfidf")),
        (4, "there is no calibrator none.json", (*extract, "none.json")),
        (3, "broken.json cannot be read", (*extract, "broken.json")),
    ):
        done = keywright(*arguments, cwd=folder)
        assert done.returncode == status, (arguments, done.stderr)
        message = " ".join(done.stderr.decode().split())
        assert said in message, message
        assert "Traceback" not in message
    assert not (folder / "e.json").exists()


@pytest.mark.data
def test_gold_for_reporting_is_refused(mirror, tmp_path):
    (tmp_path / "run.jsonl").write_text('{"system": "x", "data": "inspec/test", "analyser": "", "environment": {}}\n')
    done = keywright("calibrate", "run.jsonl", "-o", "c.json", cwd=tmp_path, KEYWRIGHT_MIRROR=str(mirror))
    assert done.returncode == 2
    assert b"the gold of inspec/test is for reporting only" in done.stderr
