"""The interface of generators for training, decoding and the systems."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from keywright.neural.data.examples import Example, Words
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.settings import Decoding


@dataclass(frozen=True, eq=False)
class Loss:
    """Sum of a batch's losses, and the number of target tokens that it is divided by."""

    total: Tensor
    tokens: int


class KeyphraseGenerator(nn.Module, abc.ABC):
    """A generator of keyphrases with its vocabulary; texts go in, phrases with probabilities come out."""

    name: ClassVar[str]
    """Name in the catalogue, such as ``one2seq``."""
    longest: ClassVar[int] = 60
    """Tokens of a list at most, delimiters included, unless told otherwise."""

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    def read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return len(source)

    @abc.abstractmethod
    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the loss of a batch of examples, at least one."""

    @abc.abstractmethod
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept."""

    @abc.abstractmethod
    def score(self, sources: Sequence[Words], phrases: Sequence[Sequence[Words]]) -> list[list[GeneratedPhrase]]:
        """Return given phrases of each source with the probabilities that the model gives them (teacher forcing).

        Each phrase is scored by itself, as the first that the model writes.
        """

    @abc.abstractmethod
    def files(self) -> dict[str, str]:
        """Return what must be saved beside the weights: text by file name."""

    @abc.abstractmethod
    def config(self) -> dict[str, Any]:
        """Return the values that make the network again, JSON only."""
