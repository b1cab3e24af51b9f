"""The study of everyday texts."""

import json

import pytest

from studies.everyday.judged_prose import PROSE
from studies.everyday.study import HELD_OUT, JUDGED, LANGUAGES, OPEN, measure_lists, rows, sheets


@pytest.mark.parametrize("path", [OPEN, HELD_OUT], ids=["open", "held-out"])
def test_every_accepted_keyphrase_has_forms_and_every_kind_has_texts(path) -> None:
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(records) == 15
    assert len({record["kind"] for record in records}) == 10
    for record in records:
        assert record["id"].startswith(record["kind"])
        assert 5 <= len(record["keyphrases"]) <= 12
        assert all(form.strip() for forms in record["keyphrases"] for form in forms)


def test_no_text_is_in_both_halves() -> None:
    ids = [{json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()} for path in (OPEN, HELD_OUT)]
    assert not ids[0] & ids[1]


def test_nothing_learns_from_the_texts_in_other_languages() -> None:
    files = (LANGUAGES, PROSE / "judged.jsonl")
    read, learned = ([json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in files)
    assert len({record["language"] for record in read}) == 17
    assert not {record["text"] for record in read} & {record["text"] for record in learned}
    assert all({*record["topic"]} <= {*record["keyphrases"]} for record in read)


def test_a_system_has_a_value_of_each_measure_for_each_file():
    table = rows(["default"], data=(HELD_OUT, JUDGED))
    by_file = {
        name: {row.measure: row.value for row in table if row.texts == name} for name in ("held_out", JUDGED.stem)
    }
    assert list(by_file["held_out"]) == ["F@5", "F@10", "good", "probability"]  # nobody named their topics
    assert list(by_file[JUDGED.stem]) == ["F@5", "F@10", "good", "topic", "probability"]
    assert all(0 < value < 1 for values in by_file.values() for value in values.values())
    first, second = sheets(table)
    assert first.head[:3] == second.head[:3] == ("system", "F@5", "F@10")
    assert first.rows[0][0].text == "default"


def test_the_measures_of_one_text(tmp_path):
    text = "Heat pumps\n\nA heat pump warms the house. The heat pump needs a buffer tank."
    record = {"id": "a", "text": text, "keyphrases": ["heat pump", "buffer tank"], "topic": ["heat pumps"]}
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps(record), "utf-8")
    found = measure_lists("counting", file)
    assert found["good"] == pytest.approx(0.2)  # two phrases, in ten places
    assert found["topic"] == 1.0


def test_trees_for_prose_learn_from_judged_texts_with_verbatim_phrases():
    records = [json.loads(line) for line in (PROSE / "judged.jsonl").read_text("utf-8").splitlines()]
    assert len({record["id"] for record in records}) == len(records)
    for record in records:
        text = " ".join(record["text"].split()).casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        phrases = [*record["topic"], *record["good"], *record["acceptable"]]
        assert {*record["topic"]} <= {*record["good"]}
        assert [phrase for phrase in phrases if phrase.casefold() not in text] == []
        assert record["good"]
