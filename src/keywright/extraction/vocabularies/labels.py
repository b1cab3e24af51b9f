"""Labels as two columns: all texts in one, and where each begins."""

import hashlib
import itertools
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Ints

_CHUNK: Final = 10_000  # labels that are decoded together; arbitrary


@dataclass(frozen=True, eq=False)
class Labels(Sequence[str]):
    """Texts in one column of UTF-8, each with a line break: ``utf8[offsets[i] : offsets[i + 1] - 1]``."""

    utf8: NDArray[np.uint8]
    offsets: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Labels":
        """Return the columns of some texts."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) + 1 for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"\n".join([*encoded, b""]), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: Any) -> Any:
        """Return one label, or some."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return self.utf8[self.offsets[place] : self.offsets[place + 1] - 1].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        # Many labels are decoded at once: one call for each would take three times as long. A label may hold a line
        # break of its own, so that its characters, and not the breaks, say where it ends.
        for first in range(0, len(self), _CHUNK):
            bounds = self.offsets[first : first + _CHUNK + 1].tolist()
            data = self.utf8[bounds[0] : bounds[-1]].tobytes()
            places = itertools.pairwise(bound - bounds[0] for bound in bounds)
            yield from (data[start : end - 1].decode("utf-8", "surrogatepass") for start, end in places)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the labels, one per line."""
        texts: Any = np.ascontiguousarray(self.utf8[:-1])
        return hashlib.sha256(texts).hexdigest()


class GrowingLabels:
    """Texts that are added one by one, in one column as ``Labels`` has them."""

    def __init__(self) -> None:
        self._utf8 = bytearray()
        self._ends = array("q", (0,))

    def append(self, text: str) -> None:
        """Add a text."""
        self._utf8 += text.encode("utf-8", "surrogatepass") + b"\n"
        self._ends.append(len(self._utf8))

    def text(self, place: int) -> str:
        """Return one text."""
        return self._utf8[self._ends[place] : self._ends[place + 1] - 1].decode("utf-8", "surrogatepass")

    def labels(self, order: Ints) -> Labels:
        """Return the texts at some places, in this order; one may come several times."""
        ends = np.asarray(self._ends)
        # Texts that follow each other are copied at once: most come in the order in which they were added.
        breaks = np.flatnonzero(np.diff(order) != 1)
        firsts = order[np.concatenate(([0], breaks + 1))] if len(order) else order
        lasts = order[np.concatenate((breaks, [len(order) - 1]))] if len(order) else order
        utf8 = bytearray()
        for start, end in zip(ends[firsts].tolist(), ends[lasts + 1].tolist(), strict=True):
            utf8 += self._utf8[start:end]
        offsets = np.zeros(len(order) + 1, np.int64)
        np.cumsum(np.diff(ends)[order], out=offsets[1:])
        return Labels(np.frombuffer(utf8, np.uint8), offsets)
