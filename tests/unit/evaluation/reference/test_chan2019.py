"""What Chan's evaluator reports beyond P, R and F, by hand on one or two documents."""

from math import log2

import pytest

from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation.reference.chan2019 import Options, chan_files, chan_scores, greedy_alpha_ndcg, table_means
from keywright.evaluation.reference.line_files import Parallel
from keywright.evaluation.rules import PhraseClass


def lines(source: str, targets: str, predictions: str) -> Parallel:
    return Parallel((source,), (tuple(targets.split(";")),), (tuple(predictions.split(";")),), 0)


def scores(given: Parallel, **options: object):
    chosen = Options(**{"disable_extra_one_word_filter": True, "all_ks": (2, "M"), **options})
    return table_means(chan_scores(given, chosen), chosen)


def test_average_precision_and_ndcg():
    # Hits at ranks 2 and 3 of 3, four gold: AP@M = (1/2 + 2/3)/4; NDCG has both hits at the top as its ideal.
    found = scores(lines("t", "a;b;c;d", "x;a;b"))
    assert found["MAP@M_all"] == pytest.approx((1 / 2 + 2 / 3) / 4)
    assert found["MAP@2_all"] == pytest.approx(1 / 2 / 4)
    two, three = 1 / log2(3), 1 / log2(4)
    assert found["avg_NDCG@M_all"] == pytest.approx((two + three) / (1 + two))
    assert found["avg_NDCG@2_all"] == pytest.approx(two / (1 + two))


def test_one_hit_at_the_top_has_an_ndcg_of_one_whatever_the_gold():
    assert scores(lines("t", "a;b;c;d", "a"))["avg_NDCG@M_all"] == 1


def test_alpha_ndcg_halves_the_second_prediction_of_a_phrase():
    # a and b are both part of ab: 1, then 1/2; x of nothing. The best order is the one given.
    assert greedy_alpha_ndcg(["a", "b", "x"], ["ab"], [1, 2, 3]) == [1, 1, 1]
    # x first: gains 0, 1, 1/2 against 1, 1/2, 0.
    two, three = 1 / log2(3), 1 / 2
    assert greedy_alpha_ndcg(["x", "a", "b"], ["ab"], [1, 2, 3]) == pytest.approx(
        [0, two / (1 + two / 2), (two + three / 2) / (1 + two / 2)]
    )
    # The empty prediction is part of both: a gain of 2, which the reordering puts first.
    assert greedy_alpha_ndcg(["a", ""], ["a", "b"], [1]) == [1 / 2]
    assert (
        greedy_alpha_ndcg([], ["a"], [0])
        == greedy_alpha_ndcg(["x"], ["a"], [1])
        == greedy_alpha_ndcg(["x"], [], [1])
        == [0]
    )


def test_shares_on_the_wrong_side_of_the_mark():
    # Present by the text: a, b. Before the mark: a and x, half wrong; after it: y and b, half wrong.
    found = chan_scores(
        lines("a b", "a", "a;x;<peos>;y;b"), Options(prediction_separated=True, disable_extra_one_word_filter=True)
    )
    assert found.misplaced.tolist() == [[0.5, 0.5]]
    assert found.forms[0] == ["a", "x", "y", "b"]
    # Four distinct predictions, and the mark that was taken out.
    assert found.unique.tolist() == [5]


def test_every_mark_that_was_taken_out_counts_as_unique():
    found = chan_scores(lines("a b", "a", "a;<peos>;b;<peos>;b"), Options(prediction_separated=True))
    assert found.unique.tolist() == [4]  # a, b and two marks


def test_name_variations():
    # Two of three gold phrases: p (two variants, one present) is hit twice, both hits count; it is in both classes.
    options = Options(use_name_variations=True, disable_extra_one_word_filter=True, all_ks=("M",))
    found = chan_scores(lines("p", "p|q;r;s", "p;q;r"), options)
    every = found.classes[PhraseClass.ALL].counts
    assert every.hits.tolist() == [[3]]
    assert every.gold.tolist() == [3]
    assert found.classes[PhraseClass.PRESENT].counts.gold.tolist() == [1]
    assert found.classes[PhraseClass.ABSENT].counts.gold.tolist() == [3]
    files = chan_files(found, options)
    assert sorted(files) == [f"results_log_M_5_10_M_5_10_50_M_name_variations.{kind}" for kind in ("tsv", "txt")]
    assert not any("MAP" in content for content in files.values())
    # The reference keeps no numbers of phrases here; the mean of its empty lists is printed as nan.
    log = files["results_log_M_5_10_M_5_10_50_M_name_variations.txt"]
    errors = [line.rpartition("): ")[2] for line in log.splitlines() if line.startswith("MAE on keyphrase numbers")]
    assert errors == ["nan"] * 3
    with pytest.raises(BadParameter, match="name variations"):
        chan_scores(lines("p", "p", "p"), Options(use_name_variations=True, target_separated=True))


def test_the_mean_error_of_numbers_without_name_variations():
    # Three predictions of one gold phrase: all 2 off; present 2 of 1, absent 1 of 0.
    options = Options(disable_extra_one_word_filter=True, all_ks=("M",), present_ks=("M",), absent_ks=("M",))
    log = chan_files(chan_scores(lines("p q", "p", "p;q;r"), options), options)["results_log_M_M_M.txt"]
    assert log.splitlines()[-3:] == [
        "MAE on keyphrase numbers (all): 2.0",
        "MAE on keyphrase numbers (present): 1.0",
        "MAE on keyphrase numbers (absent): 1.0",
    ]


def test_the_best_cutoff_is_the_first_with_the_best_f():
    # Gold a, b; F at 1: P 1, R 1/2, 2/3; at 2: P 1, R 1, 1; then less. Absent: nothing, so the first.
    options = Options(tune_f1_v=True, disable_extra_one_word_filter=True)
    found = chan_scores(lines("a b", "a;b", "a;b;x"), options)
    assert chan_files(found, options) == {"tune_v_output.txt": "V for all 2\nV for present 2\nV for absent 1\n"}
    assert table_means(found, options) == {"V_all": 2, "V_present": 2, "V_absent": 1}


def test_the_name_of_the_log_tells_the_cutoffs():
    options = Options(all_ks=(5,), present_ks=("M",), absent_ks=(50, "G"), meng_rui_precision=True)
    names = chan_files(chan_scores(lines("a", "a", "a"), options), options)
    assert sorted(names) == [f"results_log_5_M_50_G_meng_rui_precision.{ending}" for ending in ("tsv", "txt")]


def test_a_cutoff_given_twice_is_reported_twice():
    options = Options(all_ks=(5, 5))
    log = chan_files(chan_scores(lines("a", "a", "a"), options), options)["results_log_5_5_5_10_M_5_10_50_M.txt"]
    assert log.count("classification metrics all@5") == 2


def test_no_documents_are_an_error():
    with pytest.raises(BadRecord, match="no line"):
        chan_scores(Parallel((), (), (), 0), Options())
