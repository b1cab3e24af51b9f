"""The measures of ROUGE: what of a text is compared, and how much of it two texts share.

Longest common subsequences are of whole texts, united over sentences (Lin 2004, section 3.2), or weighted. A row of the
table of lengths is one whole number: bit p is 0 where the length grows from the first p tokens to p + 1 (Hyyrö,
*Bit-parallel LCS-length computation revisited*, 2004), which Python does fast on numbers of any size.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, compress, repeat
from operator import add, mul
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.errors import TooLarge

_SHORT: Final = 4096  # tokens of a text whose masks are all kept in memory; arbitrary
_ROW_BITS: Final = 1 << 32  # bits of rows above which a way back is refused, 512 MB; arbitrary


class Positions:
    """Places of each token in a text of so many tokens (``length``), as bit masks."""

    def __init__(self, tokens: Sequence[int]) -> None:
        """Index a text; masks of long texts are made when they are asked for, since all together need much memory."""
        self.length = len(tokens)
        self._masks: dict[int, int] = {}
        self._places: dict[int, list[int]] = {}
        if self.length > _SHORT:
            for place, token in enumerate(tokens):
                self._places.setdefault(token, []).append(place)
            return
        bit = 1
        for token in tokens:
            self._masks[token] = self._masks.get(token, 0) | bit
            bit <<= 1

    def masks(self, tokens: Iterable[int]) -> Iterator[int]:
        """Yield the masks of tokens, in order; 0 for a token that the text does not have."""
        if not self._places:
            yield from map(self._masks.get, tokens, repeat(0))
            return
        for token in tokens:
            bits = np.zeros(self.length, np.uint8)
            bits[self._places.get(token, [])] = 1
            yield int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def measure_longest(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two texts; 0 if one is empty."""
    row = start = (1 << positions.length) - 1
    for mask in filter(None, positions.masks(tokens)):
        both = row & mask
        row = (row + both) | (row - both)  # carries set bits above the text, at most one a match; nobody reads them
    return positions.length - (row & start).bit_count()


def match_longest(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the positions of one longest common subsequence in the first text, the reference, as a bit mask.

    The trace-back takes a match, else goes up where that costs no length, else left: as both ROUGE programs do. Raises
    ``TooLarge``: the rows of two sentences do not fit in memory.
    """
    if len(tokens) * positions.length > _ROW_BITS:
        message = f"ROUGE-L of sentences of {positions.length} and {len(tokens)} words needs too much memory"
        raise TooLarge(message, "divide the texts into sentences")
    row = (1 << positions.length) - 1
    rows: list[tuple[int, int]] = []  # each mask with the row that follows from it; one 0 for tokens without a place
    for mask in positions.masks(tokens):
        if mask:
            both = row & mask
            row = (row + both) | (row - both)
            rows.append((mask, row))
        elif not rows or rows[-1][0]:
            rows.append((0, row))
    marks, left = 0, positions.length
    for mask, row in reversed(rows):
        # All steps up at once: to the last place that matches, or from which a step up would cost length.
        place = ((mask | ~row) & ((1 << left) - 1)).bit_length() - 1
        if place < 0:
            return marks
        left = place + 1
        if mask >> place & 1:
            marks |= 1 << place
            left = place
    return marks


_MANY: Final = 16  # sentences of a text above which it is worth while to look up those that hold a token; arbitrary


class Sentences:
    """Sentences of a text, as token ids, with what comparisons need; each is made when it is first asked for."""

    def __init__(self, sentences: Sequence[Sequence[int]]) -> None:
        self.sentences = sentences

    @cached_property
    def counts(self) -> Counter[int]:
        """The number of occurrences of each token."""
        return Counter(chain.from_iterable(self.sentences))

    @cached_property
    def positions(self) -> tuple[Positions, ...]:
        """The positions of each sentence's tokens."""
        return tuple(map(Positions, self.sentences))

    @cached_property
    def _distinct(self) -> dict[tuple[int, ...], int]:
        """The number of each distinct sentence; repeated ones add nothing to a union."""
        return {sentence: number for number, sentence in enumerate(dict.fromkeys(map(tuple, self.sentences)))}

    @cached_property
    def _holders(self) -> Mapping[int, list[tuple[int, ...]]]:
        """The distinct sentences that hold a token."""
        holders: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for sentence in self._distinct:
            for token in set(sentence):
                holders[token].append(sentence)
        return holders

    def union(self, sentence: Sequence[int], match: Callable[[Sequence[int]], int]) -> int:
        """Return the positions of a sentence that ``match`` finds with any sentence of this text, as a bit mask."""
        if tuple(sentence) in self._distinct:  # all of it: the usual case of summaries that copy sentences
            return (1 << len(sentence)) - 1
        marks = 0
        if len(self._distinct) <= _MANY:
            for tokens in self._distinct:
                marks |= match(tokens)
            return marks
        compared = set[int]()
        # A sentence is compared only while a position that it may add is open: long texts need few comparisons.
        for position, token in enumerate(sentence):
            for tokens in self._holders.get(token, ()):
                if marks >> position & 1:
                    break
                number = self._distinct[tokens]
                if number not in compared:
                    compared.add(number)
                    marks |= match(tokens)
        return marks


WEIGHT: Final = 1.2  # exponent of the length of a run; the usual value of ``-w`` (Lin 2004, section 5)
_MOST_CELLS: Final = 1 << 25
"""Cells of the table, a byte each, above which a comparison is refused; arbitrary, about half a minute."""
_DIAGONAL, _UP, _LEFT = range(3)  # steps of the way back: a match, one token fewer of the first text, of the second


def weigh_run(length: float) -> float:
    """Return the weight of a run of matches."""
    return float(length**WEIGHT)


def invert_weight(value: float) -> float:
    """Return the length that has a weight."""
    return float(value ** (1 / WEIGHT))


def match_weighted(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the places of a weighted longest common subsequence in the first text, as a mask; raises ``TooLarge``."""
    if len(first) * len(second) > _MOST_CELLS:
        message = f"ROUGE-W of sentences of {len(first)} and {len(second)} words needs too much memory"
        raise TooLarge(message, "divide the texts into sentences")
    moves = _fill_moves(first, second)
    marks, row, column = 0, len(first), len(second)
    while row and column:
        move = moves[row - 1][column - 1]
        row, column = row - (move != _LEFT), column - (move != _UP)
        if move == _DIAGONAL:
            marks |= 1 << row
    return marks


def _fill_moves(first: Sequence[int], second: Sequence[int]) -> list[bytearray]:
    """Return the way back from each cell of the table, by rows."""
    weights = [weigh_run(length) for length in range(min(len(first), len(second)) + 1)]
    scores, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    moves = []
    for token in first:
        above, above_runs = scores, runs
        scores, runs, line = [0.0], [0], bytearray()
        for column, other in enumerate(second):
            if token == other:
                run = above_runs[column]
                # In this order, as ROUGE-1.5.5: rounding decides between equal ways.
                scores.append(above[column] + weights[run + 1] - weights[run])
                runs.append(run + 1)
                line.append(_DIAGONAL)
            else:
                up, left = above[column + 1], scores[column]
                scores.append(max(up, left))
                runs.append(0)
                line.append(_UP if up >= left else _LEFT)
        moves.append(line)
    return moves


GAP: Final = 4  # most words between the two of a skip bigram of ROUGE-S4 and SU4 (option ``-2 4``)
_BASE: Final = 1 << 32  # above every token id: a run of tokens is a number whose digits are the ids


class Overlap(NamedTuple):
    """The units that a summary and one reference share, those of the reference, and those of the summary."""

    hits: float
    reference: float
    summary: float


class Units:
    """How often each unit is in a text, and the total of all units."""

    def __init__(self, units: Sequence[int]) -> None:
        self.counts = Counter(units)
        self.total = len(units)

    @cached_property
    def _repeated(self) -> tuple[frozenset[int], dict[int, int]]:
        """The distinct units, and occurrences after the first, of those units that have any."""
        return frozenset(self.counts), {unit: number - 1 for unit, number in self.counts.items() if number > 1}

    def compare(self, summary: "Units") -> Overlap:
        """Return what a summary shares with this text; a unit counts as often as in the text that has it less often."""
        # One intersection in C counts the first occurrences; few units have more. The texts that many others are
        # compared with, references, are the ones that know theirs.
        distinct, repeated = self._repeated
        hits = len(distinct.intersection(summary.counts))
        for unit, more in repeated.items():
            number = summary.counts.get(unit, 0)
            if number > 1:
                hits += min(number - 1, more)
        return Overlap(hits, self.total, summary.total)


def count_ngrams(tokens: Sequence[int], length: int) -> Units:
    """Count runs of so many tokens; ``tokens`` are the ids of a whole text, from 1, and runs cross sentences."""
    # Numbers instead of tuples: the garbage collector has nothing to track. All steps run in C.
    runs = tokens
    for start in range(1, length):
        runs = list(map(add, map(mul, runs, repeat(_BASE)), tokens[start:]))
    return Units(runs)


def count_skip_bigrams(tokens: Sequence[int], *, unigrams: bool, gap: int = GAP) -> Units:
    """Count pairs of tokens with at most ``gap`` others between, and with ``unigrams`` every token but the last."""
    first = list(map(mul, tokens, repeat(_BASE)))
    units: list[int] = list(tokens[:-1]) if unigrams else []
    for distance in range(1, gap + 2):
        units += map(add, first, tokens[distance:])
    return Units(units)


def compare_longest(summary: Sentences, reference: Sentences) -> Overlap:
    """Return the length of the longest common subsequence of two whole texts, as rouge-score's ROUGE-L."""
    (words,), (others,) = summary.sentences, reference.sentences
    hits = len(words) if words == others else measure_longest(reference.positions[0], words)
    return Overlap(hits, len(others), len(words))


def compare_united(summary: Sentences, reference: Sentences) -> Overlap:
    """Return the tokens of the reference in a subsequence with any sentence of the summary, as ROUGE-L and Lsum do."""
    marked: Counter[int] = Counter()
    for sentence, positions in zip(reference.sentences, reference.positions, strict=True):
        marks = summary.union(sentence, partial(match_longest, positions))
        marked.update(compress(sentence, _list_bits(marks)))
    hits = sum(min(number, summary.counts[token]) for token, number in marked.items())
    return Overlap(hits, reference.counts.total(), summary.counts.total())


def compare_weighted(summary: Sentences, reference: Sentences) -> Overlap:
    """Return the weight of all runs of matches, where a run of n counts n to the power 1.2: ROUGE-W of ROUGE-1.5.5.

    As there, the length of a reference is weighted by sentence and in all, so that the recall of two equal texts is
    below 1; a run whose last token is not counted is continued by the next one, or lost if there is none.
    """
    hits = 0.0
    open_counts = Counter(summary.counts)
    for sentence in reference.sentences:
        bits = _list_bits(summary.union(sentence, partial(match_weighted, sentence)))
        run = 0
        for position in compress(range(len(bits)), bits):
            if open_counts[sentence[position]] > 0:
                open_counts[sentence[position]] -= 1
                run += 1
                if not any(bits[position + 1 : position + 2]):
                    hits += weigh_run(run)
                    run = 0
    length = sum(weigh_run(len(sentence)) for sentence in reference.sentences)
    return Overlap(hits, weigh_run(length), weigh_run(summary.counts.total()))


def _list_bits(mask: int) -> list[bool]:
    return list(map("1".__eq__, reversed(f"{mask:b}")))


def _divide(hits: float, total: float) -> float:
    return hits / total if total else 0.0


def _divide_weights(hits: float, total: float) -> float:
    return invert_weight(hits / total) if total else 0.0


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure."""

    # Returns all that comparisons of a text need, from the token ids of the whole text, or of each sentence.
    prepare: Callable[[Any], Any]
    compare: Callable[[Any, Any], Overlap]  # returns what a prepared summary and a prepared reference share
    by_sentence: bool = False  # True if the measure depends on where sentences end
    ratio: Callable[[float, float], float] = _divide  # returns a recall or precision from hits and total; 0 of nothing
    # Recall by which ROUGE-1.5.5 takes the best reference, rounded as it rounds it.
    preferred: Callable[[Overlap], float] = lambda overlap: _divide(overlap.hits, overlap.reference)


def _count(count: Callable[..., Units], **options: Any) -> Measure:
    """Return a measure of counted units; its preferred recall has five decimals."""
    return Measure(
        partial(count, **options),
        lambda summary, reference: reference.compare(summary),
        preferred=lambda overlap: round(_divide(overlap.hits, overlap.reference), 5),
    )


_UNITED: Final = Measure(Sentences, compare_united, by_sentence=True)
ROUGE155_MEASURES: Final[Mapping[str, Measure]] = {
    **{str(length): _count(count_ngrams, length=length) for length in range(1, 5)},
    "L": _UNITED,
    "W": Measure(
        Sentences,
        compare_weighted,
        by_sentence=True,
        ratio=_divide_weights,
        # Here the length of the reference is weighted once.
        preferred=lambda overlap: _divide_weights(overlap.hits, invert_weight(overlap.reference)),
    ),
    "S4": _count(count_skip_bigrams, unigrams=False),
    "SU4": _count(count_skip_bigrams, unigrams=True),
}
ROUGE_SCORE_MEASURES: Final[Mapping[str, Measure]] = {
    **{str(length): _count(count_ngrams, length=length) for length in range(1, 10)},
    "L": Measure(lambda tokens: Sentences((tokens,)), compare_longest),
    "Lsum": _UNITED,
}
