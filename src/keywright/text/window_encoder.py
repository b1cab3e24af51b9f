"""An encoder that reads windows of a text: a network with 8-bit weights, run by onnxruntime on one thread."""

import hashlib
import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BrokenFile, MissingData
from keywright.core.extras import needs_extra
from keywright.text.encoder_windows import marked
from keywright.text.encoders import minilm_tokenizer
from keywright.text.onnx_sessions import session_of

PIECES: Final = "pieces"
"""Input: numbers of pieces with marks, (1, pieces)."""
STATES: Final = "states"
"""Output: states of the last layer, (1, pieces, width)."""


@dataclass(frozen=True)
class WindowEncoder:
    """A file of weights; they are read, and checked by their hash, at the first text.

    Attributes:
        file: weights as ONNX, from numbers of pieces (1, pieces) to states (1, pieces, width).
        sha256: of the file.
    """

    file: Path
    sha256: str

    @cached_property
    def tokenizer(self) -> Any:
        """Tokeniser of the encoder, which cuts nothing."""
        return minilm_tokenizer()

    @cached_property
    def _session(self) -> Any:
        with needs_extra("embed", "quality best reads with an encoder"):
            onnxruntime = importlib.import_module("onnxruntime")  # has no types
        if not self.file.is_file():
            raise MissingData(f"no weights of the encoder at {self.file.name}")
        content = self.file.read_bytes()
        if (actual := hashlib.sha256(content).hexdigest()) != self.sha256:
            message = f"the weights in {self.file.name} have SHA-256 {actual[:8]}..., expected {self.sha256[:8]}..."
            raise BrokenFile(message, "install keywright again")
        return session_of(onnxruntime, content)

    def load(self) -> None:
        """Read weights and tokeniser now, so that what is missing or damaged is known before the first text.

        Raises:
            MissingExtra: the extra ``embed`` is not installed.
            MissingData, BrokenFile: the weights are not there, or are others.
        """
        _ = self._session, self.tokenizer

    def states(self, pieces: Ints) -> Floats:
        """Return the state of each piece of a window between its two marks, (pieces + 2, width).

        A window is computed alone: the scale of 8-bit numbers is that of all numbers of a batch, so that results would
        depend on what else is in it.
        """
        (states,) = self._session.run([STATES], {PIECES: marked(pieces)[None]})
        return np.asarray(states[0], np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the session."""
        return type(self), (self.file, self.sha256)
