"""Windows of whole sentences, in which an encoder of a fixed length reads a text of any length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument

LONGEST: Final = 254
"""Pieces of a window; with the two marks 256, the length that all-MiniLM-L6-v2 was made for."""

_FIRST: Final = 101
"""Mark before a window (``[CLS]``)."""
_LAST: Final = 102
"""Mark behind a window (``[SEP]``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """A text as pieces of words, in windows.

    Attributes:
        pieces: numbers in the tokeniser's vocabulary, (pieces,).
        bounds: pieces of window ``i`` are ``bounds[i]:bounds[i + 1]``, (windows + 1,).
        first: first piece of each token, (tokens,).
        last: last piece of each token, (tokens,).
    """

    pieces: Ints
    bounds: Ints
    first: Ints
    last: Ints

    def __len__(self) -> int:
        """Number of windows."""
        return len(self.bounds) - 1

    def window(self, number: int) -> Ints:
        """Return the pieces of a window, without marks."""
        return self.pieces[self.bounds[number] : self.bounds[number + 1]]

    def mentions(self, candidates: Candidates) -> tuple[Ints, Ints, Ints]:
        """Return window, first piece and last piece in that window of each mention, (mentions,) each.

        A mention across the end of a window, which only a sentence longer than a window has, ends with the window.
        """
        first = self.first[candidates.positions]
        last = self.last[candidates.positions + candidates.widths - 1]
        window = self.bounds.searchsorted(first, side="right") - 1
        begin = self.bounds[window]
        return window, first - begin, np.minimum(last, self.bounds[window + 1] - 1) - begin


def marked(pieces: Ints) -> Ints:
    """Return the pieces of a window between its marks, (pieces + 2,)."""
    return np.concatenate(([_FIRST], pieces, [_LAST]), dtype=np.int64, casting="unsafe")


def windows_of(document: AnalysedDocument, tokenizer: Any) -> Windows:
    """Return the windows of a document: as many whole sentences as fit, longer sentences in several windows.

    Args:
        document: analysed; a text without tokens has no windows.
        tokenizer: of the package tokenizers, without truncation and padding.
    """
    encoded = tokenizer.encode(document.source.text, add_special_tokens=False)
    pieces = np.array(encoded.ids, np.int64)
    if not len(document) or not len(pieces):
        return Windows(np.zeros(0, np.int64), np.zeros(1, np.int64), *(np.zeros(len(document), np.int64),) * 2)
    begins, ends = np.array(encoded.offsets, np.int64).T
    # The tokeniser drops characters that it does not know of: a token made of these gets its neighbour's piece.
    first = ends.searchsorted(document.start, side="right").clip(0, len(pieces) - 1)
    last = np.maximum(first, begins.searchsorted(document.end, side="left") - 1)
    sentences = first[np.flatnonzero(np.diff(document.sentence, prepend=-1))]
    return Windows(pieces, _bounds([*sentences.tolist(), len(pieces)]), first, last)


def _bounds(starts: Sequence[int]) -> Ints:
    """Return where windows begin, and where the last one ends, from where sentences begin, and the last one ends."""
    bounds, before = [0], 0
    for start in starts:
        if start - bounds[-1] > LONGEST and before > bounds[-1]:
            bounds.append(before)
        while start - bounds[-1] > LONGEST:
            bounds.append(bounds[-1] + LONGEST)
        before = start
    return np.array([*bounds, starts[-1]] if starts[-1] > bounds[-1] else bounds, np.int64)
