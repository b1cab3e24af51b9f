"""Guarantees of precision and recall: by hand, and on documents of which the truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration.calibrators.model import ProbabilityModel, cross_fit
from keywright.calibration.guarantees import (
    THRESHOLDS,
    Empty,
    ThresholdCounts,
    find_highest_precision,
    guarantee_precision,
    guarantee_recall,
)
from keywright.calibration.phrases import JudgedPhrases, PhraseFeatures
from keywright.core.errors import BadParameter, CannotGuarantee


def phrases(*lists: list[tuple[float, bool]]) -> JudgedPhrases:
    """Documents of (probability, correct) pairs."""
    rows = [(place, rank, *one) for place, given in enumerate(lists) for rank, one in enumerate(given, 1)]
    document, rank, probability, correct = map(np.array, zip(*rows, strict=True))
    return judged_columns(probability, correct, len(lists), document=document, rank=rank)


HAND = phrases([(0.9, True), (0.5, False), (0.7, True)], [(0.2, False)], [], [(0.5, True), (0.5, False)])


def at(column, threshold):
    return column[..., THRESHOLDS.index(threshold)].tolist()


def test_what_is_shown_at_a_threshold():
    shown = ThresholdCounts.from_judged(HAND)
    assert len(shown) == 4
    assert at(shown.sizes, 0.5) == [3, 0, 0, 2]  # a probability that is the threshold passes
    assert at(shown.hits, 0.5) == [2, 0, 0, 1]
    assert at(shown.sizes, 0.51) == [2, 0, 0, 0]
    assert at(shown.sizes, 0.0) == [3, 1, 0, 2]
    assert at(shown.non_empty, 0.5) == 2
    assert at(shown.wrong, 0.5) == pytest.approx([1 / 3, 0, 0, 1 / 2])
    assert shown.reachable.tolist() == [2, 0, 0, 1]
    assert at(shown.missed, 0.6) == [0, 0, 0, 1]
    assert at(shown.missed, 0.8) == [0.5, 0, 0, 1]


def test_short_lists_have_the_first_that_pass():
    shown = ThresholdCounts.from_judged(HAND, most=1)
    assert at(shown.sizes, 0.5) == [1, 0, 0, 1]
    two = ThresholdCounts.from_judged(HAND, most=2)
    assert at(two.hits, 0.6) == [2, 0, 0, 0]  # the second of the list does not pass
    assert at(two.hits, 0.5) == [1, 0, 0, 1]
    with pytest.raises(BadParameter, match="lists of 0 phrases"):
        ThresholdCounts.from_judged(HAND, most=0)


def test_the_most_lenient_threshold_that_passes():
    # Sure phrases are right, unsure ones wrong: at .3 and below half of each list is wrong.
    judged = phrases(*[[(0.8, True), (0.3, False)]] * 100)
    found = guarantee_precision(judged, 0.7, 0.9)
    assert (found.measure, found.target, found.confidence, found.documents) == ("precision", 0.7, 0.9, 100)
    assert found.threshold == 0.31
    assert (found.phrases, found.empties, found.pooled) == (1.0, 0.0, 1.0)
    assert guarantee_precision(judged, 0.35, 0.9).threshold == 0.0  # e times the chance of 50 of 100 by .65 is small
    assert guarantee_precision(judged, 0.35, 0.9).phrases == 2.0


def test_empty_lists_count_apart_or_as_right():
    half_right = [(0.9, True), (0.9, False)]
    judged = phrases(*[half_right] * 50, *[[(0.1, False)]] * 150)
    with pytest.raises(
        CannotGuarantee, match=r"^precision 0\.7 cannot be guaranteed with confidence 0\.9: 200 documents"
    ):
        guarantee_precision(judged, 0.7)
    found = guarantee_precision(judged, 0.7, empty=Empty.RIGHT)  # 150 empty lists are right, 50 half right: .875
    assert (found.threshold, found.pooled, found.empties) == (0.11, 0.5, 0.75)


def test_the_message_names_the_highest_precision_that_can_be_guaranteed():
    judged = phrases(*[[(0.99, True), (0.99, False)]] * 200)
    highest = find_highest_precision(ThresholdCounts.from_judged(judged))
    with pytest.raises(CannotGuarantee) as caught:
        guarantee_precision(judged, 0.6)
    assert caught.value.message.endswith(f"200 documents of calibration allow {highest:g}, the nearest below it")
    assert f"--min-precision {highest:g}" in caught.value.hint
    # Bentkus: e P(Bin(200, 1 - X) <= 100) is .074 for X = .43 and .139 for X = .44 (scipy.stats.binom).
    assert highest == 0.43
    assert guarantee_precision(judged, highest).threshold == 0.0


def test_a_lower_guarantee_is_named_where_a_higher_one_would_pass():
    sure = [[(0.9, True), (0.45, False), (0.45, False), (0.45, False)]] * 12  # alone at .9, worse from .45 on
    judged = phrases(*sure, *[[(0.45, False)]] * 8, *[[(0.2, True), (0.2, True), (0.2, False)]] * 40)
    assert guarantee_precision(judged, 0.5).threshold == 0.46
    with pytest.raises(CannotGuarantee, match=r"precision 0\.4 cannot be guaranteed") as caught:
        guarantee_precision(judged, 0.4)
    nearest = find_highest_precision(ThresholdCounts.from_judged(judged), below=0.4)
    assert nearest < 0.4
    assert f"60 documents of calibration allow {nearest:g}, the nearest below it" in caught.value.message
    assert caught.value.hint.startswith(f"ask for --min-precision {nearest:g} or")


def test_too_few_documents():
    judged = phrases(*[[(0.99, True)]] * 10)
    with pytest.raises(
        CannotGuarantee, match="10 documents with a phrase to show are too few, even if all were correct"
    ) as caught:
        guarantee_precision(judged, 0.9)
    assert caught.value.hint == "ask for less, or calibrate on 22 such documents or more"  # .9^22 < .1 < .9^21
    assert guarantee_precision(phrases(*[[(0.99, True)]] * 22), 0.9).threshold == 0.0
    empty = phrases(*[[(0.99, True)]] * 10, *[[]] * 100)  # empty lists prove nothing
    with pytest.raises(CannotGuarantee, match="10 documents with a phrase to show are too few"):
        guarantee_precision(empty, 0.9)
    nothing_right = phrases(*[[(0.99, False)]] * 40)
    assert find_highest_precision(ThresholdCounts.from_judged(nothing_right)) is None
    with pytest.raises(CannotGuarantee, match="nor can a lower one"):
        guarantee_precision(nothing_right, 0.5)
    with pytest.raises(CannotGuarantee, match=r"recall 0\.9 on 8 documents") as caught:
        guarantee_recall(phrases(*[[(0.99, True)]] * 8), 0.9)
    assert caught.value.hint.startswith("calibrate on 9 such")
    assert guarantee_recall(phrases(*[[(0.99, True)]] * 9), 0.9).threshold == 0.99


def test_recall_counts_documents_that_have_something_to_find():
    lists = [[(0.8, True), (0.4, True), (0.6, False)]] * 50 + [[(0.7, False)]] * 50
    found = guarantee_recall(phrases(*lists), 0.9)  # above .4 half of the right ones are missed
    assert (found.threshold, found.confidence) == (0.4, None)
    assert (found.phrases, found.empties, found.pooled) == (2.0, 0.0, 0.5)
    # (50 losses of a half + 1) / 51 is just above a half
    assert guarantee_recall(phrases(*lists), 0.49).threshold == 0.8
    assert guarantee_recall(phrases(*lists), 0.5).threshold == 0.4


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_shares_out_of_range(share):
    for call in (
        lambda: guarantee_precision(HAND, share),
        lambda: guarantee_precision(HAND, 0.5, share),
        lambda: guarantee_recall(HAND, share),
    ):
        with pytest.raises(BadParameter, match=r"cannot be guaranteed; expected a number above 0 and below 1"):
            call()


@pytest.mark.parametrize("wrong", [np.nan, 1.2, -0.1])
def test_scores_are_no_probabilities(wrong):
    with pytest.raises(BadParameter, match=r"not between 0 and 1|scores are nan"):
        guarantee_precision(replace(HAND, confidence=np.where(HAND.rank == 1, wrong, HAND.confidence)), 0.5)


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
