"""Sequences from any decoder that makes one step after the other: greedy, by beams, or by samples."""

import abc
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keywright.neural.data.words import UNKNOWN
from keywright.neural.decoding.greedy import Values, write_greedily
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase, PresentOnly, Strategy, Written, merge_phrases

State = TypeVar("State")
Source = TypeVar("Source")


class Stepper(abc.ABC, Generic[State]):
    """A decoder seen from outside: rows of a batch that write a word at each step."""

    begin: int  # number of the word before the first
    end: int  # number of the word after the last

    @abc.abstractmethod
    def step(self, state: State, words: Tensor) -> tuple[Tensor, State]:
        """Return log-probabilities of the next word, (rows, words), and the state after ``words``, (rows,)."""

    def find_attended(self, state: State) -> NDArray[np.int64] | None:
        """Return the most attended word of each source at the last step, (rows,); None if words are not copied."""
        attended: Tensor | None = getattr(state, "attended", None)
        return None if attended is None else attended.reshape(-1).cpu().numpy()

    def rows(self, state: State, rows: Tensor) -> State:
        """Return the state of some rows, which may repeat, (rows,); by default as the state itself has it."""
        chosen: State = state.rows(rows)  # type: ignore[attr-defined]  # states of our networks
        return chosen


def write_phrases(
    stepper: Stepper[State],
    state: State,
    decoding: Decoding,
    constraint: PresentOnly | None,
    cut: Callable[[Written, Source], list[GeneratedPhrase]],
    sources: Sequence[Source],
) -> list[list[GeneratedPhrase]]:
    """Return the phrases of each source, by ``cut``; those of several sequences are merged, most frequent first."""
    written = write_sequences(stepper, state, len(sources), decoding, constraint)
    return [merge_phrases([cut(each, source) for each in row]) for row, source in zip(written, sources, strict=True)]


def write_sequences(
    stepper: Stepper[State], state: State, count: int, decoding: Decoding, constraint: PresentOnly | None = None
) -> list[list[Written]]:
    """Return one sequence, or the best ``decoding.width``, of each of ``count`` rows, with own probabilities."""
    if decoding.strategy == Strategy.BEAM:
        return _search_beams(stepper, state, count, decoding, constraint)
    repeats = decoding.width if decoding.strategy == Strategy.SAMPLING else 1
    rows = torch.arange(count).repeat_interleave(repeats)
    if repeats > 1:
        state = stepper.rows(state, rows)
        if constraint is not None:
            constraint.rows(rows.tolist())
    random = torch.Generator().manual_seed(decoding.seed)

    def step(state: State, words: NDArray[np.int64]) -> tuple[Values, State]:
        log_probabilities, state = stepper.step(state, torch.from_numpy(words))
        return log_probabilities.detach().cpu().numpy(), state

    def choose_words(allowed: Values) -> NDArray[np.int64]:
        weights = (torch.from_numpy(allowed) / decoding.temperature).softmax(-1)
        sample: NDArray[np.int64] = torch.multinomial(weights, 1, generator=random).squeeze(1).numpy()
        return sample

    def choose_rows(state: State, rows: NDArray[np.int64]) -> State:
        return stepper.rows(state, torch.from_numpy(rows))

    begin, end = np.full(len(rows), stepper.begin), stepper.end
    choice: dict[str, Any] = {"choose_words": choose_words} if decoding.strategy == Strategy.SAMPLING else {}
    choice["find_attended"] = stepper.find_attended
    written = write_greedily(step, choose_rows, state, begin, end, decoding.longest, constraint, **choice)
    return [written[at : at + repeats] for at in range(0, len(rows), repeats)]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """A sequence of a beam; ``total`` is the sum of its log-probabilities."""

    row: int
    words: tuple[int, ...] = ()
    log_probabilities: tuple[float, ...] = ()
    total: float = 0.0
    shown: tuple[int, ...] = ()

    def extend(self, word: int, value: float, shown: int) -> "_Hypothesis":
        words, values = (*self.words, word), (*self.log_probabilities, value)
        return _Hypothesis(self.row, words, values, self.total + value, (*self.shown, shown))


def _search_beams(
    stepper: Stepper[State], state: State, count: int, decoding: Decoding, constraint: PresentOnly | None
) -> list[list[Written]]:
    """Return the ``width`` sequences of the best mean log-probability for each row."""
    ended: list[list[_Hypothesis]] = [[] for _ in range(count)]
    open_ = [_Hypothesis(row) for row in range(count)]
    current = torch.full((count,), stepper.begin)
    for _ in range(decoding.longest):
        log_probabilities, state = stepper.step(state, current)
        allowed = log_probabilities
        if constraint is not None:
            allowed = torch.from_numpy(constraint.apply(log_probabilities.detach().cpu().numpy()))
        attended = stepper.find_attended(state)
        chosen = _choose_hypotheses(allowed, attended, open_, ended, stepper.end, decoding.width)
        open_ = [hypothesis for _, hypothesis in chosen]
        if not chosen:
            break
        places = torch.tensor([place for place, _ in chosen])
        state, current = stepper.rows(state, places), torch.tensor([hypothesis.words[-1] for hypothesis in open_])
        if constraint is not None:
            constraint.rows(places.tolist())
            constraint.step(current.tolist())
    for hypothesis in open_:
        ended[hypothesis.row].append(hypothesis)
    # Hypotheses of different lengths are compared by the log-probability of a word.
    best = (sorted(row, key=lambda each: -(each.total / max(1, len(each.words))))[: decoding.width] for row in ended)
    return [[Written(each.words, each.log_probabilities, each.shown) for each in row] for row in best]


def _choose_hypotheses(
    allowed: Tensor,
    attended: NDArray[np.int64] | None,
    open_: Sequence[_Hypothesis],
    ended: Sequence[list[_Hypothesis]],
    end: int,
    width: int,
) -> list[tuple[int, _Hypothesis]]:
    """Return hypotheses that go on with the places that they extend; ``width`` of them in ``ended`` finish a row."""
    best, words = allowed.topk(min(width + 1, allowed.shape[-1]), -1)
    options: dict[int, list[tuple[int, _Hypothesis]]] = {}
    for place, (hypothesis, values, numbers) in enumerate(zip(open_, best.tolist(), words.tolist(), strict=True)):
        options.setdefault(hypothesis.row, []).extend(
            (
                place,
                hypothesis.extend(
                    number, value, number if attended is None or number != UNKNOWN else int(attended[place])
                ),
            )
            for value, number in zip(values, numbers, strict=True)
            if value > -math.inf
        )
    chosen = []
    for row, extended in options.items():
        ranked = sorted(extended, key=lambda option: -option[1].total)[: 2 * width]
        ended[row].extend(hypothesis for _, hypothesis in ranked[:width] if hypothesis.words[-1] == end)
        if len(ended[row]) < width:
            chosen += [option for option in ranked if option[1].words[-1] != end][:width]
    return chosen
