"""The gate between two tastes, and averages of their probabilities."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from keywright.core.errors import BrokenFile
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import (
    LEAST_ANY,
    Gate,
    TrainedRanker,
    mix_log_odds,
    mix_probabilities,
    profile_documents,
)
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.language_resources import load_shipped_tags
from keywright.extraction.ranking.shortlist import Verdict, judge_by


def log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def test_a_profile_is_mean_number_and_spread_of_the_heaviest_candidates():
    rows = np.array([[1.0, 10.0], [3.0, np.nan], [5.0, 5.0]])
    first, none, last = profile_documents(rows, np.ones(3), np.array([0, 2, 2, 3]))
    assert first.tolist() == [2.0, 5.0, 2.0, 1.0, 5.0]  # a missing value counts as 0
    assert none.tolist() == [0.0] * 5
    assert last.tolist() == [5.0, 5.0, 1.0, 0.0, 0.0]


def test_profiles_of_documents_together_equal_those_of_each_alone():
    chance = np.random.default_rng(1)
    rows, weight, bounds = chance.random((90, 7), np.float32), chance.random(90), np.array([0, 40, 41, 90])
    together = profile_documents(rows, weight, bounds)
    for number, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
        alone = profile_documents(rows[begin:end], weight[begin:end], np.array([0, end - begin]))
        assert alone[0].tolist() == together[number].tolist()


def test_only_the_thirty_heaviest_count():
    rows, weight = np.arange(31.0)[:, None], np.arange(31.0)
    profile = profile_documents(rows, weight, np.array([0, 31]))[0]
    # The mean of 1 to 30, and the deviation of so many numbers in a row, the root of (30 * 30 - 1) / 12.
    assert profile == pytest.approx([15.5, 31.0, math.sqrt(899 / 12)])


def test_the_share_of_tags_is_a_logistic_function_of_the_profile():
    gate = Gate(np.array([1.0, -0.01]), 0.5)
    shares = gate.shares(profile_documents(np.full((165, 1), 2.0), np.ones(165), np.array([0, 30, 75, 165])))
    # 2 - .45 + .5 and 2 - .9 + .5; none of it with thirty candidates, half with forty-five, all with sixty and more
    assert shares == pytest.approx([0, 0.5 / (1 + math.exp(-2.05)), 1 / (1 + math.exp(-1.6))])


def test_probabilities_are_averaged_not_log_odds():
    mixed = mix_log_odds(np.array([log_odds(0.2)]), np.array([log_odds(0.6)]), np.array([0.25]))
    assert mixed == pytest.approx([log_odds(0.3)])  # .75 * .2 + .25 * .6


def test_a_share_of_nothing_or_all_leaves_one_taste():
    first, second = np.array([-3.0, 800.0]), np.array([2.0, -800.0])
    assert mix_log_odds(first, second, np.zeros(2)) == pytest.approx(first)
    assert mix_log_odds(first, second, np.ones(2)) == pytest.approx(second)


def test_extreme_log_odds_stay_finite_and_in_order():
    mixed = mix_log_odds(np.array([-900.0, -800.0]), np.array([-900.0, -850.0]), np.full(2, 0.5))
    assert np.isfinite(mixed).all()
    assert mixed[0] < mixed[1]


def verdict(value: float, usual: float | None) -> Verdict:
    return Verdict(Trees(""), usual, np.zeros(2), np.full(2, value))


def test_the_expected_number_lies_between_those_of_the_tastes():
    judged = judge_by([verdict(0.0, 8.0), verdict(0.0, 4.0)], np.zeros((2, 1)), np.array([0.25]), np.zeros(2, int))
    assert judged.expected == [7.0]
    assert judged.log_odds.tolist() == [0.0, 0.0]


def test_a_declared_number_moves_all_log_odds_alike():
    pair = [verdict(0.0, 8.0), verdict(0.0, 4.0)]
    judged = judge_by(pair, np.zeros((2, 1)), np.array([0.5]), np.zeros(2, int)).declare(12.0)
    assert judged.expected == [12.0]
    assert judged.log_odds == pytest.approx([math.log(2.0)] * 2)  # twice the 6 of both tastes


def test_one_taste_without_a_learnt_number_stays_as_it_is():
    judged = judge_by([verdict(1.5, None)], np.zeros((2, 1)), np.zeros(1), np.zeros(2, int)).declare(12.0)
    assert (judged.log_odds.tolist(), judged.expected) == ([1.5, 1.5], [None])


def test_each_taste_explains_its_part_of_the_way():
    first = Verdict(Trees(""), 8.0, np.zeros(2), np.array([log_odds(0.2), 1.0]))
    second = Verdict(Trees(""), 8.0, np.zeros(2), np.array([log_odds(0.6), 1.0]))
    judged = judge_by([first, second], np.zeros((2, 1)), np.array([0.25]), np.zeros(2, int))
    part = (log_odds(0.3) - log_odds(0.2)) / (log_odds(0.6) - log_odds(0.2))
    assert judged.shares[1] == pytest.approx([part, 0.5])  # equal verdicts explain a half each
    assert judged.shares[0] == pytest.approx([1 - part, 0.5])


def test_prose_is_corrected_by_its_share_of_each_document():
    rows = np.array([[1.0], [0.0], [1.0], [1.0]])
    trees = boosted_trees(np.repeat(rows[:2], 9, axis=0), np.repeat([True, False], 9), Boosting(trees=1, least=1))
    up, down = trees.scores(rows[:2])
    assert up > 0 > down
    number = np.array([0, 1, 1, 2])
    judged = judge_by([Verdict(Trees(""), 8.0, np.zeros(4), np.zeros(4))], rows, np.zeros(3), number)
    corrected = judged.correct(trees, 6.0, np.array([0.0, 0.5, 1.0]))
    assert corrected.log_odds == pytest.approx([0.0, 0.5 * down, 0.5 * up, up])
    assert corrected.expected == [8.0, 7.0, 6.0]
    assert corrected.declare(3.0).log_odds[-1] == pytest.approx(up + math.log(3 / 6))


def test_probabilities_of_prose_have_a_map_of_their_own():
    maps = [ProbabilityMap(np.array([0.0, 1.0]), np.array(ends)) for ends in ([0.2, 0.4], [0.6, 1.0])]
    mixed = mix_probabilities(maps, np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.25, 1.0]))
    assert mixed == pytest.approx([0.2, 0.3, 1.0])  # .75 * .2 + .25 * .6
    assert mix_probabilities(maps, np.array([1.0]), np.zeros(1)) == pytest.approx([0.4])


def test_without_prose_nothing_is_corrected():
    judged = judge_by([verdict(0.0, 8.0)], np.zeros((2, 1)), np.zeros(1), np.zeros(2, int))
    assert judged.correct(Trees(""), 6.0, np.zeros(1)) is judged


def test_a_gate_is_saved_with_its_trees(tmp_path):
    shipped = load_shipped_tags()
    shipped.save(tmp_path / "tags")
    read = TrainedRanker.load(tmp_path / "tags")
    assert (read.fingerprint, read.gate.bias) == (shipped.fingerprint, shipped.gate.bias)
    assert read.gate.weights.tolist() == shipped.gate.weights.tolist()


@pytest.mark.parametrize("weights", [[], [1.0]])
def test_a_gate_of_other_columns_is_refused(tmp_path, weights):
    replace(load_shipped_tags(), gate=Gate(np.array(weights), 0.0)).save(tmp_path / "tags")
    with pytest.raises(BrokenFile, match="tags cannot be read"):
        TrainedRanker.load(tmp_path / "tags")


def test_the_gate_of_other_languages_counts_from_ten_candidates_on():
    gate = Gate(np.array([0.0, 0.0]), 0.0, LEAST_ANY)
    shares = gate.shares(profile_documents(np.zeros((45, 1)), np.ones(45), np.array([0, 10, 25, 45])))
    assert shares == pytest.approx([0, 0.25, 0.5])  # none, half and all of a half
    assert load_shipped_tags("any").gate.least == LEAST_ANY
