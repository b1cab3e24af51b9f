"""Meng's numbers by hand on one document."""

from math import log2

import numpy as np
import pytest

from keywright.core.errors import PartlyDone
from keywright.evaluation.reference import meng2017
from keywright.evaluation.reference.chan2019 import approximate_summary
from keywright.evaluation.reference.line_files import Parallel
from keywright.evaluation.reference.meng2017 import meng_summary


def lines(source: str, targets: str, predictions: str) -> Parallel:
    return Parallel((source,), (tuple(targets.split(";")),), (tuple(predictions.split(";")),), 0)


def test_hard_and_soft_precision_and_repeated_gold():
    # Two predictions, one right; three gold entries of which two are the same.
    found = meng_summary(lines("a b", "a;a;x", "a;b;b"))
    assert found["all_exact_precision@5"] == found["all_exact_precision@M"] == 1 / 2
    assert found["all_exact_precision_hard@5"] == 1 / 5
    assert found["all_exact_recall@5"] == pytest.approx(1 / 3)
    assert found["all_exact_precision_hard@k"] == pytest.approx(1 / 3)
    assert (found["present_tgt_num"], found["absent_tgt_num"], found["present_pred_num"]) == (2, 1, 2)
    assert found["absent_exact_f_score@10"] == 0


def test_tokenizers():
    text = "state-of-the-art <unk> x"
    assert meng2017.Tokenizer.SPLIT(text) == ["state-of-the-art", "<unk>", "x"]
    assert meng2017.Tokenizer.SPLIT_NOPUNC(text) == ["state", "of", "the", "art", "unk", "x"]


@pytest.mark.parametrize("phrase", ["<unk> a", "a , b", "a . b", "a unk"])
def test_invalid_predictions_drop_out(phrase):
    assert meng_summary(lines("a", "a", f"{phrase};a"))["all_exact_precision@M"] == 1


def test_a_document_without_predictions_stops_it():
    with pytest.raises(PartlyDone, match="line 1 has no prediction"):
        meng_summary(lines("a", "a", ";"))


def test_similarity_is_of_words_and_pairs_of_neighbours():
    # a b c: a, b, c, a b, b c. b c: b, c, b c. Three of five shared.
    assert meng2017.similarities(["a b c", "x"], ["b c"]) == pytest.approx(np.array([[3 / 5], [0]]))


def test_each_phrase_is_assigned_once():
    # The best pairs are .9 and .1, not .9 with .8 of the same column.
    assert meng2017.assign_best(np.array([[0.9, 0.0], [0.8, 0.1]])) == pytest.approx(1.0)
    assert meng2017.assign_best(np.zeros((0, 2))) == 0


def test_ranked_measures():
    # Hits at ranks 2 and 4 of 4; three gold.
    found = meng2017.advanced_measures(["x", "a", "y", "b"], ["a", "b", "c"], np.array([0.0, 1.0, 0.0, 1.0]))
    assert found["ap"] == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert found["mrr"] == pytest.approx((1 / 2 + 1 / 4) / 2)
    ideal = 1 + 1 / log2(3) + 1 / 2
    assert found["ndcg"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    # Rank 2 is within the three of the gold and counts full; rank 4 is the first beyond it.
    assert found["sadr"] == pytest.approx((1 + 1 / log2(3)) / 3)
    # Points (0,1) (0,0) (1/3,1/2) (1/3,1/3) (2/3,1/2) (2/3,0).
    assert found["auc"] == pytest.approx(1 / 3 * 1 / 4 + 1 / 3 * (1 / 3 + 1 / 2) / 2)
    # The cut is at the three of the gold, so that the hit at rank 4 is not seen.
    assert found["alpha_ndcg@5"] == pytest.approx(1 / log2(3) / ideal)
    assert set(meng2017.advanced_measures([], ["a"], np.zeros(0)).values()) == {0.0}


def test_kpeval_s_approximate_matching():
    # art and part match either way; of two predictions one is related to one of two gold phrases.
    found = approximate_summary(lines("q", "part;z", "art;y"))
    assert found["all_substring_precision"] == found["all_substring_recall"] == found["all_r-precision"] == 1 / 2
    assert found["present_substring_f1"] == 0
