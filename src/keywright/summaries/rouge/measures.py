"""The measures of ROUGE: what of a text is compared, and how much of it two texts share."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress, repeat
from operator import add, mul
from typing import Any, Final, NamedTuple

from keywright.summaries.rouge.subsequences import (
    Sentences,
    invert_weight,
    match_longest,
    match_weighted,
    measure_longest,
    weigh_run,
)

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
    """Return a measure of units that texts have by number; its preferred recall has five decimals."""
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
