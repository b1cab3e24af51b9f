"""Generated phrases with the probability of each token, and the interface of generators that write them."""

import abc
import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Generation
from keywright.neural.data.examples import (
    ABSENT,
    END,
    NULL,
    PAD,
    PRESENT,
    SEPARATOR,
    SPECIAL,
    Vocabulary,
    Words,
    batch_by_length,
)

LEAST: Final = math.log(1e-12)
"""Least log-probability of a token: a copied word can have had none at all, and perplexity needs a finite number."""
LONGEST_LIST: Final = 20 * (6 + 1) + 1
"""Words and delimiters of the longest list of ExHiRD: 20 phrases of 6 words, and the end (Chen et al. 2020)."""
Token: TypeAlias = tuple[str, float]  # a token of a sequence and its log-probability, conditional on all earlier ones
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class GeneratedPhrase:
    """A phrase and how it was generated."""

    words: Words
    generation: Generation

    @property
    def mean_log_probability(self) -> float:
        """Mean log-probability of the tokens."""
        values = self.generation.log_probabilities
        return sum(values) / len(values)

    @property
    def mean_probability(self) -> float:
        """Mean probability of the tokens."""
        values = self.generation.log_probabilities
        return sum(map(math.exp, values)) / len(values)


@dataclass(frozen=True, slots=True)
class Written:
    """A sequence: numbers of its words, the last of them the end if it was reached, and their log-probabilities.

    ``shown`` are the words that people see: the most attended word of the source in the place of an unknown one.
    """

    words: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    shown: tuple[int, ...] = ()


def cut_phrases(
    tokens: Iterable[Token],
    separators: frozenset[str],
    end: str,
    starts: frozenset[str] = frozenset(),
    shown: Iterable[str] = (),
) -> list[GeneratedPhrase]:
    """Return the phrases of a sequence of words, each with the log-probability of the delimiter that ended it.

    Empty phrases and tokens behind ``end`` are dropped; a phrase cut off has no ``end``. ``starts`` are marks before a
    phrase; ``shown``: the words of phrases, where they differ from the tokens.
    """
    phrases: list[GeneratedPhrase] = []
    current: list[Token] = []
    words: list[str] = []
    start: float | None = None
    for (text, log_probability), word in itertools.zip_longest(tokens, shown):
        if text in starts:
            start = log_probability
        elif text not in separators and text != end:
            current.append((text, log_probability))
            words.append(word or text)
        else:
            if current:
                phrases.append(make_phrase(current, log_probability, start, words=words))
            current, words, start = [], [], None
            if text == end:
                return phrases
    return [*phrases, make_phrase(current, start=start, words=words)] if current else phrases


def make_phrase(
    tokens: Iterable[Token],
    end: float | None = None,
    start: float | None = None,
    slot: int | None = None,
    *,
    words: Sequence[str] = (),
) -> GeneratedPhrase:
    """Return the phrase of tokens, at least one; log-probabilities are clipped to ``LEAST`` and 0.

    ``words``: of the phrase, where they differ from the tokens.
    """
    texts, values = zip(*tokens, strict=True)
    generation = Generation(
        tokens=texts,
        log_probabilities=tuple(map(_clip, values)),
        end=None if end is None else _clip(end),
        start=None if start is None else _clip(start),
        slot=slot,
        words=len(texts),
    )
    return GeneratedPhrase(tuple(words) or texts, generation)


def _clip(log_probability: float) -> float:
    return min(0.0, max(LEAST, log_probability))


def keep_likelier(best: dict[Key, GeneratedPhrase], key: Key, phrase: GeneratedPhrase) -> None:
    """Put a phrase into ``best`` unless the one there is as likely, by the mean log-probability of tokens."""
    if phrase.mean_log_probability > best.setdefault(key, phrase).mean_log_probability:
        best[key] = phrase


def merge_phrases(lists: Sequence[list[GeneratedPhrase]]) -> list[GeneratedPhrase]:
    """Return phrases of several hypotheses, each once as it was likeliest, most frequent first; one list as it is."""
    if len(lists) == 1:
        return lists[0]
    best: dict[Words, GeneratedPhrase] = {}
    votes: Counter[Words] = Counter()
    for phrases in lists:
        votes.update({phrase.words for phrase in phrases})
        for phrase in phrases:
            keep_likelier(best, phrase.words, phrase)
    return sorted(best.values(), key=lambda phrase: (-votes[phrase.words], -phrase.mean_log_probability))


BARRIER: Final = -1  # number of a place of the source that no phrase contains


class PresentOnly:
    """Places of the sources where the phrase of each row could go on; it may end after any word."""

    def __init__(
        self,
        sources: Sequence[Sequence[int]],
        after: frozenset[int],
        instead: frozenset[int],
        end: int,
        starts: Iterable[Iterable[int]] | None = None,
    ) -> None:
        """Start at the first word of a phrase.

        ``sources``: numbers of each row's tokens, ``BARRIER`` where no phrase can be; ``after``: delimiters allowed
        after a word; ``instead``: delimiters and marks allowed where a phrase would begin; ``end``: ends the sequence
        where all is excluded; ``starts``: places where words begin, by default each token.
        """
        self._sources = [tuple(source) for source in sources]
        every = [range(len(source)) for source in self._sources]
        self._starts = [frozenset(places) for places in (every if starts is None else starts)]
        self._after, self._instead, self._end = after, instead, end
        self._places: list[list[int] | None] = [None] * len(self._sources)

    def apply(self, log_probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return log-probabilities (rows, words) with minus infinity for words that would leave the source."""
        allowed = np.full_like(log_probabilities, -np.inf)
        for row, (source, starts, places) in enumerate(zip(self._sources, self._starts, self._places, strict=True)):
            if places is None:
                words = ({source[at] for at in starts} - self._after - {BARRIER}) | self._instead
            else:
                words = {source[at] for at in places if at < len(source)} - self._after - self._instead - {BARRIER}
                if any(at == len(source) or at in starts for at in places):
                    words |= self._after
            columns = list(words)
            allowed[row, columns] = log_probabilities[row, columns]
        allowed[allowed.max(-1) == -np.inf, self._end] = LEAST
        return allowed

    def step(self, words: Sequence[int]) -> None:
        """Take the word that each row has written, (rows,)."""
        for row, word in enumerate(words):
            if word in self._after | self._instead:
                self._places[row] = None
                continue
            source, places = self._sources[row], self._places[row]
            candidates = self._starts[row] if places is None else places
            self._places[row] = [at + 1 for at in candidates if at < len(source) and source[at] == word]

    def rows(self, rows: Sequence[int]) -> None:
        """Continue with these rows, which may repeat."""
        self._sources = [self._sources[row] for row in rows]
        self._starts = [self._starts[row] for row in rows]
        self._places = [self._places[row] for row in rows]


@dataclass(frozen=True, slots=True)
class WordSequences:
    """Sequences of words as a network writes them; ``marked``: a mark starts each phrase, as ExHiRD has it."""

    vocabulary: Vocabulary
    marked: bool = False

    def present_only(self, sources: Sequence[Sequence[int]]) -> PresentOnly:
        """Return the constraint to phrases of sources, whose words have the numbers of ``Vocabulary.number``."""
        if self.marked:
            return PresentOnly(sources, frozenset({SEPARATOR}), frozenset({PRESENT, ABSENT, END}), END)
        return PresentOnly(sources, frozenset({SEPARATOR, END}), frozenset({END}), END)

    def phrases(self, written: Written, unknown: Words) -> list[GeneratedPhrase]:
        """Return the phrases of a sequence; ``unknown`` are the words behind the vocabulary."""
        words, shown = (
            [self.vocabulary.word(number, unknown) for number in numbers] for numbers in (written.words, written.shown)
        )
        starts = frozenset({SPECIAL[PRESENT], SPECIAL[ABSENT]}) if self.marked else frozenset()
        tokens = zip(words, written.log_probabilities, strict=True)
        return cut_phrases(tokens, frozenset({SPECIAL[SEPARATOR]}), SPECIAL[END], starts, shown)


@dataclass(frozen=True, slots=True)
class SlotPhrases:
    """Slots, so many of them, that write a phrase each, or the empty mark."""

    vocabulary: Vocabulary
    count: int

    def present_only(self, sources: Sequence[Sequence[int]]) -> PresentOnly:
        """Return the constraint to phrases of sources, with a row for each slot of each source."""
        rows = [source for source in sources for _ in range(self.count)]
        return PresentOnly(rows, frozenset({END}), frozenset({NULL}), END)

    def phrases(self, slots: Sequence[Written], unknown: Words) -> list[GeneratedPhrase]:
        """Return the phrases of slots that are not empty, highest mean probability of words first (Ye et al. 2021)."""
        phrases = []
        for slot, written in enumerate(slots):
            numbers, values = written.words, written.log_probabilities
            length = numbers.index(END) if END in numbers else len(numbers)
            if length and numbers[0] not in {NULL, PAD}:
                tokens = ((self.vocabulary.word(numbers[at], unknown), values[at]) for at in range(length))
                shown = [self.vocabulary.word(number, unknown) for number in written.shown[:length]]
                end = values[length] if length < len(numbers) else None
                phrases.append(make_phrase(tokens, end, slot=slot, words=shown))
        return sorted(phrases, key=lambda phrase: phrase.mean_probability, reverse=True)


Strategy: TypeAlias = Literal["greedy", "beam", "sampling"]
"""Ways to choose the next word: the likeliest, the likeliest sequences, or at random."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """Settings of decoding; widths and lengths are at least 1."""

    strategy: Strategy = "greedy"  # how words are chosen; generators of sets are always greedy
    width: int = 1  # hypotheses of a beam, or samples
    temperature: float = 1.0  # above 0: logits are divided by it in sampling, with ``seed``
    longest: int = 60  # words of a sequence at most, delimiters included
    present_only: bool = False  # whether only phrases of the source are written
    fill_slots: bool = False  # whether the slots of a set write a phrase even where they would rather be empty
    seed: int = 0
    exclusion_window: int | None = None  # ExHiRD: phrases whose first words may not begin the next; None as trained

    def __post_init__(self) -> None:
        if self.width < 1 or self.longest < 1 or self.temperature <= 0:
            message = f"width {self.width}, longest {self.longest}, temperature {self.temperature:g}"
            raise BadParameter(message, "expected numbers from 1, and a temperature above 0")
        if self.exclusion_window is not None and self.exclusion_window < 0:
            raise BadParameter(f"exclusion_window {self.exclusion_window}", "expected a number from 0, 0 for none")


def check_greedy(decoding: Decoding) -> None:
    """Check that decoding is greedy, the only way that exported generators have."""
    if decoding.strategy != "greedy":
        message = f"decoding {decoding.strategy} of an exported generator, which only decodes greedily"
        raise BadParameter(message, "leave decoding out, or use the folder that it was exported from")
    if decoding.exclusion_window is not None:
        message = f"exclusion_window {decoding.exclusion_window} of an exported generator, whose window is fixed"
        raise BadParameter(message, "leave it out, or use the folder that it was exported from")


class PhraseGenerator(abc.ABC):
    """A generator of keyphrases with its vocabulary: words go in, phrases with probabilities come out."""

    def count_read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return len(source)

    @abc.abstractmethod
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept."""


def generate_phrases(
    model: PhraseGenerator, sources: Sequence[Words], decoding: Decoding, batch: int
) -> Iterator[tuple[int, list[GeneratedPhrase]]]:
    """Yield the number of each source and its phrases; sources of about one length are decoded together."""
    for rows in batch_by_length([len(source) for source in sources], batch):
        yield from zip(rows, model.generate([sources[row] for row in rows], decoding), strict=True)
