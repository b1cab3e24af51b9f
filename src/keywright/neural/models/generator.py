"""The interface of generators of torch for training, decoding and the systems, and what several of them share."""

import abc
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias

import torch
from torch import Tensor, nn

from keywright.core.errors import unknown_name
from keywright.neural.data.examples import BEGIN, END, PAD, UNKNOWN, Example, Vocabulary, Words
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase, PhraseGenerator, WordSequences
from keywright.neural.decoding.sequences import State, Stepper, write_phrases

Files: TypeAlias = Mapping[str, str]
"""Texts that are saved beside the weights, by file name: a vocabulary, or a tokeniser."""
GENERATORS: Final = MappingProxyType({
    "bart": "bart_t5:Bart", "exhird": "exhird:ExHiRD", "one2seq": "copy_transformer:One2Seq",
    "one2set": "one2set:One2Set", "t5": "bart_t5:T5",
})  # fmt: skip
"""``module:class`` in this room by name; those of BART and T5 load transformers, which takes seconds."""


class Loss(NamedTuple):
    """Sum of a batch's losses, and the number of target tokens that it is divided by."""

    total: Tensor
    tokens: int


class KeyphraseGenerator(nn.Module, PhraseGenerator):
    """A network of torch that generates keyphrases, with its vocabulary."""

    name: ClassVar[str]  # name in the catalogue, such as ``one2seq``
    longest: ClassVar[int] = 60  # tokens of a list at most, delimiters included, unless told otherwise
    file: ClassVar[str]  # name of the file with the words or pieces
    learn_vocabulary: ClassVar[Any]
    """Function from examples and a size to words or pieces, at most so many, which have ``as_json``."""

    @classmethod
    @abc.abstractmethod
    def from_config(cls, config: Mapping[str, Any], files: Files) -> Self:
        """Return a generator with random weights from the values of ``config`` and ``files``."""

    @classmethod
    def files_from(cls, examples: Iterable[Example], size: int) -> dict[str, str]:
        """Return the ``files`` of a new generator: at most so many words or pieces, learned from examples."""
        return {cls.file: str(cls.learn_vocabulary(examples, size).as_json())}

    @abc.abstractmethod
    def config(self) -> dict[str, Any]:
        """Return the values that make the network again, JSON only."""

    @abc.abstractmethod
    def files(self) -> dict[str, str]:
        """Return what must be saved beside the weights."""

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    @abc.abstractmethod
    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the loss of a batch of examples, at least one."""

    @abc.abstractmethod
    def score(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return given phrases, at least one, each scored by itself as the first that the model writes for a source."""

    @abc.abstractmethod
    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""


def find_generator(name: str) -> type[KeyphraseGenerator]:
    """Return the class of a generator; there is no other name (``UnknownName``)."""
    if name not in GENERATORS:
        raise unknown_name("generator", name, tuple(GENERATORS), "keywright systems")
    generator: type[KeyphraseGenerator] = pkgutil.resolve_name(f"keywright.neural.models.{GENERATORS[name]}")
    return generator


class WordGenerator(KeyphraseGenerator):
    """A generator of words, which can copy, made from a vocabulary, a size (values of a config), and ``parts``."""

    vocabulary: Vocabulary
    file = "vocabulary.json"
    learn_vocabulary = staticmethod(Vocabulary.of)
    longest_phrase: int | None = None  # words of a phrase at most; None for no limit
    size_type: ClassVar[type[Any]]
    parts: ClassVar[Mapping[str, type[Any]]] = MappingProxyType({})
    """Types of other settings by name; each is an object in a config, and an attribute."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any], files: Files) -> Self:
        """Return a generator with random weights from the values of ``config`` and the vocabulary."""
        values = dict(config)
        parts = {name: kind(**values.pop(name, {})) for name, kind in cls.parts.items()}
        return cls(Vocabulary.from_json(files[cls.file]), cls.size_type(**values), **parts)

    def config(self) -> dict[str, Any]:
        """Return the values of the size, then of each part."""
        return {**asdict(self.network.size), **{name: asdict(getattr(self, name)) for name in self.parts}}

    def files(self) -> dict[str, str]:
        """Return the vocabulary."""
        return {self.file: self.vocabulary.as_json()}

    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""
        return self.vocabulary.obstacle(source, phrase, self.longest_phrase)

    def read_batch(self, sources: Sequence[Words]) -> "SourceBatch":
        """Return sources as a batch on the device of the weights."""
        rows, unknown = self.vocabulary.encode_sources(sources)
        return SourceBatch.of(pad_rows(rows).to(self.device), unknown, len(self.vocabulary))


class ListGenerator(WordGenerator, Stepper[State]):
    """A generator of words that writes all phrases of a source one after the other."""

    begin, end = BEGIN, END
    sequences: WordSequences
    start_marks = 0  # marks of phrases at most, which come on top of the longest sequence

    @abc.abstractmethod
    def start(self, source: "SourceBatch", exclusion_window: int | None = None) -> State:
        """Return the state before the first word; the window is that of decoding, None for the generator's own."""

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source; those of several sequences are merged, most frequent first."""
        source = self.read_batch(sources)
        constraint = self.sequences.present_only(source.rows()) if decoding.present_only else None
        room = replace(decoding, longest=decoding.longest + self.start_marks)
        state = self.start(source, decoding.exclusion_window)
        return write_phrases(self, state, room, constraint, self.sequences.phrases, source.unknown)


def shift_right(targets: Tensor) -> Tensor:
    """Return the word before each target, (..., steps)."""
    return nn.functional.pad(targets[..., :-1], (1, 0), value=BEGIN)


@dataclass(frozen=True, eq=False)
class SourceBatch:
    """Sources as numbers of ``words``, with ``extended`` ones behind the vocabulary; ``mask``: (batch, source)."""

    words: Tensor
    extended: Tensor
    mask: Tensor
    unknown: tuple[Words, ...] = field(repr=False)

    @classmethod
    def of(cls, extended: Tensor, unknown: tuple[Words, ...], vocabulary: int) -> "SourceBatch":
        """Return a batch of sources by their numbers, for a vocabulary of so many words."""
        return cls(torch.where(extended < vocabulary, extended, UNKNOWN), extended, extended != PAD, unknown)

    @property
    def extra(self) -> int:
        """Largest number of words behind the vocabulary."""
        return max(map(len, self.unknown), default=0)

    def rows(self) -> list[list[int]]:
        """Return the numbers of the words of each source, with those behind the vocabulary, without padding."""
        return [row[mask].tolist() for row, mask in zip(self.extended, self.mask, strict=True)]


def pad_rows(rows: Sequence[Sequence[int]], width: int = 1, fill: int = PAD) -> Tensor:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest), at least ``width`` wide."""
    longest = max([width, *map(len, rows)])
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], dtype=torch.long).reshape(-1, longest)


def copy_weights(model: nn.Module) -> dict[str, Tensor]:
    """Return copies of the weights on the CPU; weights that have several names are under the first."""
    return {name: weight.detach().cpu().contiguous().clone() for name, weight in _name_weights(model).items()}


def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give a network the weights of ``copy_weights``; other names or shapes are a ``ValueError``."""
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
