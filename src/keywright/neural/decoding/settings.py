"""Settings of decoding."""

import enum
from dataclasses import dataclass

from keywright.core.errors import BadParameter


class Strategy(enum.StrEnum):
    """Ways to choose the next word: the likeliest, the likeliest sequences, or at random."""

    GREEDY = "greedy"
    BEAM = "beam"
    SAMPLING = "sampling"


@dataclass(frozen=True, slots=True)
class Decoding:
    """Settings of decoding.

    Attributes:
        strategy: how words are chosen; generators of sets are always greedy.
        width: number of hypotheses of a beam, or of samples.
        temperature: of sampling, above 0: logits are divided by it.
        longest: words of a sequence at most, delimiters included.
        present_only: whether only phrases of the source are written.
        fill_slots: whether the slots of a set write a phrase even where they would rather be empty.
        seed: of sampling.

    Raises:
        BadParameter: a number is out of its range.
    """

    strategy: Strategy = Strategy.GREEDY
    width: int = 1
    temperature: float = 1.0
    longest: int = 60
    present_only: bool = False
    fill_slots: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.width < 1 or self.longest < 1 or self.temperature <= 0:
            message = f"width {self.width}, longest {self.longest}, temperature {self.temperature:g}"
            raise BadParameter(message, "expected numbers from 1, and a temperature above 0")


def check_greedy(decoding: Decoding) -> None:
    """Check that decoding is greedy, the only way that exported generators have."""
    if decoding.strategy != Strategy.GREEDY:
        message = f"decoding {decoding.strategy.value} of an exported generator, which only decodes greedily"
        raise BadParameter(message, "leave decoding out, or use the folder that it was exported from")
