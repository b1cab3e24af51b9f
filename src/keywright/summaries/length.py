"""The evaluator ``length``: number of words of a summary, to see how far other scores follow it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair
from keywright.summaries.texts import SummaryText


@dataclass(frozen=True)
class Length(Evaluator):
    """Number of words of the summary; references are not used."""

    name: ClassVar[str] = "length"
    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the number of words of each summary, in order."""
        for pair in pairs:
            yield Evaluation({"score": float(word_count(pair.summary))})


def word_count(text: SummaryText) -> int:
    """Return the number of words: tokens, or pieces between blanks, that have a letter or a digit.

    >>> word_count(SummaryText("Tides , it seems , rise 2 m ."))
    6
    """
    sentences = (text.whole.split(),) if text.tokens is None else text.tokens
    return sum(any(map(str.isalnum, word)) for sentence in sentences for word in sentence)
