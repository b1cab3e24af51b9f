"""BART and T5 of the library transformers, of any size, and their local folders: data only, nothing is downloaded."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    PreTrainedModel,
    T5Config,
    T5ForConditionalGeneration,
)

from keywright.core.errors import BrokenFile, MissingData, TooLarge, UnsupportedFormat, list_names
from keywright.core.json_values import parse_file
from keywright.neural.data.examples import UNKNOWN_PIECE
from keywright.neural.data.subwords import SEMICOLON, T5_SEPARATOR, Subwords, train_byte_level, train_unigram
from keywright.neural.decoding.pieces import Marks, PieceSequences
from keywright.neural.models.pretrained import PieceSize, PretrainedGenerator, untie_output
from keywright.text.tokens import NUMBER

_TOKENIZER: Final = "tokenizer.json"
_WEIGHTS: Final = "model.safetensors"
_SHARDS: Final = "model.safetensors.index.json"
_PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_SLOW: Final = ("vocab.json", "merges.txt", "spiece.model", "sentencepiece.bpe.model")
"""Files of tokenisers that only transformers itself can read."""
_OUTPUT: Final = "lm_head.weight"
_ZERO: Final = "final_logits_bias"  # Bias of BART's output that is always zero, and left out of some folders
_UNUSED: Final = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
"""Weights of the published T5 that no version of the network uses."""
_MOST_BYTES: Final = 64 * 2**20  # largest file of JSON that is read; arbitrary
_BERT_SIZES: Final = ("hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers")
_LONGEST: Final = "max_position_embeddings"  # value of both configs: places of the longest source
_BERT_KEYS: Final = ("vocab_size", "type_vocab_size", _LONGEST, *_BERT_SIZES)
"""Values of BERT's config that make its encoder; the last are those of a ``PieceSize`` and the layers."""
_BERT_MARKS: Final = {"[PAD]": "<pad>", "[UNK]": UNKNOWN_PIECE, "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
"""Marks of BART that the pieces of BERT become."""


class Bart(PretrainedGenerator):
    """BART of any size (Lewis et al., ACL 2020), with keyphrases as in Wu et al. 2023 (DeepKPG).

    A source is ``<s> title . <s> abstract </s>``, a target ``<s> phrase ; phrase </s>`` behind ``</s>``.
    """

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
    learn_vocabulary = staticmethod(train_byte_level)

    @classmethod
    def make_config(cls, size: PieceSize, pieces: int) -> BartConfig:
        """Return the config of a size."""
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

    def _make_sequences(self) -> PieceSequences:
        separator = self.subwords.pieces(SEMICOLON)
        if len(separator) != 1:
            message = f"the tokeniser has {len(separator)} pieces for the semicolon that separates keyphrases"
            raise UnsupportedFormat(message, "expected one piece: use a tokeniser of BART")
        begin, end = self._find_mark("bos_token_id"), self._find_mark("eos_token_id")
        prefix, masked = (self._find_mark("decoder_start_token_id"), begin), self._find_masked("<mask>")
        marks = Marks(start=(begin,), title=begin, end=end, prefix=prefix, separator=separator[0], masked=masked)
        return PieceSequences(self.subwords, marks, self.network.config.max_position_embeddings)


class T5(PretrainedGenerator):
    """T5 of any size (Raffel et al., JMLR 2020), with keyphrases as in Kundu, Ray Chowdhury and Caragea 2023.

    A source is ``title . <sep> abstract </s>``, a target ``phrase <sep> phrase </s>`` behind ``<pad>``; ``<sep>`` and
    ``<digit>`` are pieces that a published folder gets here.
    """

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
    learn_vocabulary = staticmethod(train_unigram)

    @classmethod
    def make_config(cls, size: PieceSize, pieces: int) -> T5Config:
        """Return the config of a size."""
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
    def add_marks(cls, subwords: Subwords) -> None:
        """Add the separator and the word for numbers."""
        subwords.add_marks([T5_SEPARATOR])
        subwords.add_words([NUMBER])

    def _make_sequences(self) -> PieceSequences:
        separator, end = self.subwords.number(T5_SEPARATOR), self._find_mark("eos_token_id")
        if separator is None:
            raise UnsupportedFormat(f"the tokeniser has no {T5_SEPARATOR}", "use that of a model of this project")
        prefix, masked = (self._find_mark("decoder_start_token_id"),), self._find_masked("<extra_id_0>")
        return PieceSequences(self.subwords, Marks((), separator, end, prefix, separator, masked))


KINDS: Final[Mapping[str, type[PretrainedGenerator]]] = {"bart": Bart, "t5": T5}
"""Generators by the ``model_type`` of transformers."""
Pretrained = TypeVar("Pretrained", bound=PretrainedGenerator)


def read_folder(kind: type[Pretrained], folder: Path) -> Pretrained:
    """Return the model of a local folder that transformers wrote.

    Raises BrokenFile: a damaged file, or one that does not fit; MissingData: there is none; UnsupportedFormat: a model
    of another kind, pickled weights, or no ``tokenizer.json``.
    """
    if not folder.is_dir():
        raise MissingData(f"no folder {folder}", "give the folder of a model of transformers")
    config = _read_json(folder, "config.json")
    if (actual := config.get("model_type")) != kind.name:
        raise UnsupportedFormat(f"{folder} holds a model of type {actual!r}", f"expected {kind.name!r}")
    if not (folder / _TOKENIZER).is_file() and (others := [name for name in _SLOW if (folder / name).is_file()]):
        raise UnsupportedFormat(
            f"{folder} has its tokeniser as {' and '.join(others)}, expected {_TOKENIZER}",
            "write it with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)",
        )
    network, subwords = kind.make_network(config), Subwords.from_json(_read_text(folder, _TOKENIZER))
    names = [_WEIGHTS]
    if not (folder / _WEIGHTS).is_file() and (folder / _SHARDS).is_file():
        shards = _read_json(folder, _SHARDS).get("weight_map")
        if not isinstance(shards, dict) or any(name != Path(str(name)).name for name in shards.values()):
            raise BrokenFile(f"{folder / _SHARDS} does not name files of its folder", "copy the folder again")
        names = sorted(set(shards.values()))
    elif not (folder / _WEIGHTS).is_file():
        if pickles := sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern)):
            raise UnsupportedFormat(
                f"{folder} has its weights as a pickle ({pickles[0]}), which can run any code; expected {_WEIGHTS}",
                "where you trust it, write it again with transformers:"
                " MODEL.from_pretrained(FOLDER).save_pretrained(NEW)",
            )
        raise MissingData(f"{folder} has no {_WEIGHTS}", "copy the folder again")
    weights = {key: tensor for name in names for key, tensor in _read_tensors(folder / name).items()}
    _fill_network(network, weights, folder)
    pieces = len(subwords)
    kind.add_marks(subwords)
    if pieces <= network.config.vocab_size < len(subwords):
        network.resize_token_embeddings(len(subwords), mean_resizing=False)
    return kind(subwords, network)


def read_encoder(folder: Path, size: Mapping[str, Any]) -> Bart:
    """Return BART with pieces, embeddings and encoder of a folder of BERT, such as MiniLM, whose layers are BART's.

    The decoder is random, as wide as the encoder; ``size`` has the rest of a ``PieceSize``. Raises as ``read_folder``.
    """
    config, text = _read_json(folder, "config.json"), _read_text(folder, _TOKENIZER)
    values = {key: config[key] for key in _BERT_KEYS if isinstance(config.get(key), int) and config[key] > 0}
    if len(values) < len(_BERT_KEYS) or config.get("hidden_act") != "gelu":
        message = f"the config of {folder} is not that of an encoder of BERT with the activation gelu"
        raise UnsupportedFormat(message, "expected a folder such as that of all-MiniLM-L6-v2")
    for mark, name in _BERT_MARKS.items():
        text = text.replace(json.dumps(mark), json.dumps(name))
    subwords = Subwords.from_json(text)
    subwords.add_words([NUMBER])
    rows, longest, (width, heads, inner, layers) = len(subwords), values[_LONGEST], (values[key] for key in _BERT_SIZES)
    built = Bart.make_config(PieceSize(**{**size, "width": width, "heads": heads, "inner": inner}), rows)
    begin, pad, end = (subwords.number(mark) for mark in ("<s>", "<pad>", "</s>"))
    built.update({"bos_token_id": begin, "pad_token_id": pad, "eos_token_id": end, "decoder_start_token_id": end})
    built.update({"encoder_layers": layers, _LONGEST: longest})
    bert, network = BertModel(BertConfig(**values), add_pooling_layer=False), BartForConditionalGeneration(built)
    named = {name.removeprefix("bert."): tensor for name, tensor in _read_tensors(folder / _WEIGHTS).items()}
    _fill_network(bert, {name: named[name] for name in bert.state_dict() if name in named}, folder)
    encoder, embeddings = network.get_encoder(), bert.embeddings
    with torch.no_grad():
        words = embeddings.word_embeddings.weight[:rows]  # a number may have no piece, and a piece added no number
        network.get_input_embeddings().weight[: len(words)] = words
        positions = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
        encoder.embed_positions.weight[encoder.embed_positions.offset :] = positions
    for source, target in _pair_modules(bert, encoder):
        target.load_state_dict(source.state_dict())
    return Bart(subwords, network)


def _pair_modules(bert: BertModel, encoder: Any) -> Iterator[tuple[nn.Module, nn.Module]]:
    """Yield the modules of BERT that BART's encoder has as well, each with its own."""
    yield bert.embeddings.LayerNorm, encoder.layernorm_embedding
    for source, target in zip(bert.encoder.layer, encoder.layers, strict=True):
        attention = source.attention
        yield attention.self.query, target.self_attn.q_proj
        yield attention.self.key, target.self_attn.k_proj
        yield attention.self.value, target.self_attn.v_proj
        yield attention.output.dense, target.self_attn.out_proj
        yield attention.output.LayerNorm, target.self_attn_layer_norm
        yield source.intermediate.dense, target.fc1
        yield source.output.dense, target.fc2
        yield source.output.LayerNorm, target.final_layer_norm


def _fill_network(network: PreTrainedModel, weights: Mapping[str, Tensor], folder: Path) -> None:
    """Give a network the weights of a folder, which may lack copies of the embeddings and zero biases."""
    expected = network.state_dict(keep_vars=True)
    if expected.keys().isdisjoint(weights):  # the folder of a network without output names no part "model"
        weights = {f"{network.base_model_prefix}.{name}": tensor for name, tensor in weights.items()}
    values = {name: tensor for name, tensor in weights.items() if name != _UNUSED}
    embedding = network.get_input_embeddings().weight
    copies = [name for name, tensor in expected.items() if tensor is embedding]
    if present := sorted((name for name in copies if name in values), key=_OUTPUT.__eq__):
        shared = values[present[0]]
        if not torch.equal(values.get(_OUTPUT, shared), shared):
            untie_output(network)
        values = {**dict.fromkeys(copies, shared), **values}
    if _ZERO in expected:
        values.setdefault(_ZERO, torch.zeros_like(expected[_ZERO]))
    wrong = [f"{name} missing" for name in expected.keys() - values.keys()]
    wrong += [f"{name} unknown" for name in values.keys() - expected.keys()]
    shapes = ((name, values[name].shape, expected[name].shape) for name in expected.keys() & values.keys())
    wrong += [f"{name} {tuple(actual)} instead of {tuple(shape)}" for name, actual, shape in shapes if actual != shape]
    if wrong:
        message = f"the weights of {folder} do not fit its config: {list_names(sorted(wrong))}"
        raise BrokenFile(message, "copy config.json and the weights of one model")
    network.load_state_dict(values)


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except FileNotFoundError as error:
        raise MissingData(f"no file {path}, which the index of the weights names", "copy the folder again") from error
    except (SafetensorError, OSError) as error:
        raise BrokenFile(f"the weights {path} cannot be read: {error}", "copy the file again") from error
    return tensors


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    return parse_file(_read_text(folder, name), folder / name, "copy the file again")


def _read_text(folder: Path, name: str) -> str:
    path = folder / name
    if not path.is_file():
        raise MissingData(f"{folder} has no {name}", "expected config.json, tokenizer.json and model.safetensors")
    if path.stat().st_size > _MOST_BYTES:
        raise TooLarge(f"{path} has {path.stat().st_size:,} bytes", f"at most {_MOST_BYTES:,} are read")
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{path} is not UTF-8: {error}", "copy the file again") from error
