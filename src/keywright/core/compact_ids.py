"""Ids of many documents, compact: a set of their hashes, and a list of their bytes."""

import mmap
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

_FIRST: Final = 1 << 10
"""Places of an empty set, a power of two; arbitrary."""
_FULL: Final = 0.6
"""Share of the places above which there are twice as many; beyond it, searches get longer (Knuth, volume 3, 6.4)."""
_AT_ONCE: Final = 1 << 16
"""Places that are moved at a time when there are more of them, so that this takes half a megabyte; arbitrary."""
_MASK: Final = (1 << 64) - 1  # modulo 2**64


class IdSet:
    """Ids that were added, known by their 64-bit hashes; a million takes 17 MB in place of some 110.

    Two ids are taken for one with a probability of 3 in 100 million among a million, 3 in 10,000 among 100 million.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._table = _allocate(_FIRST)
        self._cells, self._count = self._table.data, 0
        for name in ids:
            self.add(name)

    def add(self, name: str) -> bool:
        """Add an id; return whether it is new."""
        value = _hash_id(name)
        place = self._place(value)
        if self._cells[place]:
            return False
        self._cells[place] = value
        self._count += 1
        if self._count > _FULL * len(self._table):
            self._grow()
        return True

    def __contains__(self, name: str) -> bool:
        return bool(self._cells[self._place(_hash_id(name))])

    def __len__(self) -> int:
        return self._count

    def copy(self) -> "IdSet":
        """Return another set of the same ids."""
        table = _allocate(len(self._table))
        table[:] = self._table
        other = IdSet()
        other._table, other._cells, other._count = table, table.data, self._count
        return other

    def _place(self, value: int) -> int:
        """Return the place of a value, or the free one where it belongs: the next one behind its lower bits."""
        cells, last = self._cells, len(self._table) - 1
        place = value & last
        while cells[place] not in (0, value):
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        """Double the places."""
        table = _allocate(2 * len(self._table))
        last = np.uint64(len(table) - 1)
        for start in range(0, len(self._table), _AT_ONCE):
            values = self._table[start : start + _AT_ONCE]
            values = values[values > 0]
            places = values & last
            # All values at once: each is written to its place if that is free, and the last of several that share a
            # free place stays; the others move on by one place, as one by one they would.
            while len(values):
                free = table[places] == 0
                table[places[free]] = values[free]
                rest = table[places] != values
                values, places = values[rest], (places[rest] + np.uint64(1)) & last
        self._table, self._cells = table, table.data


def _allocate(count: int) -> NDArray[np.uint64]:
    """Return free places, in memory of their own: the system has it back when they go, and no hole is left behind."""
    return np.frombuffer(mmap.mmap(-1, 8 * count), np.uint64)


def _hash_id(name: str) -> int:
    """Return the hash of an id in this process, never 0, which marks free places."""
    return hash(name) & _MASK or 1


class IdList(Sequence[str]):
    """Ids in their order; a million of ten characters takes 18 MB in place of 70 as a tuple of texts.

    A slice is a tuple. Two lists are equal if their ids are.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")
        for name in ids:
            self.append(name)

    def append(self, name: str) -> None:
        """Append an id."""
        self._bytes += name.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        places = range(len(self))[place]
        return self._at(places) if isinstance(places, int) else tuple(map(self._at, places))

    def __len__(self) -> int:
        return len(self._ends)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IdList):
            return NotImplemented
        return self._bytes == other._bytes and self._ends == other._ends

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<IdList of {len(self)} ids>"

    def _at(self, place: int) -> str:
        start = self._ends[place - 1] if place else 0
        return self._bytes[start : self._ends[place]].decode("utf-8", "surrogatepass")
