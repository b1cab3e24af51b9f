"""The study of guarantees as it was measured last: what must hold, and that the code gives it."""

import json

import pytest
from tests.docs.snippets import ROOT

from keywright.experiments.kpg_predictions import STUDIED
from studies.guarantees.data import Coverage
from studies.guarantees.study import COLLECTIONS, GUARANTEES, SIMULATED, evaluate

STORED = [
    Coverage.of(record)
    for record in json.loads((ROOT / "benchmarks" / "results" / "guarantees.json").read_text("utf-8"))["rows"]
]
OFFERED = [row for row in STORED if row.empty == "apart"]


def test_every_promise_is_there():
    units = {(SIMULATED, SIMULATED), *((system, name) for name in COLLECTIONS for system in STUDIED)}
    assert {(row.system, row.dataset) for row in STORED} == units
    assert len(STORED) == len(units) * len(GUARANTEES) == 220
    assert {row.splits for row in STORED} == {200}


def test_what_is_offered_is_kept():
    # A promise with confidence C may be broken in 1 - C of the splits, and two standard errors of 200 of them.
    allowed = {0.8: 0.2 + 2 * (0.8 * 0.2 / 200) ** 0.5, 0.9: 0.1 + 2 * (0.9 * 0.1 / 200) ** 0.5}
    for row in OFFERED:
        assert row.holds
        assert row.violated <= allowed.get(row.confidence, 1)
    assert max(row.violated_of_all for row in OFFERED if row.confidence == 0.9) == 0
    for row in OFFERED:
        if row.measure == "recall":
            assert row.value >= row.target - 0.01


def test_promises_are_not_kept_by_showing_nothing():
    by = {(row.system, row.dataset, row.measure, row.target, row.confidence): row for row in OFFERED}
    for system in STUDIED:
        easy = by[system, "inspec", "precision", 0.3, 0.9]
        assert easy.promised == 1
        assert easy.phrases > 4
        assert easy.empties < 0.01


@pytest.mark.data
def test_the_results_are_what_the_code_gives(mirror):
    unit = ("exhird", "krapivin")
    old = [row for row in STORED if (row.system, row.dataset) == unit]
    for one, other in zip(evaluate(unit, mirror=mirror), old, strict=True):
        assert one.record() == pytest.approx(other.record(), abs=1e-3)
