"""Statistics of very many documents, block after block, so that few of them are in memory together."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.aggregation import statistics

_AT_ONCE: Final = 10_000
"""Documents whose statistics are in memory together; arbitrary."""
_SIGNED: Final = (np.int16, np.int32, np.int64)
_UNSIGNED: Final = (np.uint8, np.uint16, np.uint32, np.uint64)


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


def compact(counts: Counts) -> Counts:
    """Return the counts with whole numbers of two bytes, relevance of one, or of more where they do not fit.

    Sums and quotients are those of numbers of eight bytes.
    """
    columns = {name: getattr(counts, name) for name in ("hits", "divisors", "predicted", "gold", "relevance")}
    whole: dict[str, Any] = {name: column for name, column in columns.items() if column.dtype.kind != "f"}
    return replace(counts, **{name: column.astype(_kind_of(column)) for name, column in whole.items()})


def _kind_of(column: Ints) -> type[np.integer[Any]]:
    """Return the smallest type for the numbers of a column, from 0: signed as the column is."""
    kinds = _SIGNED if column.dtype.kind == "i" else _UNSIGNED
    return next(kind for kind in kinds if column.max(initial=0) <= np.iinfo(kind).max)
