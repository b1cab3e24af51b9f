"""Generators that are in memory, whichever library runs them: their interface, settings of decoding, and batches."""

import abc
import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import batch_by_length
from keywright.neural.data.words import Words
from keywright.neural.decoding.phrases import GeneratedPhrase


class Strategy(enum.StrEnum):
    """Ways to choose the next word: the likeliest, the likeliest sequences, or at random."""

    GREEDY = "greedy"
    BEAM = "beam"
    SAMPLING = "sampling"


@dataclass(frozen=True, slots=True)
class Decoding:
    """Settings of decoding; widths and lengths are at least 1.

    Attributes:
        strategy: how words are chosen; generators of sets are always greedy.
        width: number of hypotheses of a beam, or of samples.
        temperature: of sampling with ``seed``, above 0: logits are divided by it.
        longest: words of a sequence at most, delimiters included.
        present_only: whether only phrases of the source are written.
        fill_slots: whether the slots of a set write a phrase even where they would rather be empty.
    """

    strategy: Strategy = Strategy.GREEDY
    width: int = 1
    temperature: float = 1.0
    longest: int = 60
    present_only: bool = False
    fill_slots: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.width < 1 or self.longest < 1 or self.temperature <= 0:
            message = f"width {self.width}, longest {self.longest}, temperature {self.temperature:g}"
            raise BadParameter(message, "expected numbers from 1, and a temperature above 0")


def check_greedy(decoding: Decoding) -> None:
    """Check that decoding is greedy, the only way that exported generators have."""
    if decoding.strategy != Strategy.GREEDY:
        message = f"decoding {decoding.strategy.value} of an exported generator, which only decodes greedily"
        raise BadParameter(message, "leave decoding out, or use the folder that it was exported from")


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
