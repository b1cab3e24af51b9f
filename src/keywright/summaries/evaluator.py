"""The interface of evaluators of summaries."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from keywright.summaries.pairs import Pair


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
