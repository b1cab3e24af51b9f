"""The report of all measures: values by hand, what has none and why, intervals, floors, tables."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration.measuring import MEASURES, measure
from keywright.core.errors import BadParameter, UnknownName
from keywright.evaluation.statistics.bootstrap import Resampling

FEW = Resampling(samples=50)


THREE = judged_columns(
    [0.2, 0.9, 0.4], [0, 1, 1], document=[0, 0, 1], present=np.array([True, True, False]), words=[1, 2, 5]
)

SELDOM = "ECE, present", "ECE, absent", "ECE, 1 word", "ECE, 2 words", "ECE, 4+ words", "AUROC"
"""Has no value in a quarter of the samples, in which one document is drawn twice."""


def test_values_by_hand():
    report = measure(THREE, resampling=FEW)
    expected = {
        "confidence": 0.5,
        "accuracy": 2 / 3,
        "ece": (0.2 + 0.1 + 0.6) / 3,
        "adaptive_ece": (0.2 + 0.1 + 0.6) / 3,
        "ece: present": 0.15,
        "ece: absent": 0.6,
        "classwise_ece": (2 * 0.15 + 0.6) / 3,
        "ece: 1 word": 0.2,
        "ece: 2 words": 0.1,
        "ece: 4+ words": 0.6,
        "brier": (0.04 + 0.01 + 0.36) / 3,
        "log_loss": -np.log([0.8, 0.9, 0.4]).mean(),
        "auroc": 1.0,
        "aurc": (0 + 0 + 1 / 3) / 3,
        "excess_aurc": 0.0,
        "expected_per_document": 0.75,
        "correct_per_document": 1.0,
        "count_error": (0.1 + 0.6) / 2,
    }
    assert {name: report[name] for name in expected} == pytest.approx(expected)
    assert (report.documents, report.phrases, report.correct) == (2, 3, 2)
    assert [one.size for one in report.bins] == [0, 0, 1, 0, 1, 0, 0, 0, 0, 1]
    assert report.absent == {"ece: 3 words": "there are no such phrases"}
    with pytest.raises(KeyError, match="no such phrases"):
        report["ece: 3 words"]


def test_classes_apart_do_not_cancel():
    """A present phrase that is surer than it should be does not make good an absent one that is not sure enough."""
    both = judged_columns([0.5, 0.5], [1, 0], present=np.array([True, False]), words=[1, 2])
    report = measure(both, resampling=FEW)
    assert (report["ece"], report["classwise_ece"], report["lengthwise_ece"]) == (0, 0.5, 0.5)


@pytest.mark.parametrize(("answer", "word"), [(1, "correct"), (0, "wrong")])
def test_one_class_only(answer, word):
    report = measure(judged_columns([0.3, 0.6], [answer, answer]), resampling=FEW)
    assert report.absent["auroc"] == f"all 2 phrases are {word}, and it compares correct and wrong ones"
    one = measure(judged_columns([0.3], [answer]), resampling=FEW)
    assert one.absent["auroc"] == f"the only phrase is {word}, and it compares correct and wrong ones"
    assert one.notes[-1] == "1 phrase, fewer than the 10 bins: errors over bins are mostly noise"
    assert report["uncertainty"] == 0
    assert report["aurc"] == 1 - answer
    assert "AUROC: none, all 2 phrases are" in report.text()


def test_no_phrases_have_no_values():
    report = measure(judged_columns([], []))
    assert (report.values, report.bins, report.curve) == ({}, (), None)
    assert set(report.absent) == set(MEASURES)
    assert json.loads(json.dumps(report.as_json()))["risk_by_coverage"] == []
    assert "none, there are no phrases" in report.text()


def test_one_document_has_no_intervals():
    report = measure(judged_columns([0.3, 0.6], [0, 1], document=[0, 0]))
    assert all(one.interval is None for one in report.values.values())
    assert report.notes[0].startswith("1 document: no intervals")


def test_where_many_samples_have_no_phrases_one_note_stands_for_all_measures():
    """One of three documents has phrases: 8 of 27 samples have none."""
    seldom = judged_columns([0.3, 0.6], [0, 1], 3, document=[0, 0])
    report = measure(seldom, resampling=FEW)
    assert {name for name, one in report.values.items() if one.interval} == {
        "expected_per_document",
        "correct_per_document",
        "count_error",
    }
    assert report.notes[1] == "intervals only for numbers per document: too many samples of documents have no phrases"


def test_some_measures_alone():
    report = measure(THREE, resampling=FEW, names={"auroc", "ece", "ece: 3 words"})
    assert list(report.values) == ["ece", "auroc"]
    assert report.values["ece"].floor is not None
    assert set(report.absent) == {"ece: 3 words"}
    order = measure(THREE, resampling=FEW, names={"auroc"})
    assert order["auroc"] == report["auroc"]
    assert not any("errors over bins" in note for note in order.notes)
    assert set(measure(judged_columns([], []), names={"auroc"}).absent) == {"auroc"}
    with pytest.raises(UnknownName, match="no measure called 'aurok'; did you mean 'auroc'"):
        measure(THREE, names={"aurok"})


def test_fewer_documents_or_phrases_than_bins_are_said():
    assert measure(THREE, resampling=FEW).notes == (
        "2 documents, fewer than the 10 bins: intervals are unreliable",
        f"no interval, since too many samples of documents have no value: {'; '.join(SELDOM)}",
        "3 phrases, fewer than the 10 bins: errors over bins are mostly noise",
    )
    enough = measure(judged_columns(np.tile([0.2, 0.9], 50), np.tile([0, 1], 50)), bins=2, resampling=FEW)
    assert enough.notes == ()
    assert enough.values["auroc"].interval == (1, 1)


@pytest.mark.parametrize("bad", [float("nan"), 1.2, -0.1, float("inf"), float("-inf")])
def test_a_confidence_that_is_no_probability_is_refused(bad):
    with pytest.raises(BadParameter, match="1 of 2"):
        measure(judged_columns([bad, 0.5], [1, 0]))


@pytest.mark.parametrize("wrong", [{"bins": 0}, {"draws": 0}])
def test_no_bins_and_no_draws_are_refused(wrong):
    with pytest.raises(BadParameter):
        measure(THREE, **wrong)


def test_the_interval_of_a_share_is_that_of_the_normal_distribution():
    chance = np.random.default_rng(2)
    report = measure(judged_columns(np.full(900, 0.5), chance.random(900) < 0.5))
    low, high = report.values["accuracy"].interval
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(0.25 / 900), rel=0.08)
    assert report.values["accuracy"].floor is None
    floor = report.values["ece"].floor  # of a share of 900 coins: sqrt(2 p (1 - p) / (pi n))
    assert floor.error == pytest.approx(np.sqrt(0.25 / 900 * 2 / np.pi), rel=0.15)


def test_phrases_that_go_together_widen_the_interval():
    """Ten phrases a document that are right or wrong together are worth one."""
    chance = np.random.default_rng(2)
    correct = np.repeat(chance.random(90) < 0.5, 10)
    together = measure(judged_columns(np.full(900, 0.5), correct, document=np.repeat(np.arange(90), 10)))
    low, high = together.values["accuracy"].interval
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(0.25 / 90), rel=0.15)


def test_every_error_of_true_probabilities_lies_at_its_floor():
    chance = np.random.default_rng(9)
    confidence = chance.random(5000)
    columns = {"present": chance.random(5000) < 0.5, "words": chance.integers(1, 6, 5000)}
    report = measure(judged_columns(confidence, chance.random(5000) < confidence, **columns), resampling=FEW)
    for name, one in report.values.items():
        if one.floor:
            spread = one.floor.high - one.floor.low
            assert one.floor.low - spread / 2 < one.value < one.floor.high + spread / 2, name


def test_the_order_of_phrases_in_a_document_does_not_matter():
    chance = np.random.default_rng(1)
    documents = np.repeat(np.arange(20), 10)
    one = judged_columns(chance.random(200).round(2), chance.random(200) < 0.4, document=documents)
    order = np.concatenate([chance.permutation(10) + start for start in range(0, 200, 10)])
    other = replace(one, confidence=one.confidence[order], correct=one.correct[order])
    first, second = measure(one, resampling=FEW), measure(other, resampling=FEW)
    for name in first.values:
        assert first[name] == pytest.approx(second[name], abs=1e-12)
        assert first.values[name].interval == pytest.approx(second.values[name].interval, abs=1e-9)


def test_values_are_exact_however_many_confidences_there_are():
    """Samples take neighbours of 20,000 confidences together, values do not: AUROC of scikit-learn, means of numpy."""
    chance = np.random.default_rng(3)
    confidence = chance.beta(2, 1.5, 20_000)
    correct = chance.random(20_000) < confidence**1.5
    report = measure(judged_columns(confidence, correct), resampling=Resampling(samples=2), draws=1)
    bins = (10 * confidence).astype(int)
    expected = {
        "auroc": roc_auc_score(correct, confidence),
        "ece": np.abs(np.bincount(bins, confidence - correct)).sum() / 20_000,
        "brier": np.square(confidence - correct).mean(),
        "aurc": np.mean((~correct)[np.argsort(-confidence)].cumsum() / np.arange(1, 20_001)),
    }
    assert {name: report[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_the_report_as_json_and_as_a_table():
    report = measure(THREE, resampling=FEW)
    made = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert list(made["values"]) == [name for name in MEASURES if name != "ece: 3 words"]
    assert made["values"]["ece"]["value"] == pytest.approx(0.3)
    assert set(made["values"]["ece"]["floor"]) == {"error", "low", "high"}
    assert made["values"]["auroc"]["floor"] is None
    assert made["risk_by_coverage"][-1] == {"coverage": 1.0, "risk": pytest.approx(1 / 3)}
    first, _, *rows = report.text().splitlines()
    assert first == "3 phrases of 2 documents, 2 correct (db50:12345)"
    assert next(row for row in rows if row.startswith("ECE, equal-width bins %")).split()[4] == "30.00"
    assert next(row for row in rows if row.startswith("Brier score")).split()[2] == "0.1367"
