"""Words chosen one after the other on the processor, whichever library computes their probabilities."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from keywright.neural.data.examples import BEGIN, END, NULL, PAD, UNKNOWN
from keywright.neural.decoding.phrases import PresentOnly, Written

State = TypeVar("State")
Values: TypeAlias = NDArray[np.float32]  # Log-probabilities of the next words, (rows, words) or (rows, slots, words)
Step: TypeAlias = Callable[[State, NDArray[np.int64]], tuple[Values, State]]
"""From a state and the words before to the log-probabilities of the next words and the new state."""
Attended: TypeAlias = Callable[[State], NDArray[np.int64] | None]
"""From a state to the most attended word of each source at the last step; None of generators that do not copy words."""


def write_greedily(  # noqa: PLR0913, PLR0917 - a loop is made of these
    step: Step[State],
    choose_rows: Callable[[State, NDArray[np.int64]], State],
    state: State,
    begin: NDArray[np.int64],
    end: int,
    longest: int,
    constraint: PresentOnly | None,
    choose_words: Callable[[Values], NDArray[np.int64]] = lambda allowed: allowed.argmax(-1),
    find_attended: Attended[State] = lambda _: None,
) -> list[Written]:
    """Return a sequence for each row, of at most ``longest`` words behind ``begin``, likeliest words by default.

    ``find_attended``: from a state to the most attended word of each source, shown in the place of an unknown one.
    """
    words: list[list[int]] = [[] for _ in begin]
    shown: list[list[int]] = [[] for _ in begin]
    values: list[list[float]] = [[] for _ in begin]
    current, running = begin, np.arange(len(begin))
    for _ in range(longest):
        log_probabilities, state = step(state, current)
        chosen = choose_words(log_probabilities if constraint is None else constraint.apply(log_probabilities))
        instead = replace_unknown(chosen, find_attended(state)).tolist()
        for place, (row, word) in enumerate(zip(running, chosen.tolist(), strict=True)):
            words[row].append(word)
            shown[row].append(instead[place])
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
    each = zip(words, values, shown, strict=True)
    return [Written(tuple(row), tuple(value), tuple(seen)) for row, value, seen in each]


def replace_unknown(words: NDArray[np.int64], attended: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return words, (...), with the most attended ones in the place of unknown ones, where they are known."""
    return words if attended is None else np.where(words == UNKNOWN, attended.reshape(words.shape), words)


@dataclass(frozen=True, slots=True)
class SlotSettings:
    """Settings of a decoder of slots: words of a slot with its end, and weights if the empty mark is corrected."""

    count: int
    steps: int
    null_weights: Sequence[float] | None = None


def write_slots(  # noqa: PLR0913 - as above
    step: Step[State],
    state: State,
    rows: int,
    settings: SlotSettings,
    constraint: PresentOnly | None,
    *,
    filled: bool = False,
    find_attended: Attended[State] = lambda _: None,
) -> list[list[Written]]:
    """Return what each slot of each row writes under ``constraint``; ``filled``: also where it would be empty."""
    words, values, shown = [], [], []
    current = np.full((rows, settings.count), BEGIN)
    for number in range(settings.steps):
        log_probabilities, state = step(state, current)
        if settings.null_weights is not None and not number:
            # The empty mark is corrected, and the distribution normalised again.
            log_probabilities[:, :, NULL] -= np.log(np.asarray(settings.null_weights, np.float32))
            relative = log_probabilities - log_probabilities.max(-1, keepdims=True)
            log_probabilities = relative - np.log(np.exp(relative).sum(-1, keepdims=True))
        flat = log_probabilities.reshape(-1, log_probabilities.shape[-1])  # (rows x slots, words)
        choices = flat.copy() if filled and not number else flat
        if filled and not number:
            choices[:, [NULL, END, PAD]] = -np.inf  # any of them leaves a slot empty
        chosen: NDArray[np.int64] = (choices if constraint is None else constraint.apply(choices)).argmax(-1)
        if constraint is not None:
            constraint.step(chosen.tolist())
        current = chosen.reshape(current.shape)
        words.append(current)
        shown.append(replace_unknown(current, find_attended(state)))
        values.append(flat[np.arange(len(chosen)), chosen].reshape(current.shape))
    each = zip(*(np.stack(columns, 2).tolist() for columns in (words, values, shown)), strict=True)
    # (rows, slots, steps) of each column
    return [[Written(*map(tuple, columns)) for columns in zip(*row, strict=True)] for row in each]
