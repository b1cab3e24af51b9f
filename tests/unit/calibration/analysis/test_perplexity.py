"""Perplexities: by hand, and the medians of the released predictions."""

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import judged

from keywright.calibration.analysis.positions import compute_perplexities, make_histogram
from keywright.calibration.phrases import JudgedPhrases
from keywright.core.errors import BadParameter
from keywright.evaluation.run_formats.reading import read_run_file


def phrases(confidence, present):
    ones = np.ones(len(confidence), dtype=np.int64)
    return JudgedPhrases(
        ids=("d",),
        document=0 * ones,
        rank=ones,
        confidence=np.array(confidence, dtype=float),
        correct=ones > 1,
        present=np.array(present, dtype=bool),
        words=ones,
        gold=np.zeros((1, 2), dtype=np.int64),
    )


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


# Medians, present and absent, all three collections together (specs/neural-kpg.md 3.1, Figure 1).
MEDIANS = {
    "exhird_h_seed1": (2.20, 6.88),
    "one2seq": (2.14, 4.69),
    "one2set": (1.40, 2.64),
    "bart": (1.49, 5.35),
    "t5_seed1": (1.39, 4.57),
}


@pytest.mark.data
@pytest.mark.parametrize("model", MEDIANS)
def test_medians_of_the_released_predictions(model, mirror):
    found = {True: [], False: []}
    for data in ("inspec", "krapivin", "semeval"):
        path = mirror / "kpg_predictions" / f"{model}_{data}.jsonl.zst"
        given = read_run_file(path, "generations-own" if model in {"exhird_h_seed1", "bart"} else None)
        columns = judged(given.predictions, given.labelled, stemmed=given.stemmed)
        for present, values in found.items():
            values.append(compute_perplexities(columns)[columns.present == present])
    medians = [np.median(np.concatenate(values)) for values in found.values()]
    assert medians == pytest.approx(MEDIANS[model], abs=0.015)
