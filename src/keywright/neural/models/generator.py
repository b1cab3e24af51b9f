"""The interface of generators of torch for training, decoding and the systems; batches of sources; weights by name."""

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from keywright.neural.data.examples import Example, Words
from keywright.neural.data.vocabulary import PAD, UNKNOWN, Vocabulary
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.phrase_generator import PhraseGenerator


def copy_weights(model: nn.Module) -> dict[str, Tensor]:
    """Return copies of the weights on the CPU; weights that have several names are under the first."""
    return {name: weight.detach().cpu().contiguous().clone() for name, weight in _name_weights(model).items()}


def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give a network the weights that ``weights_of`` returned.

    Raises:
        ValueError: names or shapes differ from the network's.
    """
    expected = _name_weights(model)
    if odd := sorted(expected.keys() ^ weights.keys()):
        raise ValueError(f"{odd[0]} is {'missing' if odd[0] in expected else 'not a weight of this network'}")
    for name, weight in weights.items():
        if weight.shape != expected[name].shape:
            raise ValueError(f"{name} has the shape {tuple(weight.shape)}, expected {tuple(expected[name].shape)}")
    model.load_state_dict(dict(weights), strict=False)


def _name_weights(model: nn.Module) -> dict[str, Tensor]:
    """Return the weights by their first names: tied ones share their memory."""
    first: dict[tuple[int, tuple[int, ...]], str] = {}
    return {
        name: weight
        for name, weight in model.state_dict(keep_vars=True).items()
        if not weight.numel() or first.setdefault((weight.data_ptr(), tuple(weight.shape)), name) == name
    }


@dataclass(frozen=True, eq=False)
class SourceBatch:
    """Sources as numbers.

    Attributes:
        words: numbers in the vocabulary, ``UNKNOWN`` for others, (batch, source).
        extended: numbers with those behind the vocabulary, (batch, source).
        mask: true where there is a word, (batch, source).
        unknown: words behind the vocabulary, a tuple for each source.
        vocabulary: number of words of the vocabulary.
    """

    words: Tensor
    extended: Tensor
    mask: Tensor
    unknown: tuple[Words, ...] = field(repr=False)
    vocabulary: int

    @classmethod
    def of(cls, vocabulary: Vocabulary, sources: Sequence[Words]) -> "SourceBatch":
        """Return sources as a batch."""
        rows, unknown = vocabulary.numbered(sources)
        return cls.numbered(pad_rows(rows), unknown, len(vocabulary))

    @classmethod
    def numbered(cls, extended: Tensor, unknown: tuple[Words, ...], vocabulary: int) -> "SourceBatch":
        """Return a batch of sources by their numbers; see the attributes."""
        words = torch.where(extended < vocabulary, extended, UNKNOWN)
        return cls(words, extended, extended != PAD, unknown, vocabulary)

    @property
    def extra(self) -> int:
        """Largest number of words behind the vocabulary."""
        return max(map(len, self.unknown), default=0)

    def rows(self) -> list[list[int]]:
        """Return the numbers of the words of each source, with those behind the vocabulary, without padding."""
        return [row[mask].tolist() for row, mask in zip(self.extended, self.mask, strict=True)]

    def to(self, device: torch.device) -> "SourceBatch":
        """Return the batch on a device."""
        words, extended, mask = (column.to(device) for column in (self.words, self.extended, self.mask))
        return SourceBatch(words, extended, mask, self.unknown, self.vocabulary)


def pad_rows(rows: Sequence[Sequence[int]], width: int = 1, fill: int = PAD) -> Tensor:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest), at least ``width`` wide."""
    longest = max([width, *map(len, rows)])
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], dtype=torch.long).reshape(-1, longest)


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
