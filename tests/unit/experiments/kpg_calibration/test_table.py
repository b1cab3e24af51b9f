"""The calibration study of keyphrase generators, and five generators together: what is printed, refused, shown."""

import pytest

from keywright.core.errors import BadRecord, MissingData, UnknownName
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.experiments import kpg_calibration_table as kpg_calibration
from keywright.experiments.kpg_calibration_table import lay_out_calibration, read_printed
from keywright.experiments.kpg_predictions import COLLECTIONS, FIVE, STUDIED, compute_combinations, find_predictions
from keywright.experiments.study import Row


def test_every_printed_cell_is_there():
    for part in ("present", "absent"):
        assert set(read_printed()["f1"][part]) == set(read_printed()["ece"][part]) == set(STUDIED)
        for model in STUDIED:
            assert set(read_printed()["f1"][part][model]) == {*COLLECTIONS, "kp20k"}
            assert set(read_printed()["ece"][part][model]) == {*COLLECTIONS, "kp20k"}
    assert read_printed()["ece"]["absent"]["one2seq"]["kp20k"] == 89.86
    assert sum(read_printed()["fifths"]["inspec"]) == 3632


def test_without_the_predictions_it_says_so(tmp_path, monkeypatch):
    with pytest.raises(MissingData, match=r"predictions of bart are not on this machine: .* holds no kpg_predictions/"):
        find_predictions("bart", "inspec", tmp_path)
    monkeypatch.delenv("KEYWRIGHT_MIRROR", raising=False)
    with pytest.raises(MissingData, match="KEYWRIGHT_MIRROR is not set") as caught:
        kpg_calibration.compute_calibration(["bart"])
    assert "no licence" in caught.value.hint


def test_an_unknown_system_is_told():
    with pytest.raises(UnknownName, match="no system called 'bort'; did you mean 'bart'"):
        kpg_calibration.compute_calibration(["bort"])


def test_rows_keep_their_class():
    row = Row("ECE", 1.0, 2.0, "bart", dataset="inspec", variant="clean", interval=(1.5, 2.5), phrase_class="absent")
    assert row.record()["class"] == "absent"
    assert Row.of(row.record()) == row
    assert "class" not in Row("F@5", None, 0.5).record()


def test_tables_for_people():
    where = {"system": "bart", "dataset": "inspec", "phrase_class": "present"}
    rows = [
        Row("F@M", 0.3, 0.31, **where),
        Row("F@5", 0.2, 0.21, **where),
        Row("ECE", 10.0, 11.0, **where, variant="as-published", note="counted"),
        Row("ECE", 10.0, 12.0, **where, variant="clean", interval=(11.5, 12.5)),
        Row("ECE-noise-floor", None, 2.0, **where),
        Row("gold-in-fifth-1", 7, 6, dataset="inspec", phrase_class="present", variant="clean"),
        Row("KPP-median", None, 1.5, "bart", phrase_class="present"),
        Row("F@5", None, 0.4, "vote", dataset="inspec", phrase_class="present", interval=(0.35, 0.45)),
    ]
    found = {table.caption.partition(":")[0]: table for table in lay_out_calibration(rows)}
    scores = next(table for table in lay_out_calibration(rows) if table.caption.startswith("Table 1"))
    assert [cell.text for cell in scores.rows[0]] == ["bart", "0.300", "0.310", "0.200", "0.210"]
    errors = next(table for table in lay_out_calibration(rows) if table.caption.startswith("Table 2"))
    assert [cell.text for cell in errors.rows[0]] == [
        "bart", "inspec", "10.00", "11.00", "12.00 (11.50 to 12.50)", "2.00",
    ]  # fmt: skip
    assert [cell.text for cell in found["Figure 1"].rows[0]] == ["bart", "present", "", "1.50"]
    assert [cell.text for cell in scores.rows[1]] == ["vote", "", "", "", "0.400"]
    notes = next(table for table in lay_out_calibration(rows) if table.caption.startswith("Errata"))
    assert [cell.text for cell in notes.rows[0]] == ["ECE bart present as-published: inspec", "counted"]


def test_a_missing_model_is_told():
    with pytest.raises(BadRecord, match="no predictions of one2seq for inspec"):
        list(compute_combinations({"inspec": {FIVE[0]: LoadedRun("generations", None)}}))
