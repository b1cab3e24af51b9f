"""What adapting gained, from held-out documents computed by hand."""

import json

import numpy as np
import pytest

from keywright.adapting.fine_tuning import CALIBRATION, DECISIVE, MIN_HELD_OUT, Change, Gain, measure_gain
from keywright.core.documents import Style
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.extraction.learners.continuing import HeldOut

FEW = Resampling(samples=200)


def held_out(document: str, *, before: float, after: float, style: Style = Style.READER, gold: int = 4) -> HeldOut:
    """Twenty candidates, two of them keyphrases: at the head or the foot of the list as scores are 1 or -1."""
    answers = np.zeros(20, bool)
    answers[[0, 5]] = True
    places = np.where(answers, 1.0, 0.0)
    level = np.full(20, 0.2)
    return HeldOut(document, style, gold, answers, before * places, after * places, level, np.where(answers, 0.9, 0.0))


def test_by_hand():
    """Two of four keyphrases among the first five: 4/9, 4/14, 4/19; at the foot none is among the first fifteen."""
    found = measure_gain([held_out("a", before=-1, after=1), held_out("b", before=1, after=1)], FEW)
    assert found.documents == 2
    assert [one.measure for one in found.changes] == [DECISIVE, "F@5", "F@10", "F@15", CALIBRATION]
    at = {one.measure: one for one in found.changes}
    assert (at["F@5"].before, at["F@5"].after) == pytest.approx((2 / 9, 4 / 9))
    assert (at["F@10"].before, at["F@10"].after) == pytest.approx((2 / 14, 4 / 14))
    assert (at["F@15"].before, at["F@15"].after) == pytest.approx((2 / 19, 4 / 19))
    mean = (4 / 9 + 4 / 14 + 4 / 19) / 3
    assert (at[DECISIVE].before, at[DECISIVE].after) == pytest.approx((mean / 2, mean))
    assert at[DECISIVE].difference == pytest.approx(mean / 2)
    assert (at[DECISIVE].low, at[DECISIVE].high) == pytest.approx((0, mean))  # both are b, both are a: each 1 in 4


def test_calibration_by_hand():
    """Fifteen phrases at .2 with two keyphrases: |3 - 2| / 15; then two at .9 and thirteen at 0: 2 * .1 / 15."""
    change = measure_gain([held_out("a", before=1, after=1)], FEW).changes[-1]
    assert change.measure == CALIBRATION
    assert (change.before, change.after) == pytest.approx((1 / 15, 0.2 / 15))
    assert (change.low, change.high) == pytest.approx((-0.8 / 15, -0.8 / 15))


def test_without_probabilities_there_is_no_calibration():
    one = held_out("a", before=1, after=1)
    silent = HeldOut("b", Style.AUTHOR, 4, one.answers, one.before, one.after, None, one.probable_after)
    assert [change.measure for change in measure_gain([one, silent], FEW).changes][-1] == "F@15"


def test_styles_of_one_document_are_averaged_and_count_once():
    both = [held_out("a", before=1, after=-1, style=style) for style in (Style.AUTHOR, Style.READER)]
    found = measure_gain([*both, held_out("b", before=1, after=1)], FEW)
    assert found.documents == 2
    assert found.changes[1].after == pytest.approx((0 + 4 / 9) / 2)


def test_short_lists_are_not_held_against_a_document():
    one = HeldOut("a", Style.READER, 1, np.array([False, True]), np.array([0.0, 1.0]), np.array([1.0, 0.0]), None, None)
    assert measure_gain([one], FEW).changes[3].before == pytest.approx(2 / 3)


def changes(low: float, high: float) -> tuple[Change, ...]:
    return (Change(DECISIVE, 0.2, 0.2 + (low + high) / 2, low, high),)


@pytest.mark.parametrize(
    ("documents", "low", "high", "shown", "said"),
    [
        (MIN_HELD_OUT, 0.001, 0.02, True, "gain shown: "),
        (MIN_HELD_OUT - 1, 0.001, 0.02, False, "19 documents are too few to tell, 20 are needed"),
        (500, 0.0, 0.02, False, "no gain could be shown: the difference lies between +0.0 and +2.0 points of F (95 %)"),
        (500, -0.02, 0.02, False, "no gain could be shown: "),
        (500, -0.02, -0.001, False, "adapting makes it worse"),
    ],
)
def test_verdicts(documents, low, high, shown, said):
    gain = Gain(documents, changes(low, high))
    assert gain.shown == shown
    assert said in gain.verdict


def test_as_json():
    record = Gain(30, changes(0.01, 0.03)).as_json()
    assert json.loads(json.dumps(record)) == record
    assert (record["documents"], record["shown"]) == (30, True)
    assert record["changes"][0]["interval"] == [0.01, 0.03]
    assert record["changes"][0]["difference"] == pytest.approx(0.02)
