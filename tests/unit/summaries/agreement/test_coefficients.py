"""Correlation coefficients: the specification's values, scipy's, and resamples written out as lists."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from keywright.core.choices import Coefficient
from keywright.summaries.agreement import coefficients as module
from keywright.summaries.agreement.coefficients import correlate_groups, remove_third

SCIPY = {
    Coefficient.PEARSON: stats.pearsonr,
    Coefficient.SPEARMAN: stats.spearmanr,
    Coefficient.KENDALL: stats.kendalltau,
}
NAN = float("nan")


def plain(x, y, kind):
    return correlate_groups(np.array([x], float), np.array([y], float), np.ones((1, 1, len(x))), kind)[0, 0]


@pytest.mark.parametrize(("kind", "value"), [("pearson", 0.729800), ("spearman", 0.666886), ("kendall", 0.527046)])
def test_values_of_the_specification(kind, value):
    assert plain([1, 2, 3, 4, 5], [1, 3, 2, 2, 5], Coefficient(kind)) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("kind", Coefficient)
def test_a_constant_side_or_a_single_item_is_undefined(kind):
    assert np.isnan(plain([0.1, 0.1, 0.1], [1, 2, 3], kind))
    assert np.isnan(plain([1, 2, 3], [0.3 / 3] * 3, kind))
    assert np.isnan(plain([1], [2], kind))
    assert np.isnan(plain([1, NAN, 3], [NAN, 2, 3], kind))
    assert np.isnan(plain([], [], kind))


@pytest.mark.parametrize("kind", Coefficient)
def test_missing_items_are_left_out_of_both_sides(kind):
    x, y = [1, 2, NAN, 3, 4, 7], [5, 1, 9, 2, NAN, 8]
    assert plain(x, y, kind) == pytest.approx(SCIPY[kind]([1, 2, 3, 7], [5, 1, 2, 8])[0])


@pytest.mark.parametrize("kind", Coefficient)
def test_a_large_mean_loses_no_digits(kind):
    x, y = np.array([1, 2, 4, 3.0]), np.array([2, 1, 3, 4.0])
    assert plain(x + 1e9, y - 1e9, kind) == pytest.approx(plain(x, y, kind), abs=1e-9)


values = st.one_of(st.integers(0, 4).map(float), st.just(NAN))


@given(data=st.data(), kind=st.sampled_from(Coefficient), items=st.integers(2, 8), once=st.booleans())
def test_resamples_are_lists_with_repeats(data, kind, items, once):
    x, y = (np.array(data.draw(st.lists(values, min_size=items, max_size=items))) for _ in range(2))
    drawn = st.just(1) if once else st.integers(0, 3)
    weights = np.array(data.draw(st.lists(drawn, min_size=items, max_size=items)), float)
    value = correlate_groups(x[None], y[None], weights[None, None], kind)[0, 0]
    listed = np.repeat(np.arange(items), weights.astype(int))
    listed = listed[~np.isnan(x[listed] + y[listed])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant sides
        expected = SCIPY[kind](x[listed], y[listed])[0] if len(listed) > 1 else NAN
    assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", Coefficient)
@pytest.mark.parametrize("once", [True, False])
def test_parts_of_the_groups_are_put_together(monkeypatch, kind, once):
    chance = np.random.default_rng(0)
    x, y = chance.integers(0, 5, (2, 40, 6)).astype(float)
    weights = np.ones((1, 1, 6)) if once else chance.integers(0, 3, (40, 2, 6)).astype(float)
    whole = correlate_groups(x, y, weights, kind)
    monkeypatch.setattr(module, "_AT_ONCE", 100)
    assert correlate_groups(x, y, weights, kind) == pytest.approx(whole, nan_ok=True)


def test_kendall_of_long_lists():
    x, y = np.random.default_rng(1).integers(0, 50, (2, 1, 400)).astype(float)
    expected = stats.kendalltau(x[0], y[0])[0]
    assert correlate_groups(x, y, np.ones((1, 1, 400)), Coefficient.KENDALL)[0, 0] == pytest.approx(expected)


def test_partial_correlation_is_that_of_residuals():
    x, y, z = np.random.default_rng(2).random((3, 30)) + np.arange(30) * [[0.02], [0.03], [0.05]]
    residuals = [side - np.polyval(np.polyfit(z, side, 1), z) for side in (x, y)]
    three = (np.array(stats.pearsonr(a, b)[0]) for a, b in ((x, y), (x, z), (y, z)))
    assert remove_third(*three) == pytest.approx(stats.pearsonr(*residuals)[0])
    assert np.isnan(remove_third(np.array([0.5]), np.array([1.0]), np.array([0.5]))).all()
