"""The steps of the shared task's systems as they were measured last: the page, and decision 0012 for every default."""

import json

import pytest
from tests.docs.snippets import ROOT

from keywright.experiments.semeval2010_records import BEST, read_records
from keywright.experiments.semeval2010_task import DIFFERENCE, USUAL, name_variant
from keywright.experiments.study import Row

RESULTS = ROOT / "benchmarks" / "results" / "semeval2010-steps.json"
STORED = [Row.of(record) for record in json.loads(RESULTS.read_text("utf-8"))["rows"]]
DIFFERENCES = {(row.system, row.variant): row for row in STORED if row.measure == DIFFERENCE}


@pytest.mark.parametrize("record", read_records().values(), ids=list(read_records()))
def test_what_is_cross_validated_is_the_best_of_what_was_tried(record):
    """Decision 0012: no value that was tried is better than the default by more than noise."""
    measured = [
        (step.parameter, value, DIFFERENCES[record.system, variant])
        for step in record.steps
        if step.origin == "cross-validated" and not step.literal
        for value in step.tried
        if (record.system, variant := name_variant(step.parameter, value)) in DIFFERENCES
    ]
    beaten = {parameter: (value, row.ours) for parameter, value, row in measured if row.interval[0] > 0}
    assert beaten == {}


@pytest.mark.parametrize("name", [name for name, record in read_records().items() if record.best])
def test_the_best_values_are_better_than_the_default(name):
    assert DIFFERENCES[name, BEST].ours > 0


def test_nothing_was_measured_on_test_papers():
    assert {row.dataset for row in STORED} == {"semeval2010/train"}
    usual = {row.system for row in STORED if row.variant == USUAL}
    assert {name for name, _ in DIFFERENCES} <= usual
    assert len(usual & set(read_records())) >= 10, "of 17; the page says which values are not measured"
