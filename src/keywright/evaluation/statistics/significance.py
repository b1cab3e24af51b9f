"""Intervals of values, and whether the difference of two runs on the same documents may be chance.

Everything is computed from stored counts. The paired bootstrap draws documents and keeps both runs' statistics of a
document together; approximate randomisation (Noreen 1989) exchanges the two runs' statistics of a document or not, each
with probability one half, which is what the order of the runs would not matter to if they were equally good. It suits
pooled values and harmonic means of averages, which are no means over documents. Student's and Wilcoxon's paired tests
are for means of document scores only. Several comparisons are corrected after Holm (1979).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import (
    Functional,
    Resampling,
    distinct,
    functionals,
    interval,
    resampled,
    strata_of,
    value,
)

POWER_AND_ALPHA: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 1 - .05 / 2 and of .8: a difference this many standard errors large is found 4 times in 5."""
_EQUAL: Final = 1e-12
"""Sums in another order differ in their last digits; what is nearer than this is equal."""
_AT_ONCE: Final = 200_000
"""Drawn numbers that are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """What the choice of documents does to the values of one run.

    Attributes:
        intervals: low and high end by name of the value, fractions.
        detectable: smallest difference of two such runs that would be found, by name, fractions.
    """

    intervals: Mapping[str, tuple[float, float]]
    detectable: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Two runs on the same documents, columns over the values of one functional.

    Attributes:
        names: the values, (values,).
        difference: first run minus second, (values,).
        low, high: percentile interval of the difference, (values,).
        p: two-sided probability of such a difference by chance, (values,).
        detectable: smallest difference of such runs that would be found, (values,).
    """

    names: tuple[str, ...]
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    detectable: Floats


def uncertainty(
    counts: Mapping[str, Counts],
    protocol: Protocol,
    resampling: Resampling,
    categories: Mapping[str, str] | None = None,
) -> Uncertainty:
    """Percentile bootstrap intervals of all values of a report.

    The detectable difference takes a second run with the same spread whose scores do not go up and down with the
    first's, so that its standard error is that of the value times the square root of 2; two runs on the same documents
    usually do better, and ``paired`` measures it.

    Args:
        counts: by kind of gold. A set of fewer than two documents has no intervals.
        protocol: the rules.
        resampling: how is drawn.
        categories: category by document id; empty for none.
    """
    intervals: dict[str, tuple[float, float]] = {}
    detectable: dict[str, float] = {}
    for by, one in counts.items():
        if len(one) < 2:  # noqa: PLR2004 - one document says nothing about others
            continue
        strata = strata_of(one.ids, categories or {})
        for functional in functionals(by, one, protocol):
            samples = functional.of(resampled(functional.rows, resampling, strata))
            low, high = interval(samples, resampling.level).tolist()
            intervals |= dict(zip(functional.names, zip(low, high, strict=True), strict=True))
            smallest = POWER_AND_ALPHA * np.sqrt(2) * samples.std(axis=0, ddof=min(1, len(samples) - 1))
            detectable |= dict(zip(functional.names, smallest.tolist(), strict=True))
    order = [name for by, one in counts.items() for name in _names(by, one, protocol) if name in intervals]
    return Uncertainty({name: intervals[name] for name in order}, {name: detectable[name] for name in order})


def _names(by: str, counts: Counts, protocol: Protocol) -> list[str]:
    """Names of the values of one gold set in the order of reports."""
    pairs = ((average, measure) for average in protocol.average for measure in protocol.measures)
    return [value(by, *pair, protocol).name for pair in pairs] + [f"{by}/{name}" for name in counts.means]


def with_intervals(
    report: Report, protocol: Protocol, resampling: Resampling, categories: Mapping[str, str] | None = None
) -> Report:
    """The report with intervals and detectable differences; arguments as for ``uncertainty``."""
    found = uncertainty(report.counts, protocol, resampling, categories)
    if not found.intervals:
        return report
    sig, stratified = resampling.mark("pb"), bool(categories)
    return replace(report, sig=sig, stratified=stratified, intervals=found.intervals, detectable=found.detectable)


def paired(
    first: Functional,
    second: Functional,
    resampling: Resampling,
    *,
    randomised: bool = True,
    strata: Ints | None = None,
) -> Paired:
    """Difference of two runs with its bootstrap interval, and p by approximate randomisation or by the bootstrap."""
    width = first.rows.shape[1]
    totals = resampled(np.hstack([first.rows, second.rows]), resampling, strata)
    samples = first.of(totals[:, :width]) - second.of(totals[:, width:])
    difference = first.found - second.found
    low, high = interval(samples, resampling.level)
    p = randomisation(first, second, resampling) if randomised else bootstrap_p(difference, samples)[1]
    smallest = POWER_AND_ALPHA * samples.std(axis=0, ddof=min(1, len(samples) - 1))
    return Paired(first.names, difference, low, high, p, smallest)


def bootstrap_p(difference: Floats, samples: Floats) -> tuple[Floats, Floats]:
    """One-sided and two-sided p of the paired bootstrap, each (values,).

    One-sided is ``(1 + samples that do not show the sign of the difference) / (samples + 1)``, two-sided twice the
    smaller of it and its complement; both are 1 where there is no difference.

    Args:
        difference: on the documents as they are, (values,).
        samples: resampled differences, (samples, values).
    """
    turned = samples * np.sign(difference)
    one = (1 + np.count_nonzero(turned <= _EQUAL, axis=0)) / (len(samples) + 1)
    two = np.clip(2 * np.minimum(one, 1 - one), 1 / (len(samples) + 1), 1)
    same = np.abs(difference) <= _EQUAL
    return np.where(same, 1.0, one), np.where(same, 1.0, two)


def randomisation(first: Functional, second: Functional, resampling: Resampling) -> Floats:
    """Two-sided p of approximate randomisation, (values,): ``(1 + samples at least as far apart) / (samples + 1)``.

    Exchanging a document moves the difference of its two rows from one run's sums to the other's, so that documents
    with equal differences are one group, of which a binomial number is exchanged.
    """
    apart, sizes = distinct(first.rows - second.rows)
    several = sizes > 1
    one, other = first.rows.sum(axis=0), second.rows.sum(axis=0)
    least = np.abs(first.of(one) - second.of(other)) - _EQUAL
    chance = resampling.generator()
    step = max(1, _AT_ONCE // max(1, len(sizes)))
    farther = np.zeros(len(first.names), dtype=np.int64)
    for start in range(0, resampling.samples, step):
        some = min(step, resampling.samples - start)
        moved = chance.binomial(sizes[several], 0.5, (some, int(several.sum()))) @ apart[several]
        moved += chance.integers(2, size=(some, int((~several).sum())), dtype=bool).astype(np.float64) @ apart[~several]
        farther += np.count_nonzero(np.abs(first.of(one - moved) - second.of(other + moved)) >= least, axis=0)
    return (1 + farther) / (resampling.samples + 1)


def t_test(first: Floats, second: Floats) -> float:
    """Two-sided p of Student's paired test on document scores, each (documents,).

    Where all differences are equal there is no spread to compare them with: p is 1 if they are 0 or there are fewer
    than two, else 0.
    """
    from scipy.stats import ttest_1samp  # noqa: PLC0415 - heavy, only this test needs it

    apart = _apart(first, second)
    if len(apart) < 2 or np.ptp(apart) == 0:  # noqa: PLR2004 - one difference has no spread
        return 0.0 if len(apart) > 1 and apart.any() else 1.0
    return float(ttest_1samp(apart, 0).pvalue)


def wilcoxon(first: Floats, second: Floats) -> float:
    """Two-sided p of Wilcoxon's signed-rank test on document scores, each (documents,); 1 where all are equal.

    Documents with equal scores are left out, as in his paper of 1945.
    """
    from scipy.stats import wilcoxon as signed_rank  # noqa: PLC0415 - heavy, only this test needs it

    apart = _apart(first, second)
    return float(signed_rank(apart).pvalue) if apart.any() else 1.0


def _apart(first: Floats, second: Floats) -> Floats:
    """Differences of scores without the digits that only the order of computing makes, (documents,)."""
    differences: Floats = np.round(first - second, 12)
    return differences


def holm(p: Sequence[float]) -> tuple[float, ...]:
    """Probabilities corrected for the number of comparisons after Holm (1979), in the given order.

    The smallest is multiplied by how many there are, the next by one less and so on; none is smaller than the one
    before it, none is larger than 1.
    """
    corrected = [0.0] * len(p)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = min(1.0, max(least, (len(p) - rank) * p[place]))
        corrected[place] = least
    return tuple(corrected)
