"""Unions of the longest common subsequences of one sentence with each sentence of a text (Lin 2004, section 3.2)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from keywright.summaries.rouge.lcs import Positions, matched

Matcher: TypeAlias = Callable[[Sequence[int], Sequence[int]], int]
"""Places of a common subsequence in the first sentence, as a bit mask."""


class Sentences:
    """The distinct sentences of a text, and those that hold each token.

    Attributes:
        texts: token ids of each sentence; repeated sentences, which add nothing to a union, once.
    """

    def __init__(self, sentences: Sequence[Sequence[int]]) -> None:
        """Index sentences."""
        self.texts = tuple(dict.fromkeys(map(tuple, sentences)))
        self._holders: dict[int, list[int]] = defaultdict(list)
        for number, tokens in enumerate(self.texts):
            for token in set(tokens):
                self._holders[token].append(number)

    def union(self, sentence: Sequence[int], matcher: Matcher | None = None) -> int:
        """Return the places of a sentence that are in its subsequence with any sentence of this text, as a bit mask.

        Args:
            sentence: token ids, of the reference.
            matcher: finds a subsequence; None takes the longest.
        """
        match = partial(matcher, sentence) if matcher else partial(matched, Positions(sentence))
        marks = 0
        compared = set()
        # A sentence is compared only while a place that it may add is open, so that long texts need few comparisons.
        for place, token in enumerate(sentence):
            for number in self._holders.get(token, ()):
                if marks >> place & 1:
                    break
                if number not in compared:
                    compared.add(number)
                    marks |= match(self.texts[number])
        return marks
