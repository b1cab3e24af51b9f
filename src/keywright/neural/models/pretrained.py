"""Networks of the library transformers as generators, with their own probabilities: all keyphrases as one sequence."""

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

import torch
from torch import Tensor, nn
from transformers import EncoderDecoderCache, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput

from keywright.core.errors import BadParameter, BrokenFile
from keywright.neural.data.examples import UNKNOWN_PIECE, Example, Words
from keywright.neural.data.subwords import Subwords
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase
from keywright.neural.decoding.pieces import PieceSequences
from keywright.neural.decoding.sequences import Stepper, write_phrases
from keywright.neural.layers import CopyMixture, choose_rows
from keywright.neural.models.generator import Files, KeyphraseGenerator, Loss, pad_rows

_TIED: Final = "tied_output"
"""Value of a config: whether the output uses the embeddings, which transformers' own value does not say of T5."""
_ROWS: Final = "vocab_size"  # value of every config of transformers, and not of a size
_IGNORED: Final = -100  # Label of padding, which torch's cross-entropy ignores
_COPYING: Final = "copy_pieces"  # value of a config: whether pieces of the source can be copied


@dataclass(frozen=True, slots=True)
class PieceSize:
    """Size of a network of random weights; the values are those of BART-base (Lewis et al. 2020), of each side."""

    width: int = 768
    heads: int = 12
    inner: int = 3072
    layers: int = 6
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if min(self.width, self.heads, self.inner, self.layers) < 1 or self.width % self.heads:
            message = f"width {self.width}, heads {self.heads}, inner {self.inner}, layers {self.layers}"
            raise BadParameter(message, "expected numbers from 1, and a width that the heads divide")


@dataclass(frozen=True, eq=False)
class PieceMemory:
    """A decoder's memory: the source's states, (rows, source, width), and keys and values of the steps so far.

    ``numbers`` are the source's pieces, (rows, source), and ``keys`` what a head that copies compares with. A step
    changes ``cache`` in place, and so does ``rows``: earlier memories are not valid after them.
    """

    states: Tensor
    mask: Tensor
    document: Tensor
    cache: EncoderDecoderCache | None = None
    numbers: Tensor | None = None
    keys: Tensor | None = None

    def rows(self, rows: Tensor) -> "PieceMemory":
        """Return the memory of some rows, which may repeat."""
        rows = rows.to(self.document.device)
        # As in ``DecoderMemory``: what is the document's stays where a beam only reorders its hypotheses.
        if self.document[rows].equal(self.document):
            if self.cache is not None:
                self.cache.self_attention_cache.batch_select_indices(rows)
            return self
        if self.cache is not None:
            self.cache.batch_select_indices(rows)
        return choose_rows(self, rows)


class PieceCopying(nn.Module):
    """A head that copies pieces of the source: attention of a decoder's states over the encoder's, and a gate."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.mixture = CopyMixture(width)

    def find_parts(self, output: Seq2SeqLMOutput, memory: PieceMemory) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return what the mixture needs: states, logits, attention on the source, and the numbers of its pieces."""
        states, keys, numbers = output.decoder_hidden_states[-1], memory.keys, memory.numbers
        assert keys is not None, "the memory of a head that copies has keys"  # noqa: S101 - for the type checker
        assert numbers is not None, "and numbers"  # noqa: S101 - for the type checker
        scores = (self.query(states) @ keys.mT).float() / keys.shape[-1] ** 0.5
        attention = scores.masked_fill(memory.mask[:, None] == 0, -torch.inf).softmax(-1)
        return states, output.logits.float(), attention, numbers[:, None]


class PretrainedGenerator(KeyphraseGenerator, Stepper[PieceMemory]):
    """A network of transformers that writes keyphrases one after the other; it may also start at random."""

    network_class: ClassVar[type[PreTrainedModel]]
    config_class: ClassVar[type[PreTrainedConfig]]
    config_keys: ClassVar[tuple[str, ...]]
    """Values of a config that make the network; others, which could name code, are never read."""
    longest: ClassVar[int] = 128
    file = "tokenizer.json"
    paper: ClassVar[PieceSize]  # size of the published model

    def __init__(self, subwords: Subwords, network: PreTrainedModel) -> None:
        super().__init__()
        rows = network.get_input_embeddings().weight.shape[0]
        if len(subwords) > rows:
            message = f"the tokeniser has {len(subwords):,} pieces, the network {rows:,}"
            raise BrokenFile(message, "use the tokeniser that the network was trained with")
        self.subwords, self.network = subwords, network
        self.copying: PieceCopying | None = None
        self.sequences = self._make_sequences()
        self.begin, self.end = self.sequences.marks.prefix[-1], self.sequences.marks.end

    @classmethod
    @abc.abstractmethod
    def make_config(cls, size: PieceSize, pieces: int) -> PreTrainedConfig:
        """Return the library's config of a size; marks have the numbers of the published model, as learned pieces."""

    @classmethod
    def add_marks(cls, subwords: Subwords) -> None:
        """Give the tokeniser of a folder the marks that it lacks."""

    @abc.abstractmethod
    def _make_sequences(self) -> PieceSequences:
        """Return how sources and keyphrases become sequences."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any], files: Files) -> Self:
        """Return a network of random weights, from ``config()`` or a ``PieceSize`` that makes one."""
        if cls.file not in files:
            raise BrokenFile(f"no {cls.file}", "copy the folder again")
        subwords = Subwords.from_json(files[cls.file])
        if _ROWS in config:
            network = cls.make_network(config)
            if config.get(_TIED) is False:
                untie_output(network)
        else:
            size = {name: value for name, value in config.items() if name != _COPYING}
            network = cls.network_class(cls.make_config(replace(cls.paper, **size), len(subwords)))
        generator = cls(subwords, network)
        if config.get(_COPYING):
            generator.copying = PieceCopying(network.config.d_model)
        return generator

    def files(self) -> dict[str, str]:
        """Return the tokeniser."""
        return {self.file: self.subwords.as_json()}

    def config(self) -> dict[str, Any]:
        """Return the values of the network's config, by the names of transformers."""
        values = {key: getattr(self.network.config, key) for key in self.config_keys}
        output, embedding = self.network.get_output_embeddings(), self.network.get_input_embeddings()
        copying = {} if self.copying is None else {_COPYING: True}
        return {**values, _TIED: output.weight is embedding.weight, **copying}

    def count_read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return self.sequences.count_read(source)

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases; those behind the last position are left out."""
        targets = [self.sequences.target(example.phrases) for example in examples]
        log_probabilities = self._force(self._encode([example.source for example in examples]), targets)
        steps = len(self.sequences.marks.prefix) - 1
        return Loss(-log_probabilities.sum(), sum(steps + len(target) for target in targets))

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source; those of several sequences are merged, most frequent first."""
        self.sequences.check_fits(decoding.longest)
        memory = self._encode(sources)
        for number in self.sequences.marks.prefix[:-1]:
            _, memory = self.step(memory, torch.full((len(sources),), number))
        constraint = self.sequences.present_only(sources) if decoding.present_only else None
        whole = sources if decoding.present_only else [None] * len(sources)
        return write_phrases(self, memory, decoding, constraint, self.sequences.phrases, whole)

    def score(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return phrases with the probabilities of each as the first and only one of its source."""
        targets = [self.sequences.only_target(phrase) for phrase in phrases]
        memory = self._encode([source]).rows(torch.zeros(len(phrases), dtype=torch.long, device=self.device))
        values = self._force(memory, targets)[:, len(self.sequences.marks.prefix) - 1 :].tolist()
        return [self.sequences.score(*each) for each in zip(phrases, targets, values, strict=True)]

    def obstacle(self, source: Words, phrase: Words) -> str:  # noqa: ARG002 - pieces spell any source's words
        """Return why the model can never write a phrase for a source; empty if it can."""
        return self.sequences.obstacle(phrase)

    def step(self, state: PieceMemory, words: Tensor) -> tuple[Tensor, PieceMemory]:
        """Return log-probabilities of the next piece, (rows, pieces), and the new memory."""
        output = self._decode(state, words.to(self.device)[:, None], past_key_values=state.cache, use_cache=True)
        if self.copying is None:
            log_probabilities = output.logits[:, -1].float().log_softmax(-1)
        else:
            parts = self.copying.find_parts(output, state)
            log_probabilities = self.copying.mixture.log_probabilities(*parts, 0)[:, -1]
        return log_probabilities, replace(state, cache=output.past_key_values)

    def _decode(self, memory: PieceMemory, inputs: Tensor, **settings: Any) -> Seq2SeqLMOutput:
        output: Seq2SeqLMOutput = self.network(
            encoder_outputs=BaseModelOutput(memory.states),
            attention_mask=memory.mask,
            decoder_input_ids=inputs,
            output_hidden_states=self.copying is not None,
            **settings,
        )
        return output

    @classmethod
    def make_network(cls, config: Mapping[str, Any]) -> PreTrainedModel:
        """Return a network of random weights from the values of a config, of which only ``config_keys`` are read."""
        values = {key: config[key] for key in cls.config_keys if key in config}
        try:
            return cls.network_class(cls.config_class(**values))
        except Exception as error:  # the library checks some values and stumbles over others
            message = f"the config makes no {cls.name} network: {' '.join(str(error).split())}"
            raise BrokenFile(message, "copy the folder again") from error

    def _find_mark(self, key: str) -> int:
        number = getattr(self.network.config, key)
        if not isinstance(number, int) or not 0 <= number < len(self.subwords):
            raise BrokenFile(f"the config has {key} {number!r}", "expected the number of a piece")
        return number

    def _find_masked(self, mark: str) -> int:
        """Return the number of the mark of left-out words, if the tokeniser has it, or that of unknown characters."""
        numbers = (self.subwords.number(piece) for piece in (mark, UNKNOWN_PIECE))
        return next((number for number in numbers if number is not None), self._find_mark("eos_token_id"))

    def _encode(self, sources: Sequence[Words]) -> PieceMemory:
        """Return the memory of a decoder that has made no step."""
        rows = [self.sequences.source(source) for source in sources]
        numbers = pad_rows(rows, fill=self.end).to(self.device)
        mask = pad_rows([[1] * len(row) for row in rows], fill=0).to(self.device)
        states = self.network.get_encoder()(input_ids=numbers, attention_mask=mask).last_hidden_state
        keys = None if self.copying is None else self.copying.key(states)
        return PieceMemory(states, mask, torch.arange(len(rows), device=self.device), numbers=numbers, keys=keys)

    def _force(self, memory: PieceMemory, targets: Sequence[Sequence[int]]) -> Tensor:
        """Return the log-probabilities of what follows the first mark of the prefix, 0 for padding, (batch, steps)."""
        rows = [[*self.sequences.marks.prefix, *target] for target in targets]
        inputs = pad_rows([row[:-1] for row in rows], fill=self.end).to(self.device)
        labels = pad_rows([row[1:] for row in rows], fill=_IGNORED).to(self.device)
        output = self._decode(memory, inputs, use_cache=False)
        if self.copying is not None:
            parts = self.copying.find_parts(output, memory)
            values = self.copying.mixture.target_log_probabilities(*parts, labels.clamp_min(0))
            return torch.where(labels == _IGNORED, 0.0, values)
        return -nn.functional.cross_entropy(output.logits.float().mT, labels, ignore_index=_IGNORED, reduction="none")


def untie_output(network: PreTrainedModel) -> None:
    """Give the output weights of its own."""
    output = network.get_output_embeddings()
    output.weight = nn.Parameter(output.weight.detach().clone())
