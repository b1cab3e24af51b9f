"""Tests whether one evaluator correlates better with people than another."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.choices import Coefficient, Level
from keywright.core.errors import BadParameter, needs_extra
from keywright.core.pages import Table
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import EQUAL, correct_holm
from keywright.summaries.agreement import coefficients
from keywright.summaries.agreement.coefficients import Statistic, correlate_at_level, mask_missing, unit_weights
from keywright.summaries.agreement.correlation import SAMPLES, ScoreTable

_AT_ONCE: Final = 1 << 20  # cells of all samples that are permuted at once; arbitrary, some 10 MB
_LEAST_FOR_WILLIAMS: Final = 4  # the test has n - 3 degrees of freedom


class Williams(NamedTuple):
    """Williams' test of two dependent correlations: statistic, degrees of freedom, and p-values."""

    t: float
    freedom: int
    p_one_sided: float
    p_two_sided: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluators beside one column of human scores."""

    first: str
    second: str
    other: str
    statistic: Statistic
    difference: float | None  # correlation of the first less that of the second; None where undefined
    p: float | None  # two-sided p of the paired permutation; None where undefined
    p_holm: float | None = None  # p_holm, p_williams_holm: corrected for all comparisons made together
    p_williams: float | None = None  # two-sided p of Williams' test, for Pearson's r of systems; None elsewhere
    p_williams_holm: float | None = None
    comparisons: int = 0  # number of comparisons made together that have a p

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        names = {"first": self.first, "second": self.second, "with": self.other}
        names |= {"level": self.statistic.level.value, "coefficient": self.statistic.coefficient.value}
        numbers = ("difference", "p", "p_holm", "p_williams", "p_williams_holm", "comparisons")
        return names | {name: getattr(self, name) for name in numbers}


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Test whether r12 is larger than r13, where both share variable 1 (Williams 1959, in the form of Steiger 1980).

    >>> result = williams(0.9, 0.8, 0.85, 12)
    >>> round(result.t, 6), round(result.p_one_sided, 6)
    (1.259281, 0.119804)

    Variable 1 are people, 2 and 3 evaluators; fewer than 4 items, or no variance, are ``BadParameter``.
    """
    with needs_extra("eval", "Williams' test needs scipy"):
        from scipy.stats import t as student  # noqa: PLC0415 - heavy, only this test needs it

    if n < _LEAST_FOR_WILLIAMS:
        raise BadParameter(f"Williams' test of {n} items", f"it needs at least {_LEAST_FOR_WILLIAMS}")
    rest = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    spread = 2 * rest * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if spread <= EQUAL:
        raise BadParameter(f"Williams' test of r = {r12:g}, {r13:g} and {r23:g}", "the evaluators must differ")
    t = (r12 - r13) * ((n - 1) * (1 + r23) / spread) ** 0.5
    return Williams(t, n - 3, float(student.sf(t, n - 3)), 2 * float(student.sf(abs(t), n - 3)))


def permutation_p(x: Floats, y: Floats, human: Floats, statistic: Statistic, resampling: Resampling) -> float | None:
    """Return two-sided p that x and y correlate equally with people; None where a correlation is undefined.

    Both evaluators are standardised and a random half of their cells is exchanged (Deutsch, Dror and Roth 2021: A
    statistical analysis of summarization evaluation metrics using resampling methods). Scores are (systems, topics);
    cells that are nan anywhere are left out.
    """
    x, y, human = mask_missing(x, y, human)
    first, second = _standardise(x), _standardise(y)
    if first is None or second is None:
        return None
    original = unit_weights(*x.shape)
    values = [correlate_at_level(side, human, statistic, original).values[0] for side in (first, second)]
    observed = abs(values[0] - values[1])
    if np.isnan(observed):
        return None
    chance = resampling.generator()
    step = max(1, _AT_ONCE // max(1, x.size))
    hits = 0
    for start in range(0, resampling.samples, step):
        batch = min(step, resampling.samples - start)
        swapped = chance.integers(2, size=(batch, *x.shape), dtype=np.int8).astype(np.bool_)
        sides = (np.where(swapped, one_side, other) for one_side, other in ((second, first), (first, second)))
        a, b = (_correlate_samples(side, human, statistic) for side in sides)
        # A sample without a value is counted as a hit, so that p is never too small.
        hits += int(np.count_nonzero(~(np.abs(a - b) < observed - EQUAL)))
    return (1 + hits) / (1 + resampling.samples)


def _standardise(side: Floats) -> Floats | None:
    """Return scores with mean 0 and deviation 1; None if they are constant or there are none."""
    values = side[~np.isnan(side)]
    if not len(values) or values.min() == values.max():
        return None
    return np.asarray((side - values.mean()) / values.std())


def _correlate_samples(sides: Floats, human: Floats, statistic: Statistic) -> Floats:
    """Return the correlation of many columns, (samples, systems, topics), with people, (samples,)."""
    if statistic.level is Level.SYSTEM:  # means of systems are one group
        present = ~np.isnan(human)
        with np.errstate(invalid="ignore"):  # systems without any score
            means = np.where(present, sides, 0.0).sum(axis=2) / present.sum(axis=1)
            target = np.where(present, human, 0.0).sum(axis=1) / present.sum(axis=1)
        sides, human = (coefficients.round_means(*each) for each in ((means, sides), (target, human)))
        sides, human = sides[:, None], human[None]
    elif statistic.level is Level.SUMMARY:
        sides, human = sides.swapaxes(1, 2), human.T
    flat = np.ascontiguousarray(sides).reshape(-1, sides.shape[2])
    target = np.broadcast_to(human, sides.shape).reshape(flat.shape)
    values = coefficients.correlate_groups(flat, target, np.ones((1, 1, flat.shape[1])), statistic.coefficient)
    rows = values.reshape(len(sides), -1)
    defined = ~np.isnan(rows)
    counts = np.full(len(rows), rows.shape[1]) if statistic.constant_as_zero else defined.sum(axis=1)
    with np.errstate(invalid="ignore"):  # samples without any value
        return np.asarray(np.where(defined, rows, 0.0).sum(axis=1) / counts)


def compare_evaluators(
    table: ScoreTable,
    triples: Sequence[tuple[str, str, str]],
    statistics: Sequence[Statistic],
    resampling: Resampling | None = None,
) -> tuple[Comparison, ...]:
    """Compare two evaluators each by their correlation with a human column; p-values are corrected after Holm."""
    draws = resampling or Resampling(SAMPLES)
    results = [_compare_pair(table, triple, each, draws) for triple in triples for each in statistics]
    for name in ("p", "p_williams"):
        defined = [at for at, result in enumerate(results) if getattr(result, name) is not None]
        for at, p in zip(defined, correct_holm([getattr(results[at], name) for at in defined]), strict=True):
            change: dict[str, Any] = {f"{name}_holm": p}
            results[at] = replace(results[at], **change)
    count = sum(result.p is not None for result in results)
    return tuple(replace(result, comparisons=count) for result in results)


def _compare_pair(
    table: ScoreTable, triple: tuple[str, str, str], statistic: Statistic, resampling: Resampling
) -> Comparison:
    x, y, human = mask_missing(*map(table.column, triple))
    original = unit_weights(*x.shape)
    first, second, both = (correlate_at_level(*pair, statistic, original) for pair in ((x, human), (y, human), (x, y)))
    r12, r13, r23 = (float(each.values[0]) for each in (first, second, both))
    if np.isnan(r12 - r13):
        return Comparison(*triple, statistic, None, None)
    result = Comparison(*triple, statistic, r12 - r13, permutation_p(x, y, human, statistic, resampling))
    if statistic.level is Level.SYSTEM and statistic.coefficient is Coefficient.PEARSON:
        with suppress(BadParameter):
            return replace(result, p_williams=williams(r12, r13, r23, first.n).p_two_sided)
    return result


def draw_comparison_table(rows: Sequence[Comparison]) -> Table:
    """Return a line for each comparison of two evaluators by their correlation with people."""
    lines = (
        (
            *(row.first, row.second, row.other, row.statistic.level.value, row.statistic.coefficient.value),
            *("-" if value is None else f"{value:.4f}" for value in (row.difference, row.p, row.p_holm)),
        )
        for row in rows
    )
    head = ("evaluator", "beside", "with", "level", "coefficient", "difference", "p", "p (Holm)")
    notes = (f"paired permutation; p (Holm) is corrected for all {rows[0].comparisons if rows else 0} comparisons",)
    return Table.make("Differences of correlations with people.", head, lines, 5, notes)
