"""The interface of evaluators of summaries, a check of their options, and the simplest of them, ``length``."""

import typing
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from keywright.core.errors import BadParameter
from keywright.core.signatures import list_parameters
from keywright.summaries.pairs import Pair, SummaryText


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one summary under one evaluator.

    Attributes:
        values: by name, ``P``, ``R`` and ``F``, or ``score``; None where undefined.
        notes: oddities, for people: an empty summary, no reference, no keyphrase.
    """

    values: Mapping[str, float | None]
    notes: tuple[str, ...] = ()


class Evaluator(ABC):
    """A base of evaluators: frozen dataclasses whose fields are options, named in specifications and signatures.

    Attributes:
        name: in specifications, such as ``rouge155``.
        headline: name of the value by which summaries are ranked.
    """

    name: ClassVar[str]
    headline: ClassVar[str]

    @abstractmethod
    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the scores of each pair, in order; work on texts that several pairs share is done once."""


def check_options(evaluator: Evaluator) -> None:
    """Raise for an option whose value is not one of its choices, or not true or false.

    Raises:
        BadParameter: there is such an option.
    """
    for option in list_parameters(type(evaluator)):
        value = getattr(evaluator, option.name)
        choices = (True, False) if option.type is bool else typing.get_args(option.type)
        if choices and (value not in choices or isinstance(value, bool) != (option.type is bool)):
            raise BadParameter(f"{evaluator.name}: {option.name} = {value!r:.60}", f"{option.name} takes {option.kind}")


@dataclass(frozen=True)
class Length(Evaluator):
    """Number of words of the summary; references are not used."""

    name: ClassVar[str] = "length"
    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the number of words of each summary, in order."""
        for pair in pairs:
            yield Evaluation({"score": float(count_words(pair.summary))})


def count_words(text: SummaryText) -> int:
    """Return the number of words: tokens, or pieces between blanks, that have a letter or a digit.

    >>> word_count(SummaryText("Tides , it seems , rise 2 m ."))
    6
    """
    sentences = (text.whole.split(),) if text.tokens is None else text.tokens
    return sum(any(map(str.isalnum, word)) for sentence in sentences for word in sentence)
