"""Rankings of systems with intervals."""

import numpy as np
import pytest

from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.summaries.agreement.correlation import ScoreTable, make_score_table, rank_systems

NAN = float("nan")


def test_systems_are_ranked_by_their_mean_with_ties_and_gaps():
    column = np.array([[0.1, 0.2, 0.3], [0.9, NAN, 0.7], [0.3, 0.2, 0.1], [NAN, NAN, NAN], [0.0, 0.0, 0.0]])
    table = ScoreTable(tuple("abcde"), ("t1", "t2", "t3"), {"x": column, "y": -column})
    ranking = rank_systems(table, ["x"])
    assert [(each.system, each.rank, each.topics) for each in ranking] == [
        ("b", 1, 2),
        ("a", 2, 3),
        ("c", 2, 3),
        ("e", 4, 3),
        ("d", None, 0),
    ]
    assert [each.mean for each in ranking] == [pytest.approx(0.8), *[pytest.approx(0.2)] * 2, 0, None]
    assert ranking[3].interval == (0, 0)
    assert ranking[0].interval == pytest.approx((0.7, 0.9))
    assert [each.evaluator for each in rank_systems(table)] == ["x"] * 5 + ["y"] * 5


def test_intervals_are_those_of_means():
    """The percentile interval of a mean of 200 values is that of the normal distribution, nearly."""
    values = np.random.default_rng(0).normal(0.5, 0.1, (1, 200))
    table = ScoreTable(("a",), tuple(map(str, range(200))), {"x": values})
    (ranked,) = rank_systems(table, resampling=Resampling(4000))
    reach = 1.96 * values.std() / np.sqrt(200)
    assert ranked.interval == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.15 * reach)


def test_no_scores_have_no_ranking():
    assert rank_systems(make_score_table([])) == ()
