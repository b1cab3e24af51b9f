"""Sums of many samples: the values of each sample are those of its phrases written out, one by one."""

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration import bootstrap_sums as sums
from keywright.calibration.bootstrap_sums import compute_measures
from keywright.calibration.calibration_error import (
    measure_adaptive_error,
    measure_error,
    measure_noise_floor,
    measure_smooth_error,
    sum_bins,
)
from keywright.calibration.phrases import JudgedPhrases
from keywright.calibration.proper_scores import compute_log_losses, decompose_brier, measure_auroc, trace_risk_coverage
from keywright.evaluation.statistics.bootstrap import Resampling, draw_documents


def made(phrases, documents, seed=1, decimals=17):
    """Phrases whose confidence is too high."""
    chance = np.random.default_rng(seed)
    confidence = chance.beta(2, 1.5, phrases).round(decimals)
    document = np.sort(chance.integers(documents, size=phrases))
    return judged_columns(
        confidence,
        chance.random(phrases) < confidence**1.5,
        documents,
        document=document,
        present=chance.random(phrases) < 0.6,
        words=chance.integers(1, 7, phrases),
    )


def written_out(judged):
    """Every measure by the functions of single lists."""
    p, y, words = judged.confidence, judged.correct, judged.words
    curve, score = trace_risk_coverage(p, y), np.square(p - y).mean()
    reliability, resolution, uncertainty = decompose_brier(sum_bins(p, y))
    off = np.array([(p - y)[judged.document == one].sum() for one in range(len(judged.ids))])
    masks = {
        "ece: present": judged.present,
        "ece: absent": ~judged.present,
        "ece: 1 word": words == 1,
        "ece: 2 words": words == 2,
        "ece: 3 words": words == 3,
        "ece: 4+ words": words >= 4,
    }
    apart = {name: measure_error(p[mask], y[mask]) for name, mask in masks.items()}
    shares = {name: mask.mean() for name, mask in masks.items()}
    weighed = [sum(apart[name] * shares[name] for name in names) for names in (list(masks)[:2], list(masks)[2:])]
    return apart | {
        "confidence": p.mean(),
        "accuracy": y.mean(),
        "ece": measure_error(p, y),
        "adaptive_ece": measure_adaptive_error(p, y),
        "classwise_ece": weighed[0],
        "lengthwise_ece": weighed[1],
        "brier": score,
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": uncertainty,
        "within": score - reliability + resolution - uncertainty,
        "log_loss": compute_log_losses(p, y).mean(),
        "auroc": measure_auroc(p, y),
        "aurc": curve.area,
        "excess_aurc": curve.excess,
        "expected_per_document": p.sum() / len(judged.ids),
        "correct_per_document": y.sum() / len(judged.ids),
        "count_error": np.abs(off).mean(),
    }


def copies(judged, times):
    """The phrases of documents that come so often, as documents of their own."""
    picked = np.repeat(np.arange(len(times)), times.astype(int))
    places = [np.flatnonzero(judged.document == one) for one in picked]
    rows = np.concatenate(places)
    return JudgedPhrases(
        judged.ids,
        np.repeat(np.arange(len(picked)), [len(part) for part in places]),
        judged.rank[rows],
        judged.confidence[rows],
        judged.correct[rows],
        judged.present[rows],
        judged.words[rows],
        judged.gold[picked],
    )


@pytest.mark.parametrize("decimals", [17, 1])
def test_documents_as_they_are_and_drawn(decimals):
    judged, draws = made(600, 40, decimals=decimals), Resampling(samples=6)
    cells = sums.group_phrases(judged)
    all_weights = np.concatenate(list(draw_documents(40, draws)))
    drawn = compute_measures(cells, sums.sum_weighted(judged, cells, draw_documents(40, draws)))
    whole = compute_measures(cells, sums.sum_weighted(judged, cells, [np.ones((1, len(judged.ids)))]))
    assert drawn.keys() == whole.keys() == written_out(judged).keys() | {"smooth_ece"}
    for name, expected in written_out(judged).items():
        assert whole[name] == pytest.approx([expected], abs=1e-12), name
    for sample, weights in enumerate(all_weights):
        drawn_out = copies(judged, weights)
        for name, expected in written_out(drawn_out).items():
            assert drawn[name][sample] == pytest.approx(expected, abs=1e-12), name
        smooth = measure_smooth_error(drawn_out.confidence, drawn_out.correct)
        assert drawn["smooth_ece"][sample] == pytest.approx(smooth, abs=0.002)


def test_blocks_of_many_confidences_change_little():
    judged = made(20_000, 500)
    cells = sums.group_phrases(judged)
    assert len(cells.block_confidence) <= 2000 < len(np.unique(judged.confidence))
    assert np.all(np.diff(cells.block_bin) >= 0)
    found = compute_measures(cells, sums.sum_weighted(judged, cells, [np.ones((1, len(judged.ids)))]))
    for name, expected in written_out(judged).items():
        assert found[name] == pytest.approx([expected], abs=0.001), name
    for exact in ("ece", "brier", "reliability", "resolution", "log_loss", "classwise_ece", "lengthwise_ece"):
        assert found[exact] == pytest.approx([written_out(judged)[exact]], abs=1e-12)


@pytest.mark.parametrize("number", [10, 1999, 2000, 3000])
def test_a_block_lies_in_one_bin_however_many_bins(number):
    judged = made(20_000, 10, seed=4)
    cells = sums.group_phrases(judged, number)
    bins = np.searchsorted(np.arange(1, number) / number, judged.confidence, side="right")
    np.testing.assert_array_equal(cells.block_bin[cells.block], bins)
    found = compute_measures(cells, sums.sum_weighted(judged, cells, [np.ones((1, len(judged.ids)))]))
    p, y = judged.confidence, judged.correct
    assert found["ece"] == pytest.approx([measure_error(p, y, number)], abs=1e-12)
    assert found["auroc"] == pytest.approx([measure_auroc(p, y)], abs=0.001)


def test_drawn_answers_have_the_noise_floor_of_single_lists():
    judged = made(400, 20)
    cells = sums.group_phrases(judged)
    drawn = compute_measures(cells, sums.sum_simulated(judged, cells, Resampling(samples=2000)))
    floor = measure_noise_floor(judged.confidence)
    assert drawn["ece"].mean() == pytest.approx(floor.error, rel=0.03)
    assert np.quantile(drawn["ece"], 0.975) == pytest.approx(floor.high, rel=0.06)
    assert drawn["accuracy"].mean() == pytest.approx(judged.confidence.mean(), rel=0.01)
    expected_brier = (judged.confidence * (1 - judged.confidence)).mean()
    assert drawn["brier"].mean() == pytest.approx(expected_brier, rel=0.01)


def test_drawn_answers_of_sure_phrases_are_what_is_expected():
    judged = made(50, 5, decimals=0)
    cells = sums.group_phrases(judged)
    drawn = compute_measures(cells, sums.sum_simulated(judged, cells, Resampling(samples=3)))
    for name in ("ece", "adaptive_ece", "classwise_ece", "lengthwise_ece", "brier", "count_error"):
        np.testing.assert_allclose(drawn[name], 0, atol=1e-15, err_msg=name)


def test_samples_do_not_depend_on_how_many_are_drawn_at_a_time(monkeypatch):
    judged, draws = made(300, 20), Resampling(samples=30)
    cells = sums.group_phrases(judged)
    once = compute_measures(cells, sums.sum_simulated(judged, cells, draws))
    monkeypatch.setattr(sums, "_CHUNK", 1000)
    again = compute_measures(cells, sums.sum_simulated(judged, cells, draws))
    for name, column in once.items():
        np.testing.assert_allclose(column, again[name], atol=1e-12)
