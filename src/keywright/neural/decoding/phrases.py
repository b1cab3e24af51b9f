"""Generated phrases: words, with the probability of each token, cut from sequences of tokens."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from keywright.core.predictions import Generation
from keywright.neural.data.examples import Words

LEAST: Final = math.log(1e-12)
"""Least log-probability of a token: a copied word can have had none at all, and perplexity needs a finite number."""


@dataclass(frozen=True, slots=True)
class GeneratedPhrase:
    """A phrase and how it was generated."""

    words: Words
    generation: Generation


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a sequence and its log-probability, conditional on all earlier ones."""

    text: str
    log_probability: float


TokenSequence: TypeAlias = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Written:
    """A sequence: numbers of its words, the last of them the end if it was reached, and their log-probabilities."""

    words: tuple[int, ...]
    log_probabilities: tuple[float, ...]


def tokens_of(words: Iterable[str], log_probabilities: Iterable[float]) -> list[Token]:
    """Return words with their log-probabilities, as many of both."""
    return [Token(word, value) for word, value in zip(words, log_probabilities, strict=True)]


def finite(log_probability: float) -> float:
    """Return the log-probability, at most 0, not below that of one in 10**12."""
    return min(0.0, max(LEAST, log_probability))


def phrases_of(
    tokens: Iterable[Token], separators: frozenset[str], end: str, starts: frozenset[str] = frozenset()
) -> list[GeneratedPhrase]:
    """Return the phrases of a sequence of words, each with the log-probability of the delimiter that ended it.

    A phrase that the limit of length cut off has no ``end``. Empty phrases are dropped.

    Args:
        tokens: of the sequence, those behind ``end`` are ignored.
        separators: delimiters of phrases.
        end: delimiter after the last phrase.
        starts: marks before a phrase, whose log-probability it gets.
    """
    phrases: list[GeneratedPhrase] = []
    current: list[Token] = []
    start: float | None = None
    for token in tokens:
        if token.text in starts:
            start = token.log_probability
        elif token.text not in separators and token.text != end:
            current.append(token)
        else:
            if current:
                phrases.append(phrase_of(current, token.log_probability, start))
            current, start = [], None
            if token.text == end:
                return phrases
    return [*phrases, phrase_of(current, start=start)] if current else phrases


def phrase_of(
    tokens: TokenSequence, end: float | None = None, start: float | None = None, slot: int | None = None
) -> GeneratedPhrase:
    """Return the phrase of tokens that are words; at least one."""
    words = tuple(token.text for token in tokens)
    generation = Generation(
        tokens=words,
        log_probabilities=tuple(finite(token.log_probability) for token in tokens),
        end=None if end is None else finite(end),
        start=None if start is None else finite(start),
        slot=slot,
        words=len(words),
    )
    return GeneratedPhrase(words, generation)


def merged(lists: Iterable[Iterable[GeneratedPhrase]]) -> list[GeneratedPhrase]:
    """Return the phrases of several hypotheses or samples, each once, as it was likeliest; most frequent first."""
    best: dict[Words, GeneratedPhrase] = {}
    votes: Counter[Words] = Counter()
    for listed in lists:
        phrases = tuple(listed)
        votes.update({phrase.words for phrase in phrases})
        for phrase in phrases:
            earlier = best.setdefault(phrase.words, phrase)
            if mean_log_probability(phrase) > mean_log_probability(earlier):
                best[phrase.words] = phrase
    return sorted(best.values(), key=lambda phrase: (-votes[phrase.words], -mean_log_probability(phrase)))


def mean_log_probability(phrase: GeneratedPhrase) -> float:
    """Return the mean log-probability of a phrase's tokens."""
    values = phrase.generation.log_probabilities
    return sum(values) / len(values)
