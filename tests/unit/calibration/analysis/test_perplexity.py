"""Perplexities: by hand."""

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import judged_columns

from keywright.calibration.analysis.positions import compute_perplexities, make_histogram
from keywright.core.errors import BadParameter


def phrases(confidence, present):
    return judged_columns(confidence, np.zeros(len(confidence)), present=present)


def test_median_and_histogram_by_hand():
    given = phrases([1.0, 0.5, 0.4, 0.1, 0.25, 0.05], [1, 1, 1, 1, 0, 0])
    found = make_histogram(given, present=True, highest=3.0, width=1.0)
    assert found.median == pytest.approx(2.25)
    assert found.edges.tolist() == [1, 2, 3]
    assert (found.counts.tolist(), found.above) == ([1, 2], 1)
    assert make_histogram(given, present=False).median == pytest.approx(12)


@pytest.mark.parametrize(
    ("confidence", "middle"), [(0.4, "2.50"), (1, "1.00"), (1e-4, "1.0e+04"), (1e-120, "1.0e+120")]
)
def test_a_median_stays_short(confidence, middle):
    assert make_histogram(phrases([confidence], [1]), present=True).median_text == middle
    assert make_histogram(phrases([confidence], [1]), present=False).median_text == "-"


def test_no_phrases_have_no_median():
    found = make_histogram(phrases([0.5], [1]), present=False, highest=2.0)
    assert (found.median, found.counts.tolist(), found.above) == (None, [0, 0], 0)


@pytest.mark.parametrize("confidence", [0.0, 1.5, -1.0, np.nan])
def test_scores_have_no_perplexity(confidence):
    with pytest.raises(BadParameter, match="has no perplexity"):
        compute_perplexities(phrases([confidence], [1]))


def test_bins_that_cannot_be_are_refused():
    with pytest.raises(BadParameter, match="bins of 0"):
        make_histogram(phrases([0.5], [1]), present=True, width=0)
