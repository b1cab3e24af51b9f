"""Statistics of counted phrases: intervals of expected numbers, tests of trends, and phrases typical of a group."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import NormalDist
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints

_LEVEL: Final = 0.95  # level of intervals; usual
_EXACT: Final = 400
"""Documents up to which the distribution of their number is computed exactly, in some milliseconds; above, it is nearly
normal, corrected for its skewness. Arbitrary."""
_EXACT_TREND: Final = 30  # the same for a trend, whose distribution is computed once for each number
_NORMAL: Final = NormalDist()


def count_interval(probabilities: Floats) -> tuple[int, int]:
    """Return the interval of the number of events with these probabilities, which are independent: Poisson binomial.

    At least 2.5 % of the distribution lies at each of its ends or beyond.
    """
    uncertain = probabilities[probabilities < 1]
    certain, tail = len(probabilities) - len(uncertain), (1 - _LEVEL) / 2
    if len(uncertain) <= _EXACT:
        distribution = np.ones(1)
        for probability in uncertain:
            distribution = np.convolve(distribution, (1 - probability, probability))
        low, high = np.searchsorted(np.cumsum(distribution), (tail + 1e-12, 1 - tail - 1e-12))
        return certain + int(low), certain + min(int(high), len(uncertain))
    spread = uncertain * (1 - uncertain)
    deviation = math.sqrt(spread.sum())
    skewness = float((spread * (1 - 2 * uncertain)).sum()) / deviation**3 if deviation else 0.0
    quantiles = (_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(1 - tail))
    # Cornish and Fisher's first correction of a normal quantile.
    low_value, high_value = (uncertain.sum() + deviation * (z + skewness * (z * z - 1) / 6) for z in quantiles)
    return certain + max(0, round(low_value)), certain + min(len(uncertain), round(high_value))


def trend_probability(counts: Ints, totals: Ints, scores: Floats) -> tuple[float, float]:
    """Return the direction of a trend, above 0 where it rises, and its two-sided p-value.

    ``counts``, ``totals``: documents with the phrase, and all, in each group; ``scores``: of each, increasing,
    (groups,). Under the null hypothesis the documents of the phrase are drawn from all documents without replacement,
    and their mean score (year) is that of all: the permutation form of the test of Cochran and Armitage. Up to 30
    documents the distribution is exact for equally spaced whole scores.
    """
    drawn, size = int(counts.sum()), int(totals.sum())
    mean = float(totals @ scores) / size
    statistic = float(counts @ (scores - mean))
    variance = float(totals @ (scores - mean) ** 2) / size
    deviation = math.sqrt(drawn * variance * (size - drawn) / max(1, size - 1))
    if not deviation:
        return 0.0, 1.0
    if drawn <= _EXACT_TREND and all(float(score).is_integer() for score in scores):
        steps = tuple(int(score - scores[0]) for score in scores)
        tails = _score_tails(drawn, tuple(map(int, totals)), steps)
        return statistic, min(1.0, 2 * min(float(tail[int(counts @ np.array(steps))]) for tail in tails))
    return statistic, 2 * _NORMAL.cdf(-abs(statistic) / deviation)


@cache
def _score_tails(drawn: int, totals: tuple[int, ...], steps: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return for each sum of scores of documents drawn the probability of a sum as small, and of one as large."""
    # Ways to draw so many documents with such a sum, group by group: the coefficients of a generating function.
    ways = np.zeros((drawn + 1, drawn * steps[-1] + 1))
    ways[0, 0] = 1.0
    for total, step in zip(totals, steps, strict=True):
        further = ways.copy()
        for number in range(1, min(drawn, total) + 1):
            shift = number * step
            log_choices = math.lgamma(total + 1) - math.lgamma(number + 1) - math.lgamma(total - number + 1)
            choices = math.exp(log_choices - number * math.log(max(totals)))
            further[number:, shift:] += choices * ways[: drawn + 1 - number, : ways.shape[1] - shift]
        ways = further
    distribution = ways[drawn] / ways[drawn].sum()
    return np.cumsum(distribution), np.cumsum(distribution[::-1])[::-1]


def adjust_probabilities(probabilities: Sequence[float]) -> list[float]:
    """Return the q-value of each p-value, the least false discovery rate (Benjamini and Hochberg 1995)."""
    values = np.asarray(probabilities, float)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return list(map(float, np.minimum(adjusted, 1.0)))


_PRIOR: Final = 0.1
"""Size of the prior in log-odds, as a share of all uses of phrases, and at most 500, as in the paper; arbitrary. It
moves rare phrases only."""


def typical_phrases(counts: Mapping[str, Floats], least: float = 1.96) -> dict[str, list[tuple[int, float]]]:
    """Return the phrases of each group with a z-score of ``least`` or more against the others, best first.

    ``counts``: documents of each phrase by group, (phrases,) each. Log-odds with an informative Dirichlet prior, the
    counts of all groups: Monroe, Colaresi and Quinn, "Fightin' Words", Political Analysis 2008, equations 15, 16 and
    22.
    """
    everything: Floats = np.asarray(sum(counts.values()), float)
    prior = everything * min(_PRIOR, 500 / max(1.0, everything.sum()))
    typical = {}
    for name, count in counts.items():
        other = everything - count
        first, second = count + prior, other + prior
        with np.errstate(divide="ignore", invalid="ignore"):
            log_odds = np.log(first / (first.sum() - first)) - np.log(second / (second.sum() - second))
            scores = np.nan_to_num(log_odds / np.sqrt(1 / first + 1 / second), nan=0.0, posinf=0.0, neginf=0.0)
        order = np.argsort(-scores, kind="stable")
        typical[name] = [(int(index), float(scores[index])) for index in order if scores[index] >= least]
    return typical
