"""T5: a Transformer with relative positions, pre-trained on many tasks as text to text, that writes keyphrases.

Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", JMLR 2020; with
keyphrases as in Kundu, Ray Chowdhury and Caragea 2023. A source is ``title . <sep> abstract </s>``, a target
``phrase <sep> phrase </s>`` behind ``<pad>``; ``<sep>`` and ``<digit>`` are pieces that a published folder gets here.
"""

from collections.abc import Iterable
from typing import ClassVar

from transformers import T5Config, T5ForConditionalGeneration

from keywright.core.errors import UnsupportedFormat
from keywright.neural.data.examples import Example
from keywright.neural.data.subwords import T5_SEPARATOR, Subwords, unigram
from keywright.neural.decoding.pieces import Marks, PieceSequences
from keywright.neural.models.pretrained import PieceSize, PretrainedGenerator
from keywright.text.generation_words import NUMBER


class T5(PretrainedGenerator):
    """T5 of any size."""

    name: ClassVar[str] = "t5"
    network_class = T5ForConditionalGeneration
    config_class = T5Config
    config_keys = (
        "vocab_size", "d_model", "d_kv", "d_ff", "num_layers", "num_decoder_layers", "num_heads",
        "relative_attention_num_buckets", "relative_attention_max_distance", "feed_forward_proj",
        "tie_word_embeddings", "scale_decoder_outputs", "dropout_rate", "layer_norm_epsilon", "initializer_factor",
        "pad_token_id", "eos_token_id", "decoder_start_token_id",
    )  # fmt: skip
    paper = PieceSize(layers=12)

    @classmethod
    def sized(cls, size: PieceSize, pieces: int) -> T5Config:
        """Return the config of a size; marks have the numbers of T5, which pieces learned here share."""
        return T5Config(
            vocab_size=pieces,
            d_model=size.width,
            d_kv=size.width // size.heads,
            d_ff=size.inner,
            num_layers=size.layers,
            num_heads=size.heads,
            dropout_rate=size.dropout,
            decoder_start_token_id=0,
        )

    @classmethod
    def _learned(cls, examples: Iterable[Example], pieces: int) -> Subwords:
        return unigram(examples, pieces)

    @classmethod
    def _add_marks(cls, subwords: Subwords) -> None:
        subwords.add_marks([T5_SEPARATOR])
        subwords.add_words([NUMBER])

    def _sequences(self) -> PieceSequences:
        separator, end = self.subwords.number(T5_SEPARATOR), self._mark("eos_token_id")
        if separator is None:
            raise UnsupportedFormat(f"the tokeniser has no {T5_SEPARATOR}", "use that of a model of this project")
        prefix = (self._mark("decoder_start_token_id"),)
        return PieceSequences(self.subwords, Marks((), separator, end, prefix, separator, self._masked("<extra_id_0>")))
