"""Unions of the longest common subsequences of one sentence with each sentence of a text (Lin 2004, section 3.2)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

_MANY: Final = 16
"""Sentences of a text above which it is worth while to look up those that hold a token; arbitrary."""


class Sentences:
    """The distinct sentences of a text.

    Attributes:
        texts: token ids of each sentence; repeated sentences, which add nothing to a union, once.
    """

    def __init__(self, sentences: Sequence[Sequence[int]]) -> None:
        """Take sentences."""
        self.texts = tuple(dict.fromkeys(map(tuple, sentences)))
        self._distinct = frozenset(self.texts)

    def union(self, sentence: Sequence[int], match: Callable[[Sequence[int]], int]) -> int:
        """Return the places of a sentence that are in its subsequence with any sentence of this text, as a bit mask.

        Args:
            sentence: token ids, of the reference.
            match: finds the places of its subsequence with one sentence.
        """
        if tuple(sentence) in self._distinct:  # all of it: the usual case of summaries that copy sentences
            return (1 << len(sentence)) - 1
        marks = 0
        if len(self.texts) <= _MANY:
            for tokens in self.texts:
                marks |= match(tokens)
            return marks
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

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        """The numbers of the sentences that hold each token."""
        holders: dict[int, list[int]] = defaultdict(list)
        for number, tokens in enumerate(self.texts):
            for token in set(tokens):
                holders[token].append(number)
        return dict(holders)
