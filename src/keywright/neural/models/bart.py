"""BART: a Transformer that was pre-trained to restore text, fine-tuned to write keyphrases.

Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training", ACL 2020; with keyphrases as in Wu et al. 2023
(DeepKPG). A source is ``<s> title . <s> abstract </s>``, a target ``<s> phrase ; phrase </s>`` behind ``</s>``.
"""

from collections.abc import Iterable
from typing import ClassVar

from transformers import BartConfig, BartForConditionalGeneration

from keywright.core.errors import UnsupportedFormat
from keywright.neural.data.examples import Example
from keywright.neural.data.subwords import SEMICOLON, Subwords, byte_level
from keywright.neural.decoding.pieces import Marks, PieceSequences
from keywright.neural.models.pretrained import PieceSize, PretrainedGenerator


class Bart(PretrainedGenerator):
    """BART of any size."""

    name: ClassVar[str] = "bart"
    network_class = BartForConditionalGeneration
    config_class = BartConfig
    config_keys = (
        "vocab_size", "max_position_embeddings", "d_model", "encoder_layers", "decoder_layers",
        "encoder_attention_heads", "decoder_attention_heads", "encoder_ffn_dim", "decoder_ffn_dim",
        "activation_function", "scale_embedding", "dropout", "attention_dropout", "activation_dropout",
        "encoder_layerdrop", "decoder_layerdrop", "init_std",
        "bos_token_id", "pad_token_id", "eos_token_id", "decoder_start_token_id",
    )  # fmt: skip
    paper = PieceSize()

    @classmethod
    def sized(cls, size: PieceSize, pieces: int) -> BartConfig:
        """Return the config of a size; marks have the numbers of BART, which pieces learned here share."""
        return BartConfig(
            vocab_size=pieces,
            d_model=size.width,
            encoder_layers=size.layers,
            decoder_layers=size.layers,
            encoder_attention_heads=size.heads,
            decoder_attention_heads=size.heads,
            encoder_ffn_dim=size.inner,
            decoder_ffn_dim=size.inner,
            dropout=size.dropout,
            # The published 0.02 is for wide networks: narrow ones that begin so learn for long to ignore the source.
            # This is the deviation of Glorot and Bengio 2010.
            init_std=size.width**-0.5,
        )

    @classmethod
    def _learned(cls, examples: Iterable[Example], pieces: int) -> Subwords:
        return byte_level(examples, pieces)

    def _sequences(self) -> PieceSequences:
        separator = self.subwords.pieces(SEMICOLON)
        if len(separator) != 1:
            message = f"the tokeniser has {len(separator)} pieces for the semicolon that separates keyphrases"
            raise UnsupportedFormat(message, "expected one piece: use a tokeniser of BART")
        begin, end = self._mark("bos_token_id"), self._mark("eos_token_id")
        prefix = self._mark("decoder_start_token_id"), begin
        masked = self._masked("<mask>")
        marks = Marks(start=(begin,), title=begin, end=end, prefix=prefix, separator=separator[0], masked=masked)
        return PieceSequences(self.subwords, marks, self.network.config.max_position_embeddings)
