"""The measures of ROUGE: what of a text is compared, and how much of it two texts share."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, compress, repeat
from operator import add, mul
from typing import ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from keywright.summaries.rouge.subsequences import (
    Positions,
    Sentences,
    invert_weight,
    match_longest,
    match_weighted,
    measure_longest,
    weigh_run,
)

GAP: Final = 4
"""Most words between the two of a skip bigram of ROUGE-S4 and SU4 (option ``-2 4``)."""
_BASE: Final = 1 << 32
"""Above every token id: a run of tokens is a number whose digits are the ids."""


class Units:
    """How often each unit is in a text.

    Attributes:
        counts: by unit.
        total: of all units.
    """

    def __init__(self, units: Sequence[int]) -> None:
        """Count units."""
        self.counts = Counter(units)
        self.total = len(units)

    @cached_property
    def _distinct(self) -> frozenset[int]:
        return frozenset(self.counts)

    @cached_property
    def _repeated(self) -> dict[int, int]:
        """Occurrences after the first, of those units that have any."""
        return {unit: number - 1 for unit, number in self.counts.items() if number > 1}

    def shared(self, counts: Mapping[int, int]) -> int:
        """Return how many units another text has; a unit counts as often as in the text that has it less often."""
        # One intersection in C counts the first occurrences; few units have more. The texts that many others are
        # compared with, references, are the ones that know theirs.
        hits = len(self._distinct.intersection(counts))
        for unit, more in self._repeated.items():
            number = counts.get(unit, 0)
            if number > 1:
                hits += min(number - 1, more)
        return hits


def count_ngrams(tokens: Sequence[int], length: int) -> Units:
    """Count runs of tokens.

    Args:
        tokens: token ids of a whole text, from 1; runs cross the ends of sentences.
        length: tokens of a run.
    """
    # Numbers instead of tuples: the garbage collector has nothing to track. All steps run in C.
    runs = tokens
    for start in range(1, length):
        runs = list(map(add, map(mul, runs, repeat(_BASE)), tokens[start:]))
    return Units(runs)


def count_skip_bigrams(tokens: Sequence[int], *, unigrams: bool, gap: int = GAP) -> Units:
    """Count pairs of tokens in order.

    Args:
        tokens: token ids of a whole text, from 1; pairs cross the ends of sentences.
        unigrams: count every token but the last as well, as ROUGE-1.5.5 does.
        gap: most tokens between the two.
    """
    first = list(map(mul, tokens, repeat(_BASE)))
    units: list[int] = list(tokens[:-1]) if unigrams else []
    for distance in range(1, gap + 2):
        units += map(add, first, tokens[distance:])
    return Units(units)


Prepared = TypeVar("Prepared")
Ids: TypeAlias = Sequence[int]


class Overlap(NamedTuple):
    """The units that a summary and one reference share.

    Attributes:
        hits: units of both.
        reference: units of the reference.
        summary: units of the summary.
    """

    hits: float
    reference: float
    summary: float


class Measure(ABC, Generic[Prepared]):
    """One measure.

    Attributes:
        by_sentence: True if the measure depends on where sentences end.
    """

    by_sentence: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, sentences: Sequence[Ids]) -> Prepared:
        """Return all that comparisons of a text need; done once for a text of several pairs.

        Args:
            sentences: token ids of each sentence; of the whole text unless ``by_sentence``.
        """

    @abstractmethod
    def compare(self, summary: Prepared, reference: Prepared) -> Overlap:
        """Return what two texts share."""

    def ratio(self, hits: float, total: float) -> float:
        """Return a recall or precision; 0 of nothing."""
        return hits / total if total else 0.0

    def preference(self, overlap: Overlap) -> float:
        """Return the value by which ROUGE-1.5.5 takes the best reference: the recall, rounded as it rounds it."""
        return self.ratio(overlap.hits, overlap.reference)


class _Counted(Measure[Units]):
    """A measure of units that texts have by number."""

    def compare(self, summary: Units, reference: Units) -> Overlap:
        """Return what two texts share; a unit counts as often as in the text that has it less often."""
        return Overlap(reference.shared(summary.counts), reference.total, summary.total)

    def preference(self, overlap: Overlap) -> float:
        """Return the recall to five decimals."""
        return round(super().preference(overlap), 5)


@dataclass(frozen=True, slots=True)
class NGrams(_Counted):
    """ROUGE-N: runs of tokens.

    Attributes:
        length: tokens of a run.
    """

    length: int

    def prepare(self, sentences: Sequence[Ids]) -> Units:
        """Count the runs of a text."""
        return count_ngrams(_join_sentences(sentences), self.length)


@dataclass(frozen=True, slots=True)
class SkipBigrams(_Counted):
    """ROUGE-S4 and SU4: pairs of tokens with at most four others between.

    Attributes:
        unigrams: count single tokens as well.
    """

    unigrams: bool

    def prepare(self, sentences: Sequence[Ids]) -> Units:
        """Count the pairs of a text."""
        return count_skip_bigrams(_join_sentences(sentences), unigrams=self.unigrams)


class IndexedSentences:
    """Sentences of a text, with what comparisons need; each is made when it is first asked for.

    Attributes:
        sentences: token ids of each.
    """

    def __init__(self, sentences: Sequence[Ids]) -> None:
        """Take sentences."""
        self.sentences = sentences

    @cached_property
    def counts(self) -> Counter[int]:
        """The number of occurrences of each token."""
        return Counter(chain.from_iterable(self.sentences))

    @cached_property
    def positions(self) -> tuple[Positions, ...]:
        """The places of each sentence's tokens."""
        return tuple(map(Positions, self.sentences))

    @cached_property
    def index(self) -> Sentences:
        """The sentences by token."""
        return Sentences(self.sentences)


@dataclass(frozen=True, slots=True)
class LongestSubsequence(Measure[IndexedSentences]):
    """ROUGE-L of rouge-score: one subsequence of the whole texts."""

    def prepare(self, sentences: Sequence[Ids]) -> IndexedSentences:
        """Return the text as one sentence."""
        return IndexedSentences((_join_sentences(sentences),))

    def compare(self, summary: IndexedSentences, reference: IndexedSentences) -> Overlap:
        """Return the length of the subsequence, and those of the texts."""
        (words,), (others,) = summary.sentences, reference.sentences
        hits = len(words) if words == others else measure_longest(reference.positions[0], words)
        return Overlap(hits, len(others), len(words))


@dataclass(frozen=True, slots=True)
class UnionSubsequence(Measure[IndexedSentences]):
    """ROUGE-L of ROUGE-1.5.5, Lsum of rouge-score: subsequences of each sentence with all of the summary, united.

    A token counts at most as often as the summary has it.
    """

    by_sentence: ClassVar[bool] = True

    def prepare(self, sentences: Sequence[Ids]) -> IndexedSentences:
        """Return the sentences."""
        return IndexedSentences(sentences)

    def compare(self, summary: IndexedSentences, reference: IndexedSentences) -> Overlap:
        """Return the tokens of the reference that are in a subsequence, and those of the texts."""
        marked: Counter[int] = Counter()
        for sentence, positions in zip(reference.sentences, reference.positions, strict=True):
            marks = summary.index.union(sentence, partial(match_longest, positions))
            marked.update(compress(sentence, _list_bits(marks)))
        hits = sum(min(number, summary.counts[token]) for token, number in marked.items())
        return Overlap(hits, reference.counts.total(), summary.counts.total())


@dataclass(frozen=True, slots=True)
class WeightedSubsequence(Measure[IndexedSentences]):
    """ROUGE-W of ROUGE-1.5.5: as ``UnionSubsequence``, but a run of n matches counts n to the power 1.2.

    As that program has it, the length of a reference is weighted twice: by sentence, and in all. So the recall of two
    equal texts is below 1. A run whose last token is not counted, because the summary has no more of it, is continued
    by the next one, or lost if there is none.
    """

    by_sentence: ClassVar[bool] = True

    def prepare(self, sentences: Sequence[Ids]) -> IndexedSentences:
        """Return the sentences."""
        return IndexedSentences(sentences)

    def compare(self, summary: IndexedSentences, reference: IndexedSentences) -> Overlap:
        """Return the weight of all runs, and those of the texts."""
        hits = 0.0
        open_counts = Counter(summary.counts)
        for sentence in reference.sentences:
            bits = list(_list_bits(summary.index.union(sentence, partial(match_weighted, sentence))))
            run = 0
            for place in compress(range(len(bits)), bits):
                if open_counts[sentence[place]] > 0:
                    open_counts[sentence[place]] -= 1
                    run += 1
                    if not any(bits[place + 1 : place + 2]):
                        hits += weigh_run(run)
                        run = 0
        length = sum(weigh_run(len(sentence)) for sentence in reference.sentences)
        return Overlap(hits, weigh_run(length), weigh_run(summary.counts.total()))

    def ratio(self, hits: float, total: float) -> float:
        """Return a recall or precision, as a share of lengths."""
        return invert_weight(hits / total) if total else 0.0

    def preference(self, overlap: Overlap) -> float:
        """Return the recall with the reference's length weighted once."""
        return self.ratio(overlap.hits, invert_weight(overlap.reference))


def _join_sentences(sentences: Sequence[Ids]) -> Ids:
    return sentences[0] if len(sentences) == 1 else list(chain.from_iterable(sentences))


def _list_bits(mask: int) -> list[bool]:
    """Return the bits of a mask from the lowest to the highest that is set."""
    return list(map("1".__eq__, reversed(f"{mask:b}")))
