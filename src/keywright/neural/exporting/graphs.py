"""Generators as two graphs of tensors: an encoder, and a step of the decoder that goes from state to state.

A state is a list of named tensors with a row for each sequence that is written, so that whoever runs the graphs can
drop rows without a word about what the tensors are.
"""

import abc
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from keywright.neural.exported.sessions import BEHIND, EXTENDED
from keywright.neural.models.generator import KeyphraseGenerator

Model = TypeVar("Model", bound=KeyphraseGenerator)


class Graphs(abc.ABC, Generic[Model]):
    """A generator as functions of tensors.

    Attributes:
        inputs: names of what the encoder reads, (rows, places) each.
        numbered: names of the inputs of a step that come from the numbers of the source, without the encoder.
        encoded: names of what the encoder returns; with ``numbered``, it is the state before the first step.
        changed: names of the part of the state that a step changes.
    """

    inputs: tuple[str, ...] = (EXTENDED,)
    numbered: tuple[str, ...] = (EXTENDED, BEHIND)
    encoded: tuple[str, ...]
    changed: tuple[str, ...]

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the whole state."""
        return self.numbered + self.encoded

    @abc.abstractmethod
    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of ``encoded``."""

    @abc.abstractmethod
    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities of the next words, then the tensors of ``changed``.

        Args:
            words: the words before, (rows,) or (rows, slots).
            state: tensors of ``state``.
        """

    def words(self, rows: int) -> Tensor:
        """Return words to try a step with."""
        return torch.ones(rows, dtype=torch.long)


class EncoderModule(nn.Module):
    """The encoder as a module, as which torch exports it."""

    def __init__(self, graphs: Graphs[Model]) -> None:
        super().__init__()
        self.model, self._graphs = graphs.model, graphs

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of ``encoded``."""
        return self._graphs.encode(*inputs)


class StepModule(nn.Module):
    """A step as a module."""

    def __init__(self, graphs: Graphs[Model]) -> None:
        super().__init__()
        self.model, self._graphs = graphs.model, graphs

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities and the tensors of ``changed``."""
        return self._graphs.step(*tensors)
