"""Sources of a batch as tensors of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from keywright.neural.data.examples import Words
from keywright.neural.data.vocabulary import PAD, UNKNOWN, Vocabulary


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
        return cls.numbered(padded(rows), unknown, len(vocabulary))

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


def padded(rows: Sequence[Sequence[int]], width: int = 1, fill: int = PAD) -> Tensor:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest), at least ``width`` wide."""
    longest = max([width, *map(len, rows)])
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], dtype=torch.long).reshape(-1, longest)
