"""Aggregate counts to values, in two steps: statistics that are summed over documents, and a function of the sums.

This is enough for resampling: ``weights @ statistics`` with weights (resamples, documents) gives the totals of all
resamples at once, and ``compute_values`` turns them into measures. Very many documents are summed block after block, so
that the statistics of few of them are in memory together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import PartlyDone
from keywright.evaluation.measures.counts import Counts, quotient
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average, Documents, FScore, NoGold, Unit, ZeroDivisor

HUNDRED: Final = 100
"""Test documents of SemEval-2010, by which its scorer divides."""
_AT_ONCE: Final = 10_000
"""Documents whose statistics are in memory together; arbitrary."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Precision, recall and F as fractions, each (..., cutoffs)."""

    P: Floats
    R: Floats
    F: Floats


def tabulate_statistics(counts: Counts, average: Average, protocol: Protocol) -> Floats:
    """Return the columns that are summed over documents, (documents, 3 * cutoffs + 3).

    Three blocks of one column per cutoff, then gold entries, 1, and 1 where the document counts for R and F. The blocks
    are, pooled: hits, divisors of precision, divisors where the document counts for R and F; averaged over documents:
    P, R and P where it counts for R and F (``macro``), or P, R and F (``mean``).
    """
    population = np.ones(len(counts), dtype=bool)
    if protocol.no_gold in (NoGold.LEFT_OUT, NoGold.NOT_COUNTED):
        population = counts.gold > 0
    blocks = _pool_counts(counts, population) if average is Average.MICRO else _average_documents(counts, average)
    sizes = np.stack([counts.gold, np.ones(len(counts)), population], axis=1)
    table = np.hstack([*blocks, sizes]).astype(np.float64)
    return table * population[:, None] if protocol.no_gold is NoGold.NOT_COUNTED else table


def compute_values(totals: Floats, cutoffs: tuple[Cutoff, ...], average: Average, protocol: Protocol) -> Values:
    """Compute measures from sums of the columns of ``statistics`` for the same average, (..., columns)."""
    n = len(cutoffs)
    first, second, third = (totals[..., at : at + n] for at in (0, n, 2 * n))
    gold, documents, population = (totals[..., at, None] for at in (3 * n, 3 * n + 1, 3 * n + 2))
    if protocol.documents is Documents.HUNDRED:
        if average is Average.MICRO:
            second, third = (quotient(divisors * HUNDRED, documents) for divisors in (second, third))
        documents = population = np.full_like(documents, HUNDRED)
    if average is Average.MICRO:
        parts = (first, second), (first, gold), (first, third)
    else:
        parts = (first, documents), (second, population), (third, population)
    precision, recall, inner = (
        _divide_totals(above, below, protocol) * _unit_scale(protocol) for above, below in parts
    )
    if average is not Average.MEAN:
        inner = _compute_f(inner, recall, protocol)
    return Values(*(_round_numbers(part, protocol) / _unit_scale(protocol) for part in (precision, recall, inner)))


def _pool_counts(counts: Counts, population: Bools) -> tuple[Floats, Floats, Floats]:
    divisors = counts.divisors.astype(np.float64)
    return counts.hits.astype(np.float64), divisors, divisors * population[:, None]


def _average_documents(counts: Counts, average: Average) -> tuple[Floats, Floats, Floats]:
    """Return blocks that are divided in each document and then summed; a document's quotient by 0 is 0.

    A document without gold has no hits, so that it adds nothing to a sum and needs no mask.
    """
    precision = quotient(counts.hits, counts.divisors)
    recall = quotient(counts.hits, counts.gold[:, None])
    inner = precision if average is Average.MACRO else quotient(2 * precision * recall, precision + recall)
    return precision, recall, inner


def _compute_f(precision: Floats, recall: Floats, protocol: Protocol) -> Floats:
    """Compute F from P and R, which the protocol may round first; all in the protocol's unit."""
    if protocol.f_from is FScore.ROUNDED:
        precision, recall = _round_numbers(precision, protocol), _round_numbers(recall, protocol)
    return _divide_totals(2 * precision * recall, precision + recall, protocol)


def _unit_scale(protocol: Protocol) -> float:
    """Return the factor from fractions to the protocol's unit."""
    return 100.0 if protocol.unit is Unit.PERCENT else 1.0


def _round_numbers(numbers: Floats, protocol: Protocol) -> Floats:
    """Round to the protocol's decimals as ``%.2f`` does, by the exact binary value."""
    if protocol.decimals is None:
        return numbers
    digits = [float(f"{number:.{protocol.decimals}f}") for number in numbers.ravel().tolist()]
    return np.array(digits, dtype=np.float64).reshape(numbers.shape)


def _divide_totals(a: Floats, b: Floats, protocol: Protocol) -> Floats:
    """Divide totals, with the protocol's rule for a divisor of 0."""
    if protocol.zero_divisor is ZeroDivisor.STOP and not np.all(b):
        message = "a divisor is 0: no match at a cutoff, or no gold at all"
        raise PartlyDone(message, "the reference stops here; a protocol with zero_divisor=zero reports 0")
    return quotient(a, b)


def sum_statistics(counts: Counts, average: Average, protocol: Protocol) -> Floats:
    """Return the sums of the columns of ``statistics`` over documents, (3 * cutoffs + 3,).

    Blocks of documents are summed one after the other, each from the sum before it. NumPy adds the rows of a table with
    several columns in their order, so that the sums are those of all rows at once, to the last digit.
    """
    sums = np.empty((0, 3 * len(counts.cutoffs) + 3))
    for block in split_blocks(counts):
        sums = np.vstack([sums, tabulate_statistics(block, average, protocol)]).sum(axis=0, keepdims=True)
    return np.asarray(sums.sum(axis=0))


def split_blocks(counts: Counts) -> Iterator[Counts]:
    """Yield the counts of some documents after the other, without their relevance."""
    return (counts.of_documents(slice(start, start + _AT_ONCE)) for start in range(0, len(counts), _AT_ONCE))


def compact_counts(counts: Counts) -> Counts:
    """Return the counts with whole numbers of two bytes, relevance of one, or of more where they do not fit.

    Sums and quotients are those of numbers of eight bytes.
    """
    columns = {name: getattr(counts, name) for name in ("hits", "divisors", "predicted", "gold", "relevance")}
    whole: dict[str, Any] = {name: column for name, column in columns.items() if column.dtype.kind != "f"}
    return replace(counts, **{name: column.astype(_smallest_type(column)) for name, column in whole.items()})


def _smallest_type(column: Ints) -> "np.dtype[Any]":
    """Return the smallest type for the numbers of a column, from 0: signed as the column is, and then of two bytes."""
    most = int(column.max(initial=0))
    return np.min_scalar_type(most) if column.dtype.kind == "u" else np.result_type(np.int16, np.min_scalar_type(~most))
