"""Greedy decoding by numpy: the loops that go from step to step of an exported graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keywright.neural.data.vocabulary import BEGIN, NULL
from keywright.neural.decoding.constraints import PresentOnly
from keywright.neural.decoding.phrases import Written
from keywright.neural.exported.sessions import Sessions, State, chosen_rows


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


def sequences(
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
        chosen = _likeliest(log_probabilities, constraint)
        for row, word, value in zip(running, chosen, _values(log_probabilities, chosen), strict=True):
            words[row].append(int(word))
            values[row].append(float(value))
        if constraint is not None:
            constraint.step(chosen.tolist())
        # Rows that have ended leave the batch: most lists are short, and the longest decides how long the loop runs.
        left = np.flatnonzero(chosen != end)
        if not len(left):
            break
        if len(left) < len(running):
            state, running = chosen_rows(state, left), running[left]
            if constraint is not None:
                constraint.rows(left.tolist())
        current = chosen[left]
    return [Written(tuple(row), tuple(value)) for row, value in zip(words, values, strict=True)]


def slots(
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
            log_probabilities = _undone(log_probabilities, settings.null_weights)
        flat = log_probabilities.reshape(-1, log_probabilities.shape[-1])  # (rows x slots, words)
        choices = flat
        if filled and not step:
            choices = flat.copy()
            choices[:, NULL] = -np.inf
        chosen = _likeliest(choices, constraint)
        if constraint is not None:
            constraint.step(chosen.tolist())
        current = chosen.reshape(current.shape)
        words.append(current)
        values.append(_values(flat, chosen).reshape(current.shape))
    each = zip(np.stack(words, 2).tolist(), np.stack(values, 2).tolist(), strict=True)  # (rows, slots, steps)
    return [[Written(tuple(slot), tuple(value)) for slot, value in zip(*row, strict=True)] for row in each]


def _likeliest(log_probabilities: NDArray[np.float32], constraint: PresentOnly | None) -> NDArray[np.int64]:
    """Return the likeliest word of each row that the constraint allows, (rows,)."""
    allowed = log_probabilities if constraint is None else constraint.apply(log_probabilities)
    chosen: NDArray[np.int64] = allowed.argmax(-1)
    return chosen


def _values(log_probabilities: NDArray[np.float32], chosen: NDArray[np.int64]) -> NDArray[Any]:
    return log_probabilities[np.arange(len(chosen)), chosen]


def _undone(log_probabilities: NDArray[np.float32], null_weights: Sequence[float]) -> NDArray[np.float32]:
    """Return log-probabilities (rows, slots, words) whose empty mark is corrected, normalised again."""
    log_probabilities[:, :, NULL] -= np.log(np.asarray(null_weights, np.float32))
    largest = log_probabilities.max(-1, keepdims=True)
    total = np.exp(log_probabilities - largest).sum(-1, keepdims=True)
    corrected: NDArray[np.float32] = log_probabilities - largest - np.log(total)
    return corrected
