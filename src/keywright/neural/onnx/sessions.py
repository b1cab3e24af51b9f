"""The two graphs of an exported generator, run by onnxruntime on one thread, and greedy decoding by numpy."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.errors import BrokenFile, needs_extra
from keywright.neural.data.vocabulary import BEGIN, NULL
from keywright.neural.decoding.phrases import PresentOnly, Written
from keywright.text.encoders import open_session

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
        sessions = cls(_open_session(encoder, folder), _open_session(decoder, folder))
        needed = {*_list_names(sessions.encoder.get_inputs()), *_list_names(sessions.decoder.get_inputs())}
        has = {EXTENDED, BEHIND, MASK, WORDS, *_list_names(sessions.encoder.get_outputs())}
        if WORDS not in needed or not needed <= has:
            raise BrokenFile(f"the graphs in {folder} are not an encoder and a step", "export the generator again")
        return sessions

    def encode(self, inputs: Mapping[str, NDArray[Any]]) -> State:
        """Return the state before the first step, with all inputs that a step needs."""
        names = _list_names(self.encoder.get_outputs())
        needed = {name: inputs[name] for name in _list_names(self.encoder.get_inputs())}
        state = {**inputs, **dict(zip(names, self.encoder.run(names, needed), strict=True))}
        return {name: state[name] for name in _list_names(self.decoder.get_inputs()) if name != WORDS}

    def step(self, state: State, words: NDArray[np.int64]) -> tuple[NDArray[np.float32], State]:
        """Return log-probabilities of the next words, (rows, words) or (rows, slots, words), and the new state."""
        first, *names = _list_names(self.decoder.get_outputs())
        log_probabilities, *changed = self.decoder.run([first, *names], {WORDS: words, **state})
        return log_probabilities, {
            **state,
            **dict(zip((name.removeprefix(NEXT) for name in names), changed, strict=True)),
        }


def choose_rows(state: State, rows: NDArray[np.int64]) -> State:
    """Return the state of some rows."""
    return {name: tensor[rows] for name, tensor in state.items()}


def pad_arrays(rows: Sequence[Sequence[int]], fill: int) -> NDArray[np.int64]:
    """Return rows of numbers as a matrix filled with ``fill``, (rows, longest)."""
    matrix = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for row, numbers in zip(matrix, rows, strict=True):
        row[: len(numbers)] = numbers
    return matrix


def _list_names(tensors: Any) -> list[str]:
    return [tensor.name for tensor in tensors]


def _open_session(content: bytes, folder: Path) -> Any:
    """Return the session of a graph."""
    with needs_extra("onnx", "exported generators need onnxruntime"):
        onnxruntime = importlib.import_module("onnxruntime")  # has no types
    if _EXTERNAL in content:
        message = f"a graph in {folder} has weights in another file"
        raise BrokenFile(message, "export the generator again: such files are not read")
    try:
        return open_session(onnxruntime, content)
    except Exception as error:  # the library has an exception for each status, without a common class
        message = f"a graph in {folder} cannot be opened: {' '.join(str(error).split())}"
        raise BrokenFile(f"{message:.300}", "export the generator again") from error


@dataclass(frozen=True)
class Slots:
    """Slots of a decoder.

    Attributes:
        count: number of slots.
        steps: words of a slot, the end among them.
        null_weights: weight that the empty mark had in training, if its probability is corrected for it, (slots,).
    """

    count: int
    steps: int
    null_weights: Sequence[float] | None = None


def write_greedily(
    sessions: Sessions,
    state: State,
    begin: NDArray[np.int64],
    end: int,
    longest: int,
    constraint: PresentOnly | None,
) -> list[Written]:
    """Return a sequence for each row, of at most ``longest`` words; log-probabilities are before the constraint."""
    count = len(begin)
    words: list[list[int]] = [[] for _ in range(count)]
    values: list[list[float]] = [[] for _ in range(count)]
    current, running = begin, np.arange(count)
    for _ in range(longest):
        log_probabilities, state = sessions.step(state, current)
        chosen = _choose_words(log_probabilities, constraint)
        for row, word, value in zip(running, chosen, _take_values(log_probabilities, chosen), strict=True):
            words[row].append(int(word))
            values[row].append(float(value))
        if constraint is not None:
            constraint.step(chosen.tolist())
        # Rows that have ended leave the batch: most lists are short, and the longest decides how long the loop runs.
        left = np.flatnonzero(chosen != end)
        if not len(left):
            break
        if len(left) < len(running):
            state, running = choose_rows(state, left), running[left]
            if constraint is not None:
                constraint.rows(left.tolist())
        current = chosen[left]
    return [Written(tuple(row), tuple(value)) for row, value in zip(words, values, strict=True)]


def write_slots(
    sessions: Sessions, state: State, settings: Slots, constraint: PresentOnly | None, *, filled: bool = False
) -> list[list[Written]]:
    """Return what each slot of each row writes; ``constraint`` has a row for each slot of each row.

    ``filled``: whether slots write a phrase even where they would rather be empty.
    """
    words, values = [], []
    current = np.full((len(next(iter(state.values()))), settings.count), BEGIN)
    for step in range(settings.steps):
        log_probabilities, state = sessions.step(state, current)
        if settings.null_weights is not None and not step:
            log_probabilities = _undo_null_weights(log_probabilities, settings.null_weights)
        flat = log_probabilities.reshape(-1, log_probabilities.shape[-1])  # (rows x slots, words)
        choices = flat
        if filled and not step:
            choices = flat.copy()
            choices[:, NULL] = -np.inf
        chosen = _choose_words(choices, constraint)
        if constraint is not None:
            constraint.step(chosen.tolist())
        current = chosen.reshape(current.shape)
        words.append(current)
        values.append(_take_values(flat, chosen).reshape(current.shape))
    each = zip(np.stack(words, 2).tolist(), np.stack(values, 2).tolist(), strict=True)  # (rows, slots, steps)
    return [[Written(tuple(slot), tuple(value)) for slot, value in zip(*row, strict=True)] for row in each]


def _choose_words(log_probabilities: NDArray[np.float32], constraint: PresentOnly | None) -> NDArray[np.int64]:
    """Return the likeliest word of each row that the constraint allows, (rows,)."""
    allowed = log_probabilities if constraint is None else constraint.apply(log_probabilities)
    chosen: NDArray[np.int64] = allowed.argmax(-1)
    return chosen


def _take_values(log_probabilities: NDArray[np.float32], chosen: NDArray[np.int64]) -> NDArray[Any]:
    return log_probabilities[np.arange(len(chosen)), chosen]


def _undo_null_weights(log_probabilities: NDArray[np.float32], null_weights: Sequence[float]) -> NDArray[np.float32]:
    """Return log-probabilities (rows, slots, words) whose empty mark is corrected, normalised again."""
    log_probabilities[:, :, NULL] -= np.log(np.asarray(null_weights, np.float32))
    largest = log_probabilities.max(-1, keepdims=True)
    total = np.exp(log_probabilities - largest).sum(-1, keepdims=True)
    corrected: NDArray[np.float32] = log_probabilities - largest - np.log(total)
    return corrected
