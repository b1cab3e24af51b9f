"""Words chosen one after the other on the processor, whichever library computes their probabilities."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from keywright.neural.data.words import BEGIN, END, NULL, PAD
from keywright.neural.decoding.phrases import PresentOnly, Written

State = TypeVar("State")
Values: TypeAlias = NDArray[np.float32]  # Log-probabilities of the next words, (rows, words) or (rows, slots, words)
Step: TypeAlias = Callable[[State, NDArray[np.int64]], tuple[Values, State]]
"""From a state and the words before to the log-probabilities of the next words and the new state."""


def write_greedily(  # noqa: PLR0913, PLR0917 - a loop is made of these
    step: Step[State],
    choose_rows: Callable[[State, NDArray[np.int64]], State],
    state: State,
    begin: NDArray[np.int64],
    end: int,
    longest: int,
    constraint: PresentOnly | None,
    choose_words: Callable[[Values], NDArray[np.int64]] = lambda allowed: allowed.argmax(-1),
) -> list[Written]:
    """Return a sequence for each row, of at most ``longest`` words behind ``begin``, likeliest words by default."""
    words: list[list[int]] = [[] for _ in begin]
    values: list[list[float]] = [[] for _ in begin]
    current, running = begin, np.arange(len(begin))
    for _ in range(longest):
        log_probabilities, state = step(state, current)
        chosen = choose_words(log_probabilities if constraint is None else constraint.apply(log_probabilities))
        for place, (row, word) in enumerate(zip(running, chosen.tolist(), strict=True)):
            words[row].append(word)
            values[row].append(float(log_probabilities[place, word]))
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


@dataclass(frozen=True, slots=True)
class SlotSettings:
    """Settings of a decoder of slots: words of a slot with its end, and weights if the empty mark is corrected."""

    count: int
    steps: int
    null_weights: Sequence[float] | None = None


def write_slots(
    step: Step[State],
    state: State,
    rows: int,
    settings: SlotSettings,
    constraint: PresentOnly | None,
    *,
    filled: bool = False,
) -> list[list[Written]]:
    """Return what each slot of each row writes under ``constraint``; ``filled``: also where it would be empty."""
    words, values = [], []
    current = np.full((rows, settings.count), BEGIN)
    for number in range(settings.steps):
        log_probabilities, state = step(state, current)
        if settings.null_weights is not None and not number:
            log_probabilities = _undo_null_weights(log_probabilities, settings.null_weights)
        flat = log_probabilities.reshape(-1, log_probabilities.shape[-1])  # (rows x slots, words)
        choices = flat.copy() if filled and not number else flat
        if filled and not number:
            choices[:, [NULL, END, PAD]] = -np.inf  # any of them leaves a slot empty
        chosen: NDArray[np.int64] = (choices if constraint is None else constraint.apply(choices)).argmax(-1)
        if constraint is not None:
            constraint.step(chosen.tolist())
        current = chosen.reshape(current.shape)
        words.append(current)
        values.append(flat[np.arange(len(chosen)), chosen].reshape(current.shape))
    each = zip(np.stack(words, 2).tolist(), np.stack(values, 2).tolist(), strict=True)  # (rows, slots, steps)
    return [[Written(tuple(slot), tuple(value)) for slot, value in zip(*row, strict=True)] for row in each]


def _undo_null_weights(log_probabilities: Values, null_weights: Sequence[float]) -> Values:
    """Return log-probabilities (rows, slots, words) whose empty mark is corrected, normalised again."""
    log_probabilities[:, :, NULL] -= np.log(np.asarray(null_weights, np.float32))
    largest = log_probabilities.max(-1, keepdims=True)
    total = np.exp(log_probabilities - largest).sum(-1, keepdims=True)
    corrected: Values = log_probabilities - largest - np.log(total)
    return corrected
