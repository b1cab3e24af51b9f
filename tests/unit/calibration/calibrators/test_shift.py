"""The shift of probabilities by hand: all probabilities equal, so that the best constant has a closed form."""

import math

import numpy as np
import pytest
from tests.unit.calibration.calibrators.phrases import of
from tests.unit.calibration.labelled_runs import labelled, run

from keywright.calibration.calibrators.calibrating import EXPECTED_ERROR, calibrate, choose_method
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.parametric import STRENGTH, Shift, compute_logit, fit_weights
from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter
from keywright.testing.promises import equal


def outcomes(right, number):
    return np.arange(number) < right


def test_without_a_prior_the_shift_takes_the_probability_to_the_share_that_is_right():
    """0.8 has log-odds ln 4, and 30 of 100 have ln 3/7."""
    features = of([0.8] * 100)
    no_penalty = np.diag([0.0, 1.0])  # there are no absent phrases
    fitted = fit_weights(Shift.rows(features), outcomes(30, 100), no_penalty, offset=compute_logit(features.confidence))
    assert fitted == pytest.approx([math.log(3 / 7) - math.log(4), 0.0], abs=1e-6)


def test_the_prior_takes_its_share():
    """The gradient vanishes: phrases times (probability - share) plus strength times shift."""
    shift, absent = Shift.fit(of([0.5] * 20), outcomes(2, 20)).weights
    assert 20 / (1 + math.exp(-shift)) - 2 + STRENGTH * shift == pytest.approx(0, abs=1e-5)
    assert math.log(1 / 9) < shift < 0
    assert absent == pytest.approx(shift, abs=1e-5)


def test_many_phrases_leave_the_prior_nothing_to_say():
    found = Shift.fit(of([0.8] * 200_000), outcomes(60_000, 200_000)).probabilities(of([0.8]))
    assert found == pytest.approx([0.3], abs=1e-4)


@pytest.mark.parametrize("right", [8, 92])
def test_ten_documents_of_ten_phrases_reach_a_shift_of_two_and_a_half(right):
    """8 of 100 have log-odds -2.44."""
    assert abs(Shift.fit(of([0.5] * 100), outcomes(right, 100)).weights[0]) == pytest.approx(2.44, abs=0.4)


def test_each_class_has_its_shift():
    present = np.arange(400) < 200
    right = np.concatenate((outcomes(100, 200), outcomes(20, 200)))
    fitted = Shift.fit(of([0.5] * 400, present), right)
    assert fitted.probabilities(of([0.5, 0.5], [True, False])) == pytest.approx([0.5, 0.1], abs=0.02)


def test_outcomes_that_are_all_wrong_are_no_harm_and_order_stays():
    fitted = Shift.fit(of([0.2, 0.4, 0.6]), outcomes(0, 3))
    assert -5 < fitted.weights[0] < 0
    confidence = np.linspace(0, 1, 101)
    probabilities = fitted.probabilities(of(confidence))
    assert (np.diff(probabilities[1:-1]) > 0).all()
    assert (probabilities < confidence)[1:-1].all()


@pytest.mark.parametrize(
    ("method", "kind", "documents", "chosen"),
    [
        (None, Confidence.PROBABILITY, 2, "shift"),
        (None, Confidence.PROBABILITY, 19, "shift"),
        (None, Confidence.PROBABILITY, 20, "beta"),
        (None, Confidence.SCORE, 20, "beta"),
        (None, Confidence.KPP_S, 20, "beta"),
        ("platt", Confidence.PROBABILITY, 20, "platt"),
        ("shift", Confidence.PROBABILITY, 5000, "shift"),
    ],
)
def test_the_method_follows_from_the_number_of_documents(method, kind, documents, chosen):
    assert choose_method(method, kind, documents) == chosen


@pytest.mark.parametrize(
    ("method", "kind", "documents", "message"),
    [
        (None, Confidence.PROBABILITY, 1, "1 documents have both predictions and gold; expected at least 2"),
        (None, Confidence.SCORE, 9, "9 documents have both predictions and gold; expected at least 10"),
        ("beta", Confidence.SCORE, 19, "expected at least 20, better 50 to 100"),
        ("platt", Confidence.PROBABILITY, 9, "expected at least 10, better 50 to 100"),
        ("shift", Confidence.SCORE, 30, "its phrases are judged by score here; choose another method, such as beta"),
    ],
)
def test_methods_that_do_not_suit(method, kind, documents, message):
    with pytest.raises(BadParameter, match=message):
        choose_method(method, kind, documents)


def test_ten_documents_correct_a_system_with_probabilities(tmp_path):
    """Six of 50 phrases are right, where 0.6 was said."""
    calibration = calibrate(run(10, probability=0.6), labelled(10))
    assert calibration.calibrator.card.method == "shift"
    assert calibration.before["ece"] == pytest.approx(0.6 - 6 / 50)
    assert calibration.after["ece"] < 0.05
    assert any(note.startswith("method shift: 10 documents are fewer than the 20") for note in calibration.notes)
    calibration.calibrator.write(tmp_path / "c.json")
    assert equal(Calibrator.read(tmp_path / "c.json"), calibration.calibrator)


def test_fewer_than_five_documents_get_the_error_to_expect():
    notes = calibrate(run(4, probability=0.6), labelled(4)).notes
    wanted = f"4 documents: the calibration error on others is about {100 * EXPECTED_ERROR[4]:.0f} % on average"
    assert any(note.startswith(wanted) for note in notes)  # each of the four documents was left out once
    with pytest.raises(BadParameter, match="31 folds of 30 documents"):
        calibrate(run(30, probability=0.6), labelled(), folds=31)
    assert not any("on average" in note for note in calibrate(run(6, probability=0.6), labelled(6)).notes)
    explicit = calibrate(run(30, probability=0.6), labelled(), "beta")
    assert not any("method shift" in note for note in explicit.notes)
    with pytest.raises(BadParameter, match="1 documents have both predictions and gold; expected at least 2, better"):
        calibrate(run(1, probability=0.6), labelled(1))
    with pytest.raises(BadParameter, match="shift corrects probabilities"):
        calibrate(run(), labelled(), "shift")
