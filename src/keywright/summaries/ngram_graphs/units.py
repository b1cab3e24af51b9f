"""Texts as columns of small numbers: one for each character or word, and one for each n-gram."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Final, TypeAlias, cast

import numpy as np

from keywright.core.arrays import Ints
from keywright.summaries.ngram_graphs.rules import Level
from keywright.summaries.texts import SummaryText

Units: TypeAlias = str | tuple[str, ...]
"""A text whose characters or blank-separated words are the units, or its words, already cut."""

KEY_BITS: Final = 63
"""Bits of a signed 64-bit integer that are free for codes."""


def units_of(text: SummaryText, level: Level) -> Units:
    """Return a text as it is, or its words if it came in tokens and n-grams are of words."""
    if level == "word" and text.tokens is not None:
        return tuple(token for sentence in text.tokens for token in sentence)
    return text.whole


def has_more_than(text: Units, number: int, level: Level) -> bool:
    """Return whether a text has more than a number of units."""
    # A split that stops early spares most of the text.
    return len(text.split(None, number) if level == "word" and isinstance(text, str) else text) > number


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """Codes of the n-grams of several texts, which lie one behind the other.

    Attributes:
        codes: of the n-gram that begins at each unit, (units - n + 1,). Equal codes mean equal n-grams; n-grams that
            begin in one text and end in another have codes, but no meaning.
        bits: width of the codes.
        lengths: units of each text, (texts,).
    """

    codes: Ints
    bits: int
    lengths: Ints


def ngrams(texts: Sequence[Units], level: Level, n: int, bits: int) -> Grams:
    """Return the n-grams of texts, in codes of at most ``bits`` bits unless there are more different n-grams."""
    cut = [text.split() if level == "word" and isinstance(text, str) else text for text in texts]
    symbols = _code_points(cut) if level == "char" else _word_numbers(cut)
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    if len(symbols) < n:
        return Grams(symbols[:0], 1, lengths)
    symbol_bits = width_of(int(symbols.max()) + 1)
    if symbol_bits * n > bits:
        symbols, symbol_bits = _without_gaps(symbols)
    codes, width = symbols, symbol_bits
    for place in range(1, n):
        # Packed symbols are exact and need no sorting; only codes that grow too wide are numbered anew.
        if width + symbol_bits > KEY_BITS:
            codes, width = _renumbered(codes)
        codes = (codes[:-1] << symbol_bits) | symbols[place:]
        width += symbol_bits
    if width > bits:
        codes, width = _renumbered(codes)
    return Grams(codes, width, lengths)


def width_of(size: int) -> int:
    """Return the number of bits that hold the numbers below ``size``; at least 1."""
    return max(1, (size - 1).bit_length())


def _renumbered(codes: Ints) -> tuple[Ints, int]:
    """Return codes as numbers from 0 without gaps, and their width."""
    distinct, numbers = np.unique(codes, return_inverse=True)
    return numbers, width_of(len(distinct))


def _code_points(texts: Iterable[Sequence[str]]) -> Ints:
    """Return the code point of each character."""
    written = "".join(cast("Iterable[str]", texts)).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(written, np.uint32).astype(np.int64)


def _without_gaps(symbols: Ints) -> tuple[Ints, int]:
    """Return symbols as numbers from 0 without gaps, in the same order, and their width."""
    # A look-up table over symbols costs one pass; sorting them would cost as much as the whole graph.
    used = np.zeros(int(symbols.max()) + 1, np.bool_)
    used[symbols] = True
    numbers = np.cumsum(used, dtype=np.int64) - 1
    return numbers.take(symbols), width_of(int(numbers[-1]) + 1)


def _word_numbers(texts: Iterable[Sequence[str]]) -> Ints:
    """Return a number for each word, in order of appearance."""
    # A dictionary that numbers new words by itself needs no step of Python for a word.
    numbers = defaultdict[str, int](count().__next__)
    return np.fromiter(map(numbers.__getitem__, chain.from_iterable(texts)), np.int64)
