"""The study of guarantees: fewer splits than the command has, and its tables."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import study as publishing
from studies.guarantees.data import Coverage, Simulated
from studies.guarantees.study import SIMULATED, STUDY, evaluate

SPLITS = 40


def offered(rows):
    """Promises that options give: empty lists apart."""
    return [row for row in rows if row.empty == "apart"]


def test_simulated_documents_are_overconfident():
    simulated = Simulated.sample(4000, 1)
    shown = simulated.counts
    assert len(simulated) == len(shown) == 4000
    # From .9 on phrases are right with the square of what they say: between .81 and 1, and nearer to .81.
    place = 9  # the threshold .9
    assert 0.82 < shown.hits[:, place].sum() / shown.sizes[:, place].sum() < 0.9
    assert simulated.calibrated(np.arange(5)) == (shown, shown)


def test_promises_are_kept_where_the_truth_is_known():
    rows = evaluate((SIMULATED, SIMULATED), splits=SPLITS)
    assert all(row.holds for row in rows)
    assert all(row.violated_of_all <= 0.2 for row in rows if row.confidence == 0.8)
    assert all(row.violated_of_all <= 0.1 for row in rows if row.confidence == 0.9)
    found = {(row.measure, row.target, row.confidence): row for row in offered(rows)}
    easy, recall = found["precision", 0.3, 0.9], found["recall", 0.9, None]
    assert (easy.promised, easy.violated) == (1.0, 0.0)
    assert 0.3 < easy.value < 0.4  # kept, and not by showing next to nothing
    assert easy.phrases > 5
    assert recall.value == pytest.approx(0.905, abs=0.01)
    assert found["precision", 0.7, 0.9].value is None
    assert Coverage.of(easy.record()) == easy


def test_tables():
    row = Coverage(
        "bart", "inspec", "precision", "apart", 0.4, 0.9, 200, 300,
        0.865, 0.02, 0.0, 0.142, holds=True, value=0.454, value_of_all=0.458, phrases=3.341, empties=0.013,
        pooled=0.445, threshold=0.279,
    )  # fmt: skip
    none = replace(row, target=0.7, promised=0.0, value=None, phrases=None, empties=None, pooled=None)
    recall = replace(row, measure="recall", confidence=None, allowed=None, holds=False)
    first, second = publishing.lay_out_study(STUDY, (row, none, recall), system_class)
    assert first.caption.endswith("lists without phrases left out: 200 splits, 300 documents of calibration.")
    assert [cell.text for cell in first.rows[0]][2:] == [
        "0.4", "0.9", "0.865", "0.020", "0.142", "yes", "0.454", "3.34", "0.01", "0.445",
    ]  # fmt: skip
    assert [cell.text for cell in first.rows[1]][8:] == ["", "", "", ""]
    assert [cell.text for cell in second.rows[0]][3:8] == ["", "0.865", "", "", "no"]
    lines = publishing.publish(STUDY, (row,), Publication.CSV, system_class).splitlines()
    assert lines[0].startswith("system,dataset,measure,empty,target,confidence,splits")
    assert lines[1].startswith("bart,inspec,precision,apart,0.4,0.9,200")
