"""Levels of correlation, their counts, rankings of systems, and bootstrap intervals."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter, BadRecord, UnknownName
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.summaries.agreement.coefficients import Statistic, correlate_at_level, unit_weights
from keywright.summaries.agreement.correlation import Bootstrap, ScoreTable, correlate, make_score_table, rank_systems

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
NAN = float("nan")
SMALL = Bootstrap(resampling=Resampling(20, seed=3))


def table(**columns: Any):
    arrays = {name: np.array(column, float) for name, column in columns.items()}
    systems, topics = next(iter(arrays.values())).shape
    return ScoreTable(tuple(f"s{at}" for at in range(systems)), tuple(f"t{at}" for at in range(topics)), arrays)


def row(scores, level, coefficient="pearson", **options: Any):
    statistic = Statistic(Level(level), Coefficient(coefficient), options.pop("constant_as_zero", False))
    (result,) = correlate(scores, [("x", "y")], [statistic], options.pop("bootstrap", SMALL), **options)
    return result


@pytest.fixture
def scores():
    x, y, z = np.random.default_rng(4).random((3, 6, 9)) + np.linspace(0, 0.3, 6)[:, None]
    return table(x=x, y=y, length=z)


@pytest.mark.parametrize("name", SCIPY)
def test_values_at_each_level_are_those_of_loops(scores, name):
    x, y = scores.columns["x"], scores.columns["y"]
    assert row(scores, "system", name).value == pytest.approx(SCIPY[name](x.mean(axis=1), y.mean(axis=1))[0])
    by_topic = [SCIPY[name](x[:, at], y[:, at])[0] for at in range(9)]
    assert row(scores, "summary", name).value == pytest.approx(np.mean(by_topic))
    by_system = [SCIPY[name](x[at], y[at])[0] for at in range(6)]
    assert row(scores, "topic", name).value == pytest.approx(np.mean(by_system))
    assert [row(scores, level, name).n for level in ("system", "summary", "topic")] == [6, 9, 6]


def test_topics_with_a_constant_side_are_left_out_and_counted():
    # Topics: r = 1, r = -1, constant, one summary only, r = 1.
    scores = table(
        x=[[1, 1, 0.1, 1, 1], [2, 2, 0.1, NAN, 2], [3, 3, 0.1, NAN, 3]],
        y=[[1, 3, 1, 1, 4], [2, 2, 2, 2, 5], [3, 1, 3, 3, 6]],
    )
    result = row(scores, "summary")
    assert (result.value, result.n, result.left_out) == (pytest.approx(1 / 3), 3, 2)
    as_zero = row(scores, "summary", constant_as_zero=True)
    assert (as_zero.value, as_zero.n, as_zero.left_out) == (pytest.approx(1 / 5), 5, 2)


def test_cells_missing_on_one_side_are_left_out_of_both():
    scores = table(x=[[1, 2, NAN], [5, NAN, NAN], [4, 6, NAN]], y=[[1, NAN, 9], [2, 9, 9], [5, 7, 9]])
    result = row(scores, "system")
    assert result.value == pytest.approx(stats.pearsonr([1, 5, 5], [1, 2, 6])[0])
    assert (result.n, result.left_out) == (3, 0)
    lacking = table(x=[[1.0], [2.0], [4.0], [NAN]], y=[[1.0], [3.0], [2.0], [1.0]])
    result = row(lacking, "system")
    assert (result.value, result.n, result.left_out) == (pytest.approx(stats.pearsonr([1, 2, 4], [1, 3, 2])[0]), 3, 1)


def test_undefined_values_are_none():
    constant = row(table(x=[[1, 1], [1, 1]], y=[[1, 2], [2, 1]]), "summary")
    assert (constant.value, constant.interval, constant.n, constant.left_out) == (None, None, 0, 2)
    assert row(table(x=[[1, 1], [1, 1]], y=[[1, 2], [2, 1]]), "system").value is None
    assert row(table(x=[[1, 1], [1, 1]], y=[[1, 2], [2, 1]]), "system", constant_as_zero=True).value == 0


def test_equal_means_are_ties_in_spite_of_rounding():
    # Both sum to .6, in floating point .6 and .6000000000000001.
    scores = table(x=[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.5, 0.5, 0.5]], y=[[1, 1, 1], [2, 2, 2], [3, 3, 3]])
    assert row(scores, "system", "kendall").value == pytest.approx(2 / np.sqrt(2 * 3))


@pytest.mark.parametrize("over", Resampled)
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", SCIPY)
def test_intervals_are_percentiles_of_resampled_tables(scores, over, level, name):
    bootstrap = Bootstrap(over, Resampling(12, seed=5, level=0.8))
    weights = bootstrap.weights(6, 9)
    x, y = scores.columns["x"], scores.columns["y"]
    values = []
    for sample in range(12):
        by_system = weights.systems[sample if len(weights.systems) > 1 else 0].astype(int)
        by_topic = weights.topics[sample if len(weights.topics) > 1 else 0].astype(int)
        cells = np.ix_(np.repeat(np.arange(6), by_system), np.repeat(np.arange(9), by_topic))
        first, second = (side[cells] for side in (x, y))
        values.append(
            correlate_at_level(first, second, Statistic(level, Coefficient(name)), unit_weights(*first.shape)).values[0]
        )
    assert row(scores, level, name, bootstrap=bootstrap).interval == pytest.approx(np.quantile(values, [0.1, 0.9]))


def test_resamples_draw_as_many_as_there_are():
    weights = Bootstrap(Resampled.BOTH, Resampling(50)).weights(6, 9)
    assert (weights.systems.sum(axis=1) == 6).all()
    assert (weights.topics.sum(axis=1) == 9).all()
    assert weights.systems.std() > 0.5
    assert Bootstrap(Resampled.SYSTEMS, Resampling(50)).weights(6, 9).topics.tolist() == [[1.0] * 9]


def test_resamples_without_a_value_are_counted():
    result = row(table(x=[[1], [2], [3]], y=[[1], [3], [2]]), "system", bootstrap=Bootstrap(Resampled.SYSTEMS))
    assert result.undefined == pytest.approx(1000 / 9, abs=60)  # one system three times: 3 of 27 draws
    assert result.as_json()["undefined"] == result.undefined
    assert result.interval == pytest.approx((-1, 1))


def test_the_method_is_named_with_its_bias():
    method = Bootstrap(Resampled.BOTH, Resampling(500, seed=7, level=0.9)).method
    assert method.startswith("90 % percentile bootstrap over documents and systems, 500 resamples, seed 7;")
    assert "too low" in method


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_partial_correlation_given_the_length(scores, level, name):
    three = [
        correlate(scores, [pair], [Statistic(Level.SYSTEM, Coefficient(name))], SMALL)[0].value
        for pair in (("x", "y"), ("x", "length"), ("y", "length"))
    ]
    result = row(scores, level, name, controlled_for="length")
    assert result.controlled_for == "length"
    assert result.interval is not None
    if level is Level.SYSTEM:
        xy, xz, yz = three
        assert result.value == pytest.approx((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)))


def test_wrong_questions_are_refused(scores):
    with pytest.raises(UnknownName, match="'human'"):
        correlate(scores, [("x", "human")])
    with pytest.raises(BadParameter, match="Kendall"):
        correlate(scores, [("x", "y")], controlled_for="length")
    with pytest.raises(BadParameter, match="no scores"):
        correlate(make_score_table([]), [("x", "y")])


def test_json_values():
    record = row(table(x=[[1, 2], [2, 4], [3, 3]], y=[[1, 2], [2, 3], [3, 4]]), "system").as_json()
    assert list(record) == ["evaluator", "with", "level", "coefficient", "value", "interval", "n", "left_out"]
    assert (record["evaluator"], record["with"], record["level"]) == ("x", "y", "system")
    assert isinstance(record["interval"], list)


def test_a_table_of_cells():
    cells = [("t1", "a", "x", 1.0), ("t1", "b", "x", None), ("t2", "a", "y", 3.0), ("t1", "a", "x", 1.0)]
    result = make_score_table(cells)
    assert (result.systems, result.topics, list(result.columns)) == (("a", "b"), ("t1", "t2"), ["x", "y"])
    assert result.column("x").tolist()[0][0] == 1
    assert np.isnan(result.column("x")).sum() == 3
    with pytest.raises(BadRecord, match="a on t1 has two scores x: 1 and 2"):
        make_score_table([*cells, ("t1", "a", "x", 2.0)])


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
