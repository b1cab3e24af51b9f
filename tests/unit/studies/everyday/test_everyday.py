"""The study of everyday texts."""

import json
from statistics import fmean

import pytest

from studies.everyday.study import HELD_OUT, OPEN, rows, sheets


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


def test_a_system_has_a_value_for_all_texts_and_for_each_kind() -> None:
    table = rows(["tfidf"])
    assert [row.measure for row in table if row.kind == "all"] == ["F@5", "F@10"]
    kinds = {row.kind: row.value for row in table if row.kind != "all"}
    assert len(kinds) == 10
    assert all(0 <= value <= 1 for value in kinds.values())
    assert min(kinds.values()) < fmean(kinds.values()) < max(kinds.values())
    (sheet,) = sheets(table)
    assert sheet.head[:3] == ("system", "F@5", "F@10")
    assert sheet.rows[0][0].text == "tfidf"
