"""The study of calibrators as it was measured last: its bounds, that its page says so, and that the code gives it."""

import json

import pytest
from tests.docs.snippets import ROOT

from keywright.calibration.calibrators.calibrating import EXPECTED_ERROR, SHIFT_BELOW
from keywright.calibration.calibrators.parametric import STRENGTH
from keywright.experiments.kpg_predictions import STUDIED
from studies.calibrators import study as calibrators
from studies.calibrators.data import AS_GIVEN, OTHERS, SAME, Calibrated
from studies.calibrators.few_documents import COMPARED, NEW, PRIORS, STRENGTHS, AfterFew
from studies.calibrators.few_documents import OTHERS as COMPARED_METHODS

RECORDS = json.loads((ROOT / "benchmarks" / "results" / "calibrators.json").read_text("utf-8"))["rows"]
ALL = calibrators.STUDY.read(RECORDS)
STORED = [row for row in ALL if isinstance(row, Calibrated)]
FEW = {(row.dataset, row.method, row.documents): row for row in ALL if isinstance(row, AfterFew)}
BY = {
    (row.system, row.dataset, row.phrase_class, row.method, row.documents): row for row in STORED if row.fitted == SAME
}
ELSEWHERE = {
    "exhird": (9.1, 12.5, 10.2),
    "one2seq": (8.9, 10.0, 5.9),
    "one2set": (6.1, 9.2, 9.9),
    "bart": (15.9, 18.4, 7.7),
    "t5": (15.1, 15.4, 4.6),
}
"""Present keyphrases of Inspec, Krapivin and SemEval after a fit on the two others, as the note on these predictions
measured them."""


@pytest.mark.parametrize("data", calibrators.GENERATED)
@pytest.mark.parametrize("model", STUDIED)
def test_a_hundred_documents_make_probabilities(model, data):
    present, absent = (BY[model, data, part, "beta", 100] for part in ("present", "absent"))
    assert present.splits == absent.splits == 20
    assert present.floor < present.error <= 0.05
    assert absent.floor < absent.error <= 0.045


@pytest.mark.parametrize("data", calibrators.GENERATED)
@pytest.mark.parametrize("model", STUDIED)
def test_temperature_does_not(model, data):
    assert min(BY[model, data, part, "temperature", 100].error for part in ("present", "absent")) > 0.09


def test_what_is_given_is_measured_beside():
    for model in STUDIED:
        for data in calibrators.GENERATED:
            for part in ("present", "absent"):
                assert BY[model, data, part, AS_GIVEN, 100].error > 2 * BY[model, data, part, "beta", 100].error
    assert not [row for row in STORED if row.system in calibrators.EXTRACTORS and row.method == AS_GIVEN]


def test_every_method_and_number_of_documents_is_there():
    for system in (*STUDIED, *calibrators.EXTRACTORS):
        some = [row for row in STORED if (row.system, row.fitted) == (system, SAME)]
        assert {row.method for row in some} - {AS_GIVEN} == set(calibrators.ANY)
        assert {row.documents for row in some} == set(calibrators.SIZES)


def test_more_documents_are_no_worse():
    for (system, data, part, method, documents), row in BY.items():
        if documents == 20:
            assert BY[system, data, part, method, 200].error < row.error


@pytest.mark.parametrize("model", STUDIED)
def test_collections_that_no_calibrator_saw(model):
    found = [row for row in STORED if (row.system, row.method, row.fitted) == (model, "beta", OTHERS)]
    present, absent = ([100 * row.error for row in found if row.phrase_class == one] for one in ("present", "absent"))
    assert present == pytest.approx(ELSEWHERE[model], abs=0.5)
    assert min(absent) > 1.3
    assert max(absent) < 5.6  # 1.5 to 4.9 there


def mean(method, documents, names=tuple(NEW)):
    values = [FEW[name, method, documents].error for name in names if (name, method, documents) in FEW]
    return sum(values) / len(values)


def test_ten_documents_take_most_of_the_error_on_new_collections():
    assert {name for name, _, _ in FEW} == {*NEW}
    wrong = [name for name in NEW if FEW[name, AS_GIVEN, 10].error > 0.1]
    assert len(wrong) >= 5
    for name in wrong:
        assert FEW[name, "shift", 10].error < 0.6 * FEW[name, AS_GIVEN, 10].error
    assert mean("shift", 10) < 0.045
    assert mean(AS_GIVEN, 10) > 0.1
    for documents, error in EXPECTED_ERROR.items():
        assert mean("shift", documents) == pytest.approx(error, abs=0.005)


@pytest.mark.parametrize("left_out", [None, *NEW])
def test_the_shift_is_chosen_where_it_is_best(left_out):
    names = [name for name in NEW if name != left_out]
    for documents in COMPARED:
        others = min(mean(method, documents, names) for method in COMPARED_METHODS)
        if documents < SHIFT_BELOW:
            assert mean("shift", documents, names) < others + 0.001
        else:
            assert others < mean("shift", documents, names)


def test_the_strength_of_the_prior_is_the_best():
    errors = {number: sum(mean(f"shift {number:g}", documents) for documents in PRIORS) for number in STRENGTHS}
    assert min(errors, key=errors.get) == STRENGTH


def test_the_guide_has_these_numbers():
    text = (ROOT / "docs" / "how-to" / "probabilities-for-any-system.md").read_text("utf-8")
    means = [100 * mean(method, 10, NEW) for method in (AS_GIVEN, "shift")]
    assert "from {:.1f} to {:.1f} percent".format(*means) in " ".join(text.split())


@pytest.mark.data
def test_the_results_are_what_the_code_gives(mirror):
    """One generator, at all of its splits."""
    unit = ("exhird", "inspec")
    old = [row for row in STORED if (row.system, row.dataset, row.fitted) == (*unit, SAME)]
    new = calibrators.evaluate(unit, mirror=mirror)
    assert [(row.phrase_class, row.method, row.documents) for row in new] == [
        (row.phrase_class, row.method, row.documents) for row in old
    ]
    for one, other in zip(new, old, strict=True):
        assert one.record() == pytest.approx(other.record(), abs=1e-4)
