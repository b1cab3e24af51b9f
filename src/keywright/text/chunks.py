"""Chunks of text between blanks that an analyser met, with their tokens, as growing columns.

Text repeats itself: of the 800,000 chunks of 100 papers one in thirteen is new. Each distinct chunk is tokenised once;
a document is then gathered with array look-ups.
"""

import itertools
from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.text.tokens import cut
from keywright.text.vocabulary import CLOSES, MARK_BITS, NUMBER_BYTES, Words, size_of

_MARKS: Final = (1 << MARK_BITS) - 1  # all bits of the marks


class Chunks(dict[str, int]):
    """Distinct chunks and their tokens.

    Token columns have, chunk after chunk, each token's word number with its marks, and its first and last character
    within the chunk.
    """

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._new: list[str] = []
        self.strings = 0  # bytes, with the numbers beside them
        self._first = array("i")
        self._count = array("i")
        self._marked = array("i")
        self._start = array("i")
        self._end = array("i")

    def numbers(self, chunks: Sequence[str]) -> Ints:
        """Return the number of each chunk, (chunks,); new ones are tokenised, all together."""
        numbers = np.fromiter(map(self.__getitem__, chunks), np.int32, len(chunks))
        if self._new:
            new, self._new = self._new, []
            try:
                self._tokenise(new)
            except BaseException:  # a number without tokens would spoil all later documents
                for chunk in new:
                    del self[chunk]
                raise
        return numbers

    def __missing__(self, chunk: str) -> int:
        """Note a new chunk and return its number, the next one."""
        number = self[chunk] = len(self)
        self._new.append(chunk)
        return number

    def _tokenise(self, new: Sequence[str]) -> None:
        """Add the tokens of new chunks."""
        cuts = list(map(cut, new))
        tokens = list(itertools.chain.from_iterable(cuts))
        texts = [token[0] for token in tokens]
        codes = self._words.codes(texts, [token[2] for token in tokens])
        start = np.fromiter((token[1] for token in tokens), np.int32, len(tokens))
        closes = np.fromiter((token[3] for token in tokens), np.int32, len(tokens))
        count = np.fromiter(map(len, cuts), np.int32, len(cuts))
        first = len(self._marked) + np.cumsum(count, dtype=np.int32) - count
        end = start + np.fromiter(map(len, texts), np.int32, len(texts))
        columns = self._first, self._count, self._marked, self._start, self._end
        for column, added in zip(columns, (first, count, codes + CLOSES * closes, start, end), strict=True):
            column.frombytes(added.tobytes())
        self.strings += size_of(new) + NUMBER_BYTES * len(new)

    def tokens_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return each token's chunk, as place in ``numbers``, and its place in the token columns."""
        count = np.frombuffer(self._count, np.int32).take(numbers)
        first = np.frombuffer(self._first, np.int32).take(numbers)
        chunk = np.repeat(np.arange(len(numbers), dtype=np.int32), count)
        # Ranges of all chunks at once: a running index, plus the difference of each chunk's first place to it.
        place = np.arange(len(chunk), dtype=np.int32) + np.repeat(first - (np.cumsum(count) - count), count)
        return chunk, place

    def columns(self, places: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return word number, marks, start, end of some tokens, each (places,)."""
        marked, start, end = (
            np.frombuffer(column, np.int32).take(places) for column in (self._marked, self._start, self._end)
        )
        return marked >> MARK_BITS, (marked & _MARKS).astype(np.int8), start, end
