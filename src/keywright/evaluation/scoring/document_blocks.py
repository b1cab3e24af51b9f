"""Statistics of very many documents, block after block, so that few of them are in memory together."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.aggregation import statistics

_AT_ONCE: Final = 50_000
"""Documents whose statistics are in memory together; arbitrary."""


def totals(counts: Counts, average: Average, protocol: Protocol) -> Floats:
    """Return the sums of the columns of ``statistics`` over documents, (3 * cutoffs + 3,).

    Blocks of documents are summed one after the other, each from the sum before it. NumPy adds the rows of a table with
    several columns in their order, so that the sums are those of all rows at once, to the last digit.
    """
    sums = np.empty((0, 3 * len(counts.cutoffs) + 3))
    for block in blocks_of(counts):
        sums = np.vstack([sums, statistics(block, average, protocol)]).sum(axis=0, keepdims=True)
    return np.asarray(sums.sum(axis=0))


def blocks_of(counts: Counts) -> Iterator[Counts]:
    """Yield the counts of some documents after the other, without their relevance."""
    for start in range(0, len(counts), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        yield replace(
            counts,
            ids=counts.ids[part],
            hits=counts.hits[part],
            divisors=counts.divisors[part],
            predicted=counts.predicted[part],
            gold=counts.gold[part],
            relevance=counts.relevance[:0],
            means={name: column[part] for name, column in counts.means.items()},
        )


def joined(blocks: list[Counts]) -> Counts:
    """Concatenate the counts of several blocks of documents, which have the same cutoffs and means.

    The list is emptied, and each column gone when the next is made, so that there is little memory beside the result.
    """
    first, ids = blocks[0], tuple(itertools.chain.from_iterable(block.ids for block in blocks))
    names = ("hits", "divisors", "predicted", "gold", "relevance")
    pieces = {name: [getattr(block, name) for block in blocks] for name in names}
    means = {name: np.concatenate([block.means[name] for block in blocks]) for name in first.means}
    nothing: dict[str, Any] = dict.fromkeys(names, first.predicted[:0].copy())
    first = replace(first, ids=(), means={}, **nothing)
    blocks.clear()
    columns: dict[str, Any] = {name: np.concatenate(pieces.pop(name)) for name in names}
    return replace(first, ids=ids, means=means, **columns)


def compact(counts: Counts) -> Counts:
    """Return the counts with whole numbers of four bytes, whose quotients are those of eight."""
    columns = {name: getattr(counts, name) for name in ("hits", "divisors", "predicted", "gold")}
    whole: dict[str, Any] = {name: column for name, column in columns.items() if column.dtype == np.int64}
    return replace(counts, **{name: column.astype(np.int32) for name, column in whole.items()})
