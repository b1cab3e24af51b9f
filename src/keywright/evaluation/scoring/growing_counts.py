"""Counts that grow block after block of documents, without a second copy of what is there."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.id_list import IdList
from keywright.evaluation.measures.counts import Counts

_COLUMNS: Final = ("hits", "divisors", "predicted", "gold", "relevance")


@dataclass(slots=True, eq=False)
class GrowingColumn:
    """A column or table of numbers that grows at its end, of the widest type that one of its parts has.

    Bytes grow in place: there is no second copy of them, except while the type changes.
    """

    kind: np.dtype[Any]
    width: tuple[int, ...]
    content: bytearray = field(default_factory=bytearray)
    rows: int = 0

    def append(self, part: Ints | Floats) -> None:
        """Append rows."""
        kind = np.promote_types(self.kind, part.dtype)
        if kind != self.kind:
            self.content, self.kind = bytearray(self.array().astype(kind).tobytes()), kind
        self.content += part.astype(kind, copy=False).tobytes()
        self.rows += len(part)

    def array(self) -> Any:
        """Return the rows, which must not grow while the array is used."""
        return np.frombuffer(self.content, self.kind).reshape(self.rows, *self.width)


@dataclass(slots=True, eq=False)
class GrowingCounts:
    """The counts of one gold set; its blocks have the same cutoffs and means.

    Attributes:
        first: the first block, without documents.
    """

    first: Counts
    columns: dict[str, GrowingColumn]
    means: dict[str, GrowingColumn]

    @classmethod
    def of(cls, block: Counts) -> "GrowingCounts":
        """Return the counts of a block."""
        empty = {name: getattr(block, name)[:0].copy() for name in _COLUMNS}
        counts = cls(replace(block, ids=(), means={}, **empty), _columns(empty), _columns(block.means))
        counts.append(block)
        return counts

    def append(self, block: Counts) -> None:
        """Append the counts of a block of documents."""
        for name, column in self.columns.items():
            column.append(getattr(block, name))
        for name, column in self.means.items():
            column.append(block.means[name])

    def counts(self, ids: IdList) -> Counts:
        """Return the counts of all documents, which have these ids."""
        columns: dict[str, Any] = {name: column.array() for name, column in self.columns.items()}
        means = {name: column.array() for name, column in self.means.items()}
        return replace(self.first, ids=ids, means=means, **columns)


def _columns(arrays: Any) -> dict[str, GrowingColumn]:
    """Return empty columns of the types of some arrays, by name."""
    return {name: GrowingColumn(column.dtype, column.shape[1:]) for name, column in arrays.items()}
