"""The two graphs of an exported generator, opened and run by onnxruntime on one thread."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.errors import BrokenFile
from keywright.core.extras import needs_extra
from keywright.text.onnx_sessions import session_of

State: TypeAlias = dict[str, NDArray[Any]]
"""Named tensors with a row for each sequence that is written."""
EXTENDED: Final = "extended"
"""Input: numbers of the source's words or pieces, (rows, places)."""
BEHIND: Final = "behind"
"""Input: a column for each word behind the vocabulary, (rows, words behind)."""
MASK: Final = "mask"
"""Input: 1 where there is a piece, (rows, places)."""
WORDS: Final = "words"
"""Input of a step: the words before, (rows,) or (rows, slots)."""
NEXT: Final = "next_"
"""Before the names of a step's outputs that replace a part of the state; its first output is log-probabilities."""
_EXTERNAL: Final = b"location"
"""Key that every weight outside of its ONNX file has; names in exported graphs do not contain it."""


@dataclass(frozen=True, eq=False)
class Sessions:
    """An encoder and a step, as sessions of onnxruntime."""

    encoder: Any
    decoder: Any

    @classmethod
    def opened(cls, encoder: bytes, decoder: bytes, folder: Path) -> "Sessions":
        """Return the graphs of two ONNX files.

        Raises:
            BrokenFile: a file is not ONNX, has weights outside of it, or lacks an input.
            MissingExtra: onnxruntime is not installed.
        """
        sessions = cls(_session(encoder, folder), _session(decoder, folder))
        needed = {*_names(sessions.encoder.get_inputs()), *_names(sessions.decoder.get_inputs())}
        has = {EXTENDED, BEHIND, MASK, WORDS, *_names(sessions.encoder.get_outputs())}
        if WORDS not in needed or not needed <= has:
            raise BrokenFile(f"the graphs in {folder} are not an encoder and a step", "export the generator again")
        return sessions

    def encode(self, inputs: Mapping[str, NDArray[Any]]) -> State:
        """Return the state before the first step, with all inputs that a step needs."""
        names = _names(self.encoder.get_outputs())
        needed = {name: inputs[name] for name in _names(self.encoder.get_inputs())}
        state = {**inputs, **dict(zip(names, self.encoder.run(names, needed), strict=True))}
        return {name: state[name] for name in _names(self.decoder.get_inputs()) if name != WORDS}

    def step(self, state: State, words: NDArray[np.int64]) -> tuple[NDArray[np.float32], State]:
        """Return log-probabilities of the next words, (rows, words) or (rows, slots, words), and the new state."""
        first, *names = _names(self.decoder.get_outputs())
        log_probabilities, *changed = self.decoder.run([first, *names], {WORDS: words, **state})
        return log_probabilities, {
            **state,
            **dict(zip((name.removeprefix(NEXT) for name in names), changed, strict=True)),
        }


def chosen_rows(state: State, rows: NDArray[np.int64]) -> State:
    """Return the state of some rows."""
    return {name: tensor[rows] for name, tensor in state.items()}


def padded(rows: Sequence[Sequence[int]], fill: int) -> NDArray[np.int64]:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest)."""
    matrix = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for row, numbers in zip(matrix, rows, strict=True):
        row[: len(numbers)] = numbers
    return matrix


def _names(tensors: Any) -> list[str]:
    return [tensor.name for tensor in tensors]


def _session(content: bytes, folder: Path) -> Any:
    """Return the session of a graph."""
    with needs_extra("onnx", "exported generators need onnxruntime"):
        onnxruntime = importlib.import_module("onnxruntime")  # has no types
    if _EXTERNAL in content:
        message = f"a graph in {folder} has weights in another file"
        raise BrokenFile(message, "export the generator again: such files are not read")
    try:
        return session_of(onnxruntime, content)
    except Exception as error:  # the library has an exception for each status, without a common class
        message = f"a graph in {folder} cannot be opened: {' '.join(str(error).split())}"
        raise BrokenFile(f"{message:.300}", "export the generator again") from error
