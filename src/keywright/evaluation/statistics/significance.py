"""Intervals of values, paired significance tests of two runs on the same documents, effect sizes, agreement of people.

The paired bootstrap draws documents with both runs' statistics; approximate randomisation (Noreen 1989) exchanges the
two runs' statistics of a document with probability one half, which suits pooled values and harmonic means of averages.
Student's and Wilcoxon's paired tests are for means of document scores only. Several are corrected after Holm (1979).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import needs_extra
from keywright.evaluation.answers import GoldSet
from keywright.evaluation.measures.counts import harmonic
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics import bootstrap
from keywright.evaluation.statistics.bootstrap import Functional, Resampling

EQUAL: Final = 1e-12
"""Difference up to which values are equal: rounding errors of values of order 1 are some 1e-16; arbitrary."""
_DECIMALS: Final = 12  # decimals of differences of scores that count, as ``EQUAL`` says
POWER_AND_ALPHA: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 1 - .05 / 2 and of .8: a difference of so many standard errors is detected 4 times in 5."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Two runs, document by document."""

    wins: int  # wins, ties, losses: documents where the first run scores higher, equal, lower
    ties: int
    losses: int
    # Mean of the differences over their standard deviation, documents paired (Cohen 1988 calls it d_z): .2 is small, .8
    # large. None where undefined: fewer than two documents, or all differences equal.
    cohens_d: float | None
    # Probability that a document of the first run scores higher than one of the second, over all pairs of documents,
    # minus that of the reverse (Cliff 1993); from -1 to 1. None without documents.
    cliffs_delta: float | None


def measure_effect(first: Floats, second: Floats) -> Effect:
    """Compute the effect on document scores, each (documents,); documents where either is nan are left out."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    differences = first - second
    wins, losses = int(np.count_nonzero(differences > EQUAL)), int(np.count_nonzero(differences < -EQUAL))
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    cohens_d = None if spread <= EQUAL else float(differences.mean()) / spread
    ordered = np.sort(second)  # makes the comparison of all pairs n log n instead of n²
    below = np.searchsorted(ordered, first - EQUAL, side="left")
    above = len(ordered) - np.searchsorted(ordered, first + EQUAL, side="right")
    cliffs_delta = float((below.sum() - above.sum()) / (len(first) * len(second))) if len(first) else None
    return Effect(wins, len(differences) - wins - losses, losses, cohens_d, cliffs_delta)


class Paired(NamedTuple):
    """Two runs on the same documents, columns over the values of one functional."""

    names: tuple[str, ...]  # the values, (values,)
    difference: Floats  # first run minus second, (values,)
    low: Floats  # low, high: percentile interval of the difference, (values,)
    high: Floats
    p: Floats  # two-sided p-value of the difference, (values,)
    detectable: Floats  # smallest detectable difference of such runs, (values,)


def add_intervals(
    report: Report, protocol: Protocol, resampling: Resampling, categories: Mapping[str, str] | None = None
) -> Report:
    """Add percentile bootstrap intervals and detectable differences to a report; none for fewer than two documents.

    The detectable difference assumes a second run of the same spread with independent scores, so that its standard
    error is that of the value times the square root of 2; ``compare_pair`` measures that of two runs that correlate.
    """
    intervals: dict[str, tuple[float, float]] = {}
    detectable: dict[str, float] = {}
    for by, columns in report.counts.items():
        if len(columns) < 2:  # noqa: PLR2004 - one document has no variance
            continue
        strata = bootstrap.number_strata(columns.ids, categories or {})
        for functional, groups in bootstrap.group_functionals(by, columns, protocol, strata):
            samples = functional.of(bootstrap.resample_groups(groups, resampling))
            low, high = bootstrap.percentile_interval(samples, resampling.level).tolist()
            intervals |= dict(zip(functional.names, zip(low, high, strict=True), strict=True))
            smallest = POWER_AND_ALPHA * np.sqrt(2) * samples.std(axis=0, ddof=min(1, len(samples) - 1))
            detectable |= dict(zip(functional.names, smallest.tolist(), strict=True))
    if not intervals:
        return report
    names = [name for name in report.values if name in intervals]
    return replace(
        report,
        sig=resampling.mark("pb"),
        stratified=bool(categories),
        intervals={name: intervals[name] for name in names},
        detectable={name: detectable[name] for name in names},
    )


def compare_pair(
    first: Functional, second: Functional, resampling: Resampling, *, randomised: bool, strata: Ints | None = None
) -> Paired:
    """Compare two runs: difference, bootstrap interval, p by approximate randomisation or by the bootstrap."""
    width = first.rows.shape[1]
    totals = bootstrap.resample(np.hstack([first.rows, second.rows]), resampling, strata)
    samples = first.of(totals[:, :width]) - second.of(totals[:, width:])
    difference = first.observed - second.observed
    low, high = bootstrap.percentile_interval(samples, resampling.level)
    p = randomisation_p(first, second, resampling) if randomised else bootstrap_p(difference, samples)[1]
    smallest = POWER_AND_ALPHA * samples.std(axis=0, ddof=min(1, len(samples) - 1))
    return Paired(first.names, difference, low, high, p, smallest)


def bootstrap_p(difference: Floats, samples: Floats) -> tuple[Floats, Floats]:
    """Compute one-sided and two-sided p of the paired bootstrap, each (values,), from (samples, values).

    One-sided is ``(1 + samples without the sign of the difference) / (samples + 1)``, two-sided twice the smaller of it
    and its complement; both are 1 where there is no difference.
    """
    aligned = samples * np.sign(difference)
    one_sided = (1 + np.count_nonzero(aligned <= EQUAL, axis=0)) / (len(samples) + 1)
    two_sided = np.clip(2 * np.minimum(one_sided, 1 - one_sided), 1 / (len(samples) + 1), 1)
    equal = np.abs(difference) <= EQUAL
    return np.where(equal, 1.0, one_sided), np.where(equal, 1.0, two_sided)


def randomisation_p(first: Functional, second: Functional, resampling: Resampling) -> Floats:
    """Compute two-sided p of approximate randomisation, (values,): share of samples with at least that difference.

    Exchanging a document moves the difference of its two rows from one run's sums to the other's, so that documents
    with equal differences are one group, of which a binomial number is exchanged. The observed sample is counted too.
    """
    differences, sizes = bootstrap.group_rows(first.rows - second.rows)
    several = sizes > 1
    single = ~several
    ours, theirs = first.rows.sum(axis=0), second.rows.sum(axis=0)
    observed = np.abs(first.of(ours) - second.of(theirs)) - EQUAL
    chance = resampling.generator()
    step = max(1, bootstrap.AT_ONCE // max(1, len(sizes)))
    extreme = np.zeros(len(first.names), dtype=np.int64)
    for start in range(0, resampling.samples, step):
        batch = min(step, resampling.samples - start)
        # Groups of one document need a coin only, which is drawn much faster than a binomial number.
        moved = chance.binomial(sizes[several], 0.5, (batch, int(several.sum()))) @ differences[several]
        coins = chance.integers(2, size=(batch, int(single.sum())), dtype=bool)
        moved += coins.astype(np.float64) @ differences[single]
        extreme += np.count_nonzero(np.abs(first.of(ours - moved) - second.of(theirs + moved)) >= observed, axis=0)
    return (1 + extreme) / (resampling.samples + 1)


def t_test(first: Floats, second: Floats) -> float:
    """Compute two-sided p of Student's paired test, each (documents,); without variance 1 if all are 0, else 0."""
    with needs_extra("eval", "the t-test needs scipy"):
        from scipy.stats import ttest_1samp  # noqa: PLC0415 - heavy, only this test needs it

    differences = np.round(first - second, _DECIMALS)
    if len(differences) < 2 or np.ptp(differences) == 0:  # noqa: PLR2004 - one difference has no variance
        return 0.0 if len(differences) > 1 and differences.any() else 1.0
    return float(ttest_1samp(differences, 0).pvalue)


def wilcoxon(first: Floats, second: Floats) -> float:
    """Compute two-sided p of Wilcoxon's signed-rank test (1945) on document scores; equal ones are left out."""
    with needs_extra("eval", "Wilcoxon's test needs scipy"):
        from scipy.stats import wilcoxon as signed_rank  # noqa: PLC0415 - heavy, only this test needs it

    differences = np.round(first - second, _DECIMALS)
    return float(signed_rank(differences).pvalue) if differences.any() else 1.0


def correct_holm(p: Sequence[float]) -> tuple[float, ...]:
    """Correct p-values for their number after Holm (1979), in the same order; they are 1 at most."""
    order = np.argsort(p, kind="stable")
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(np.take(p, order) * np.arange(len(p), 0, -1)))
    return tuple(corrected.tolist())


Choices: TypeAlias = Sequence[tuple[frozenset[Hashable], frozenset[Hashable]]]
"""For each document the choices of the first and of the second side."""
Entries: TypeAlias = Sequence[tuple[str, ...]]  # each with its accepted forms
Near: TypeAlias = Callable[[tuple[str, ...], tuple[str, ...]], bool]
"""Test whether two entries, each with its accepted forms, are the same choice."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Numbers of each side's choices that the other side covers."""

    # ``first_hit``, ``second_hit``: choices of each side that the other covers. They differ where one covers several.
    first_hit: int
    second_hit: int
    first: int
    second: int

    @property
    def precision(self) -> float:
        """Share of the second side's choices, taken as predictions, that the first side covers; 0 without any."""
        return self.second_hit / self.second if self.second else 0.0

    @property
    def recall(self) -> float:
        """Share of the first side's choices, taken as gold, that the second side covers; 0 without any."""
        return self.first_hit / self.first if self.first else 0.0

    @property
    def f(self) -> float:
        """Harmonic mean of the two."""
        return harmonic(self.precision, self.recall)


def count_overlap(documents: Iterable[tuple[Entries, Entries]], near: Near) -> Overlap:
    """Count entries of each side that are near some entry of the other, over all documents; no entry is used up."""
    hits = [0, 0]
    sizes = [0, 0]
    for first, second in documents:
        hits[0] += sum(any(near(entry, other) for other in second) for entry in first)
        hits[1] += sum(any(near(entry, other) for entry in first) for other in second)
        sizes[0] += len(first)
        sizes[1] += len(second)
    return Overlap(*hits, *sizes)


def count_shared(choices: Choices) -> Overlap:
    """Count the choices of sets that both sides share."""
    both = sum(len(first & second) for first, second in choices)
    return Overlap(both, both, sum(len(first) for first, _ in choices), sum(len(second) for _, second in choices))


def hooper(choices: Choices) -> float | None:
    """Compute consistency after Hooper (1965): common / union, mean over documents with a choice; None without any."""
    return _mean([len(first & second) / len(first | second) for first, second in choices if first | second])


def rolling(choices: Choices) -> float | None:
    """Compute consistency after Rolling (1981): 2 common / (first + second), the mean as in ``hooper``."""
    sizes = [(len(first & second), len(first) + len(second)) for first, second in choices]
    return _mean([2 * common / both for common, both in sizes if both])


def pair_choices(first: GoldSet, second: GoldSet, things: Callable[[tuple[str, ...]], Iterable[Hashable]]) -> Choices:
    """Return choices of two kinds of gold by document: the ``things`` of entries; a missing document is empty."""
    others = {document.id: document.entries for document in second.documents}
    sides = [(document.entries, others.pop(document.id, ())) for document in first.documents]
    pairs = []
    for pair in (*sides, *(((), entries) for entries in others.values())):
        ours, theirs = (frozenset(thing for entry in side for thing in things(entry)) for side in pair)
        pairs.append((ours, theirs))
    return pairs


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
