"""A bad record costs itself only, and is named with file, line and reason; everything else is delivered."""

import json

import pytest
from tests.end_to_end.program import keywright

GOOD = "Tide gauges measure sea level. Tide gauges drift, and the sea level rises with storm surges."
BROKEN = {
    3: ('{"id": "cut off", "te', "is not valid JSON"),
    5: ('{"id": "number", "text": 5}', "\"text\" of record 'number' is 5"),
    6: ('["no object"]', "is a JSON list, not an object"),
    8: ('{"text": "no id"}', 'a record has None as "id"'),
}
LINES = 12


@pytest.fixture
def collection(tmp_path):
    lines = [json.dumps({"id": f"d{number}", "text": GOOD}) for number in range(1, LINES + 1)]
    for number, (line, _) in BROKEN.items():
        lines[number - 1] = line
    (tmp_path / "many.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


WHOLE = [f"d{number}" for number in range(1, LINES + 1) if number not in BROKEN]


@pytest.mark.parametrize("options", [(), ("--jobs", "2")], ids=["serial", "processes"])
@pytest.mark.parametrize("verb", ["extract", "run"])
def test_broken_lines_are_named_and_the_rest_is_done(collection, verb, options):
    command = ["extract"] if verb == "extract" else ["run", "kpminer"]
    done = keywright(*command, "many.jsonl", "-o", "out.jsonl", *options, cwd=collection)
    assert done.returncode == 1
    message = done.stderr.decode()
    for number, (_, reason) in BROKEN.items():
        assert f"line {number} of many.jsonl" in message
        assert reason in message
    records = [json.loads(line) for line in (collection / "out.jsonl").read_text().splitlines()]
    assert [record["id"] for record in records if "keyphrases" in record] == WHOLE
    own = {3: "cut off", 5: "number"} if verb == "extract" else {}  # a run has the ids of its lines
    expected = {own.get(number, f"many.jsonl:{number}") for number in BROKEN}
    assert {record["id"] for record in records if "error" in record} == expected


def test_a_repeated_id_in_a_run_costs_the_later_record(collection):
    with (collection / "many.jsonl").open("a") as file:
        file.write(json.dumps({"id": "d1", "text": GOOD}) + "\n")
    done = keywright("run", "kpminer", "many.jsonl", "-o", "RUN", cwd=collection)
    assert done.returncode == 1
    assert b"line 13 of many.jsonl: document 'd1' comes twice" in done.stderr


def test_an_id_without_character_is_written_in_a_run(collection):
    (collection / "odd.jsonl").write_text('{"id": "\\ud800", "text": "Tide gauges measure tides. Gauges drift."}\n')
    assert keywright("run", "kpminer", "odd.jsonl", "-o", "RUN", cwd=collection).returncode == 0
    assert json.loads((collection / "RUN").read_text().splitlines()[1])["id"] == "\ufffd"


def test_a_run_over_nothing_readable_is_refused(collection):
    (collection / "text.jsonl").write_text("not a record\nat all\n")
    done = keywright("run", "kpminer", "text.jsonl", "-o", "RUN", cwd=collection)
    assert done.returncode == 3
    assert not (collection / "RUN").exists()
