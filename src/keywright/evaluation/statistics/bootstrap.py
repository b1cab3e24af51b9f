"""Bootstrap: the variation of values due to the choice of documents (Efron and Tibshirani 1993, chapter 13).

Documents with equal statistics form one group, and the number of draws of each group is sampled, which has the same
distribution as drawing documents and does not depend on their order. Strata are resampled separately.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation.measures.counts import Counts, Measure, quotient
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average, FScore, ZeroDivisor
from keywright.evaluation.scoring import counting

Groups: TypeAlias = tuple[Floats, Ints]  # distinct rows, (groups, columns), and how often each occurs, (groups,)
SAMPLES: Final = 10_000  # usual
SEED: Final = 12345  # arbitrary
LEVEL: Final = 0.95  # usual

_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
"""2^64 / golden ratio, odd: the usual multiplier of a multiplicative hash."""
_SHIFT: Final = np.uint64(29)  # bits by which high bits are mixed into low ones; arbitrary, about half of the word
_DOCUMENTS_PER_GROUP: Final = 10
"""Mean group size from which drawing group counts is faster than drawing documents (measured)."""
AT_ONCE: Final = 200_000
"""Drawn numbers in memory at a time: they fit in a processor's cache, which makes counting them fast."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """Number of samples, seed (numpy's PCG64), and level of intervals."""

    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise BadParameter(f"{self.samples} resamples", "expected at least 1; 10000 is usual")
        if self.seed < 0:
            raise BadParameter(f"seed {self.seed}", "expected a number from 0")
        if not 0 < self.level < 1:
            raise BadParameter(f"level {self.level}", "expected a fraction between 0 and 1, such as 0.95")

    def generator(self) -> np.random.Generator:
        """Return a new generator of random numbers."""
        return np.random.Generator(np.random.PCG64(self.seed))

    def mark(self, kind: str) -> str:
        """Return the label of results: ``pb10000:12345``."""
        return f"{kind}{self.samples}:{self.seed}"


class Value(NamedTuple):
    """A value's name in reports, such as ``combined/macro-F@15``, its average, and the measure without it."""

    name: str
    average: Average
    measure: str


@dataclass(frozen=True, slots=True, eq=False)
class Functional:
    """Values of a run that are a function of sums over its documents."""

    values: tuple[Value, ...]  # the values, (values,)
    ids: Sequence[str]  # the documents, (documents,)
    rows: Floats  # statistics that are summed, (documents, columns)
    of: Callable[[Floats], Floats]  # function from sums (..., columns) to values (..., values)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the values, (values,)."""
        return tuple(value.name for value in self.values)

    @property
    def observed(self) -> Floats:
        """The values on the original documents, (values,)."""
        return self.of(self.rows.sum(axis=0))


def make_exact(protocol: Protocol) -> Protocol:
    """Return the protocol for resampling: nothing is rounded, and a sample whose divisor is 0 gives 0."""
    return replace(protocol, f_from=FScore.EXACT, decimals=None, zero_divisor=ZeroDivisor.ZERO)


def make_functionals(by: str, counts: Counts, protocol: Protocol) -> Iterator[Functional]:
    """Yield the values of one gold set, a functional for each cutoff and mean; names are those of ``Report.values``."""
    rules = make_exact(protocol)
    for place, k in enumerate(counts.cutoffs):
        here = replace(counts, cutoffs=(k,), hits=counts.hits[:, place, None], divisors=counts.divisors[:, place, None])
        measures = tuple(measure for measure in rules.measures if measure.k == k)
        named = tuple(
            Value(rules.name_value(by, average, measure), average, str(measure))
            for average in rules.average
            for measure in measures
        )
        rows = np.hstack([counting.tabulate_statistics(here, average, rules) for average in rules.average])
        yield Functional(named, counts.ids, rows, partial(_measure_totals, rules, measures))
    for name, column in counts.means.items():
        there = ~np.isnan(column)
        rows = np.stack([np.where(there, column, 0.0), there.astype(np.float64)], axis=1)
        value = Value(f"{by}/{name}", Average.MEAN, name)
        yield Functional((value,), counts.ids, rows, lambda totals: quotient(totals[..., :1], totals[..., 1:]))


def document_scores(counts: Counts, protocol: Protocol) -> dict[str, Floats]:
    """Return documents' P, R and F at each cutoff, by measure, (documents,); nan where the protocol leaves one out."""
    table = counting.tabulate_statistics(counts, Average.MEAN, make_exact(protocol))
    counted, population = table[:, -2] > 0, table[:, -1] > 0
    scores = {}
    for block, kind in enumerate(("P", "R", "F")):
        for place, k in enumerate(counts.cutoffs):
            column = table[:, block * len(counts.cutoffs) + place]
            scores[f"{kind}@{k}"] = np.where(counted if kind == "P" else population, column, np.nan)
    return scores | dict(counts.means)


def _measure_totals(protocol: Protocol, measures: tuple[Measure, ...], totals: Floats) -> Floats:
    """Compute measures of one cutoff from sums, average by average, (..., averages * measures)."""
    columns = []
    for part, average in zip(np.split(totals, len(protocol.average), axis=-1), protocol.average, strict=True):
        numbers = counting.compute_values(part, (measures[0].k or 0,), average, protocol)
        columns += [getattr(numbers, measure.name) for measure in measures]
    return np.concatenate(columns, axis=-1)


def list_categories(labelled: Iterable[LabelledDocument[Document]]) -> dict[str, str]:
    """Return categories by document id, from ``meta["category"]``; empty unless every document has one."""
    categories = {document.id: document.document.meta.get("category") for document in labelled}
    return {} if None in categories.values() else {name: str(category) for name, category in categories.items()}


def number_strata(ids: Sequence[str], categories: Mapping[str, str]) -> Ints | None:
    """Number the stratum of each document, (documents,); None without categories."""
    if not categories:
        return None
    names = {name: place for place, name in enumerate(sorted(set(categories.values())))}
    try:
        return np.array([names[categories[document]] for document in ids], dtype=np.int64)
    except KeyError as missing:
        message = f"document {missing.args[0]!r} has no category"
        raise BadRecord(message, "expected one for each document, or none") from None


def resample(rows: Floats, resampling: Resampling, strata: Ints | None = None) -> Floats:
    """Sum rows over documents drawn with replacement, from each stratum separately, (samples, columns)."""
    parts = [slice(None)] if strata is None else [strata == number for number in np.unique(strata)]
    return resample_groups([group_rows(rows[part]) for part in parts], resampling)


def resample_groups(strata: Sequence[Groups], resampling: Resampling) -> Floats:
    """Like ``resample``, from the distinct rows of each stratum and how often they occur."""
    totals = np.zeros((resampling.samples, strata[0][0].shape[1]))
    chance = resampling.generator()
    for groups, sizes in strata:
        start = 0
        for weights in _draw_groups(sizes, resampling.samples, chance):
            totals[start : start + len(weights)] += weights @ groups
            start += len(weights)
    return totals


def draw_documents(documents: int, resampling: Resampling) -> Iterator[Floats]:
    """Yield how often each document is in each sample, (some samples, documents) at a time, for sums of sparse rows."""
    return _draw_groups(np.ones(documents, dtype=np.int64), resampling.samples, resampling.generator())


def group_rows(rows: Floats, sizes: Ints | None = None) -> Groups:
    """Return distinct rows, (groups, columns), and how often each occurs, each row once or ``sizes`` times."""
    codes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:  # a multiplicative hash over the bits of each column
        codes = (codes ^ (column + 0.0).view(np.uint64)) * _MULTIPLIER  # + 0.0 makes 0 of -0
        codes ^= codes >> _SHIFT
    _, first, owner = np.unique(codes, return_index=True, return_inverse=True)
    groups = rows[first]
    if not all(np.array_equal(column, column[first][owner]) for column in rows.T):
        groups, owner = np.unique(rows, axis=0, return_inverse=True)
    return groups, np.bincount(owner, sizes, minlength=len(groups)).astype(np.int64)


def percentile_interval(samples: Floats, level: float) -> Floats:
    """Return the percentile interval of resampled values: low and high, (2, values), from (samples, values)."""
    outside = (1 - level) / 2
    return np.asarray(np.quantile(samples, [outside, 1 - outside], axis=0))


def _draw_groups(sizes: Ints, samples: int, chance: np.random.Generator) -> Iterator[Floats]:
    """Yield how often each group is drawn in as many draws as documents, (some samples, groups) at a time."""
    documents = int(sizes.sum())
    by_group = len(sizes) * _DOCUMENTS_PER_GROUP <= documents
    step = max(1, AT_ONCE // max(1, len(sizes) if by_group else documents))
    owner = np.repeat(np.arange(len(sizes)), sizes)  # (documents,)
    for start in range(0, samples, step):
        batch = min(step, samples - start)
        if by_group:
            yield chance.multinomial(documents, sizes / documents, batch).astype(np.float64)
        else:
            drawn = chance.integers(documents, size=(batch, documents), dtype=np.uint32)
            groups = drawn if len(sizes) == documents else owner[drawn]
            # One bincount for the whole batch: an offset gives each sample its own bins.
            bins = groups + np.arange(0, batch * len(sizes), len(sizes))[:, None]
            counted = np.bincount(bins.ravel(), minlength=batch * len(sizes))
            yield counted.reshape(batch, len(sizes)).astype(np.float64)


def group_functionals(
    by: str, counts: Counts, protocol: Protocol, strata: Ints | None
) -> Sequence[tuple[Functional, Sequence[Groups]]]:
    """Return the functionals of a gold set, each with its distinct rows in each of ``strata``, (documents,) or None."""
    owners = np.zeros(len(counts), dtype=np.int64) if strata is None else strata
    numbers = np.unique(owners)
    grouped: list[tuple[Functional, list[list[Groups]]]] = []
    start = 0
    for block in counting.split_blocks(counts):
        owner = owners[start : start + len(block)]
        start += len(block)
        for place, functional in enumerate(make_functionals(by, block, protocol)):
            if place == len(grouped):
                grouped.append((replace(functional, ids=(), rows=functional.rows[:0].copy()), [[] for _ in numbers]))
            for parts, number in zip(grouped[place][1], numbers, strict=True):
                parts.append(group_rows(functional.rows[owner == number]))
    for _, strata_parts in grouped:
        for part in strata_parts:
            if len(part) > 1:  # the distinct rows of all parts, as ``group_rows`` of all their rows gives them
                rows, sizes = (np.concatenate(column) for column in zip(*part, strict=True))
                part[:] = [group_rows(rows, sizes)]
    return [(functional, [part[0] for part in parts]) for functional, parts in grouped]
