"""Pieces of words by the tokeniser of an encoder, each distinct chunk of text cut once."""

import itertools
import re
import threading
from array import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Ints, expand_ranges

_CHUNK: Final = re.compile(r"[\S\x0b\x0c\x1c-\x1f\x85]+")
"""Text between blanks; the tokeniser drops these control characters, and does not cut there."""
_MOST_CHUNKS: Final = 100_000  # in memory, some 20 MB, as many as a hundred papers have; arbitrary


class PieceMemory:
    """A tokeniser that cuts each distinct chunk of text once; a text then is gathered with array look-ups.

    The tokeniser cuts at all blanks, so that the pieces of a text are those of its chunks; of a paper's 7,000 chunks
    one in ten is new. May be used by several threads.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._bounds = array("q", [0])  # pieces of chunk ``i`` are ``bounds[i]:bounds[i + 1]``
        self._columns = array("q"), array("q"), array("q")  # numbers, and first and last character in the chunk

    def cut(self, text: str) -> tuple[Ints, Ints, Ints]:
        """Return numbers of the pieces of a text, first characters, and those after the last, (pieces,) each."""
        chunks = list(_CHUNK.finditer(text))
        words = [chunk[0] for chunk in chunks]
        with self._lock:
            if len(self._numbers) > _MOST_CHUNKS:
                self._forget()
            if new := [word for word in dict.fromkeys(words) if word not in self._numbers]:
                self._add(new)
            row = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
            first, behind = (np.frombuffer(self._bounds, np.int64).take(row + step) for step in (0, 1))
            place, which = expand_ranges(first, behind)
            pieces, begins, ends = (np.frombuffer(column, np.int64).take(place) for column in self._columns)
        starts = np.fromiter((chunk.start() for chunk in chunks), np.int64, len(chunks))[which]
        return pieces, starts + begins, starts + ends

    def _add(self, new: Sequence[str]) -> None:
        """Cut new chunks, all in one call, with blanks between."""
        encoded = self._tokenizer.encode(" ".join(new), add_special_tokens=False)
        lengths = np.array(list(map(len, new)))
        starts = np.cumsum(lengths + 1) - lengths - 1
        offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        which = starts.searchsorted(offsets[:, 0], side="right") - 1
        added = np.array(encoded.ids, np.int64), *(offsets - starts[which, None]).T
        behind = self._bounds[-1] + np.cumsum(np.bincount(which, minlength=len(new)))
        for column, values in zip((self._bounds, *self._columns), (behind, *added), strict=True):
            column.frombytes(np.ascontiguousarray(values, np.int64).tobytes())
        self._numbers.update(zip(new, itertools.count(len(self._numbers)), strict=False))
