"""Encoders of the user's: a folder of a model, an address, or a function, as a function from texts to embeddings.

A folder holds a model of sentence-transformers (weights for torch, or ONNX, which is taken first) or of model2vec.
Texts longer than a model reads are read in pieces, whose embeddings are averaged by tokens. Nothing is downloaded, no
code of a folder is run, and texts are sent only to an address that the user names.
"""

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.atomic_files import hash_file
from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, MissingData, needs_extra
from keywright.core.model_address import ModelAddress
from keywright.text.encoders import Encode, MiniLM, Network, make_runner, open_session

EncoderLike: TypeAlias = str | Encode  # folder, address, perhaps with ``#MODEL`` behind it, or function
MINILM: Final = "minilm"  # name of the shipped encoder in cards and options
_ONNX: Final = ("model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_quint8_avx2.onnx")
_WEIGHTS: Final = "model.safetensors"
_LONGEST: Final = 512  # tokens that a model reads at once where its folder does not say; usual for such models
_TEXTS_AT_ONCE: Final = 64  # texts of a request; servers allow some hundred or thousand


@dataclass(frozen=True, slots=True)
class UserEncoder:
    """An encoder from a folder, an address or a function; its embeddings are checked."""

    source: str | Callable[[Sequence[str]], Any]

    @property
    def fingerprint(self) -> str:
        """Hash of the weights in a folder, the name of the model behind an address, or the name of a function."""
        if not isinstance(self.source, str):
            module = getattr(self.source, "__module__", type(self.source).__module__)
            return f"{module}.{getattr(self.source, '__qualname__', type(self.source).__name__)}"
        if self.host:
            return f"embeddings#{self.source.partition('#')[2]}"
        return _hash_weights(_find_weights(Path(self.source)))[:16]

    @property
    def host(self) -> str:
        """Where texts are sent; empty for a folder or a function."""
        is_address = isinstance(self.source, str) and self.source.startswith(("http://", "https://"))
        return self._address.host if is_address else ""

    @property
    def _address(self) -> ModelAddress:
        return ModelAddress(str(self.source).partition("#")[0])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return embeddings, (texts, dimensions), each text computed once.

        ``BadParameter``: another shape, numbers that are not finite, or zeros; ``MissingData``, ``BrokenFile``: no
        readable model; ``Unavailable``: no usable answer.
        """
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        distinct, name = list(rows), "the encoder"
        if not isinstance(self.source, str):
            vectors, name = self.source(distinct), self.fingerprint
        elif self.host:
            vectors, name = self._request(distinct), f"the model at {self.host}"
        else:
            vectors = load_folder(Path(self.source)).means(distinct)
        return check_embeddings(vectors, len(distinct), name)[[rows[text] for text in texts]]

    def _request(self, texts: Sequence[str]) -> list[Any]:
        """Return the vectors of an address in the order of the texts."""
        vectors: list[Any] = []
        model = str(self.source).partition("#")[2]
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            batch = texts[start : start + _TEXTS_AT_ONCE]
            answer = self._address.post("embeddings", {"input": batch} | ({"model": model} if model else {}))
            try:
                vectors += [each["embedding"] for each in sorted(answer["data"], key=lambda each: int(each["index"]))]
            except (KeyError, TypeError, ValueError) as error:
                message = f"the model at {self.host} answered with JSON that is not of embeddings: {error!r:.60}"
                raise BadParameter(message, "expected data[].embedding; does the address give embeddings?") from None
        return vectors


def make_encoder(source: EncoderLike) -> Encode:
    """Return an encoder of keywright unchanged, the shipped one for ``minilm``, a checked one of anything else."""
    if source == MINILM:
        return MiniLM()
    if isinstance(source, str):
        if not source.startswith(("http://", "https://")):
            _find_weights(Path(source))
        return UserEncoder(source)
    return source if isinstance(getattr(source, "fingerprint", None), str) else UserEncoder(source)


def host_of(encoder: EncoderLike) -> str:
    """Return the host that an encoder sends texts to; empty for the shipped one, a folder and a function."""
    return str(getattr(make_encoder(encoder), "host", ""))


def check_embeddings(vectors: Any, texts: int, name: str) -> Floats:
    """Return vectors as an array, (texts, dimensions), after a check."""
    hint = f"expected an array of {texts} rows, one a text, of finite numbers"
    try:
        array = np.asarray(vectors, np.float64)
    except (ValueError, TypeError):
        raise BadParameter(f"{name} gives vectors of several lengths, or values that are not numbers", hint) from None
    if array.ndim != 2 or len(array) != texts or (texts and not array.shape[1]):  # noqa: PLR2004 - a table
        raise BadParameter(f"{name} gives an array of shape {array.shape}", hint)
    for problem, wrong in (("numbers that are not finite", ~np.isfinite(array)), ("zeros only", array == 0)):
        rows = wrong.any(axis=1) if problem != "zeros only" else wrong.all(axis=1)
        if rows.any():
            raise BadParameter(f"{name} gives {int(rows.sum())} of {texts} vectors with {problem}", hint)
    return array


def _find_weights(folder: Path) -> Path:
    """Return the file of weights in a folder, which must have a tokeniser."""
    for name in (*_ONNX, _WEIGHTS):
        if (folder / name).is_file():
            if not (folder / "tokenizer.json").is_file():
                hint = "expected tokenizer.json beside the weights, as tokenizers of Hugging Face write it"
                raise MissingData(f"the model in {folder} has no tokeniser", hint)
            return folder / name
    hint = "expected a folder of sentence-transformers, ONNX (model.onnx) or model2vec, or an address (http://...)"
    raise MissingData(f"{folder} has no weights of an encoder", hint)


_hash_weights: Final = lru_cache(maxsize=8)(hash_file)  # a signature is asked for often, and weights are large


@lru_cache(maxsize=4)
def load_folder(folder: Path) -> Network:
    """Return the network of a folder; raise ``BrokenFile`` for one that cannot be read."""
    weights = _find_weights(folder)
    with needs_extra("embed", "encoders need tokenizers"):
        tokenizers = importlib.import_module("tokenizers")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        columns: dict[str, Any] = {}
        if weights.name == _WEIGHTS:  # a model of model2vec has a table only; the others have layers
            with needs_extra("embed", "weights of encoders are read by safetensors"):
                safetensors = importlib.import_module("safetensors")
            with safetensors.safe_open(weights, "np") as file:
                names = set(file.keys())
                columns = {name: file.get_tensor(name) for name in names} if "embeddings" in names else {}
        if columns:
            tokenizer.no_truncation()
            tokenizer.post_processor = None
            return Network(tokenizer, _look_up(columns), width=columns["embeddings"].shape[1])
        longest = _read_json(folder, "sentence_bert_config.json").get("max_seq_length", _LONGEST)
        tokenizer.enable_truncation(int(longest))
        first_token = bool(_read_json(folder, "1_Pooling/config.json").get("pooling_mode_cls_token"))
        if weights.suffix == ".onnx":
            with needs_extra("embed", "encoders in ONNX need onnxruntime"):
                onnxruntime = importlib.import_module("onnxruntime")
            run = make_runner(open_session(onnxruntime, weights.read_bytes()))
        else:
            run = _run_torch(folder)
        probe = np.array([tokenizer.encode("a").ids], np.int64)
        return Network(tokenizer, run, first_token, run(probe, np.ones_like(probe)).shape[2])
    except KeywrightError:
        raise
    except Exception as error:  # libraries raise errors of many kinds for damaged files
        raise BrokenFile(f"the encoder in {folder} cannot be read: {error!s:.120}", "get the folder again") from error


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def _look_up(columns: dict[str, Any]) -> Callable[[Ints, Ints], Floats]:
    """Return the rows of a table by tokens, weighted where the table has weights."""
    table = np.asarray(columns["embeddings"], np.float64)
    mapping, token_weights = columns.get("mapping"), columns.get("weights")

    def run(tokens: Ints, _mask: Ints) -> Floats:
        rows = table[tokens if mapping is None else mapping[tokens]]
        return np.asarray(rows if token_weights is None else rows * token_weights[tokens][..., None])

    return run


def _run_torch(folder: Path) -> Callable[[Ints, Ints], Floats]:
    with needs_extra("neural", "encoders with weights for torch need transformers"):
        torch, transformers = map(importlib.import_module, ("torch", "transformers"))
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True, trust_remote_code=False).eval()

    def run(tokens: Ints, mask: Ints) -> Floats:
        with torch.inference_mode():
            states = model(input_ids=torch.tensor(tokens), attention_mask=torch.tensor(mask)).last_hidden_state
        return np.asarray(states.float().numpy())

    return run
