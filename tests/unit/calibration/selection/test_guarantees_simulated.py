"""Guarantees in a world whose truth is known: few documents to fit on, twenty thousand to judge."""

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration.calibrators.model import ProbabilityModel, cross_fit
from keywright.calibration.guarantees import guarantee_precision, guarantee_recall
from keywright.calibration.phrases import PhraseFeatures
from keywright.core.errors import CannotGuarantee

PHRASES = 8
CALIBRATIONS = 40
DOCUMENTS = 60


def world(documents, chance):
    """Confidences that are too sure, and what is right; easy documents do not show in the confidences."""
    ease = chance.normal(0, 0.8, (documents, 1))
    odds = -np.sort(1 - ease / 2 - chance.normal(0, 1.2, (documents, PHRASES)), axis=1)
    right = chance.random(odds.shape) < 1 / (1 + np.exp(-odds - 0.8 * ease))
    return 1 / (1 + np.exp(-1.3 * odds - 1)), right


def list_features(confidence):
    documents = len(confidence)
    ones = np.ones(documents * PHRASES, dtype=np.int64)
    rank = np.tile(np.arange(1, PHRASES + 1), documents)
    return PhraseFeatures(confidence.ravel(), ones * 0.0, rank, ones * PHRASES, ones, ones > 0, ones, ones * 0.0)


def judged(probabilities, right):
    documents = np.repeat(np.arange(len(right)), PHRASES)
    ranks = np.tile(np.arange(1, PHRASES + 1), len(right))
    return judged_columns(np.round(probabilities, 6), right.ravel(), document=documents, rank=ranks)


def worth(probabilities, right, threshold):
    """Mean precision of the lists that are not empty, and mean recall where there is something to find."""
    shown = np.round(probabilities, 6).reshape(right.shape) >= threshold
    sizes, hits, reachable = shown.sum(1), (shown & right).sum(1), right.sum(1)
    filled, counted = sizes > 0, reachable > 0
    precision = (hits[filled] / sizes[filled]).mean() if filled.any() else 1.0
    return precision, (hits[counted] / reachable[counted]).mean()


@pytest.mark.parametrize("method", ["beta", "platt", "isotonic", "histogram"])
def test_guarantees_hold_from_gold_to_lists(method):
    chance = np.random.Generator(np.random.PCG64(11))
    confidence, truth = world(20_000, chance)
    everything = list_features(confidence)
    broken, given, recalls = 0, 0, []
    for _ in range(CALIBRATIONS):
        known, right = world(DOCUMENTS, chance)
        seen, correct = list_features(known), right.ravel()
        fold = np.repeat(chance.permutation(DOCUMENTS) % 5, PHRASES)
        held_out = judged(cross_fit(seen, correct, fold, method, confident=True), right)
        likely = ProbabilityModel.fit(seen, correct, method, confident=True).probabilities(everything)
        recalls.append(worth(likely, truth, guarantee_recall(held_out, 0.8).threshold)[1])
        try:
            guarantee = guarantee_precision(held_out, 0.35, 0.9)
        except CannotGuarantee:
            continue
        given += 1
        broken += worth(likely, truth, guarantee.threshold)[0] < 0.35
    assert given > CALIBRATIONS / 2  # it is worth something
    assert broken <= 0.1 * CALIBRATIONS  # of all calibrations, those without a guarantee among them
    error = np.std(recalls) / np.sqrt(CALIBRATIONS)
    assert 0.8 - 2 * error <= np.mean(recalls) <= 0.9  # kept, and not by showing everything
