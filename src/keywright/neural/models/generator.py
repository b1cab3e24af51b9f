"""The interface of generators for training, decoding and the systems."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from keywright.neural.data.examples import Example, Words
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.phrase_generator import PhraseGenerator


@dataclass(frozen=True, eq=False)
class Loss:
    """Sum of a batch's losses, and the number of target tokens that it is divided by."""

    total: Tensor
    tokens: int


class KeyphraseGenerator(nn.Module, PhraseGenerator):
    """A network of torch that generates keyphrases, with its vocabulary."""

    name: ClassVar[str]
    """Name in the catalogue, such as ``one2seq``."""
    longest: ClassVar[int] = 60
    """Tokens of a list at most, delimiters included, unless told otherwise."""

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    @abc.abstractmethod
    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the loss of a batch of examples, at least one."""

    @abc.abstractmethod
    def score(self, sources: Sequence[Words], phrases: Sequence[Sequence[Words]]) -> list[list[GeneratedPhrase]]:
        """Return given phrases of each source with the probabilities that the model gives them (teacher forcing).

        Each phrase is scored by itself, as the first that the model writes.
        """

    @abc.abstractmethod
    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""

    @abc.abstractmethod
    def files(self) -> dict[str, str]:
        """Return what must be saved beside the weights: text by file name."""

    @abc.abstractmethod
    def config(self) -> dict[str, Any]:
        """Return the values that make the network again, JSON only."""
