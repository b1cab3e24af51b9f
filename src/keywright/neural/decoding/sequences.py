"""Sequences from any decoder that makes one step after the other: greedy, by beams, or by samples."""

import abc
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keywright.neural.data.examples import UNKNOWN
from keywright.neural.decoding.greedy import Values, write_greedily
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase, PresentOnly, Written, merge_phrases

State = TypeVar("State")
Source = TypeVar("Source")


class Stepper(abc.ABC, Generic[State]):
    """A decoder seen from outside: rows of a batch that write a word at each step.

    A state has a method ``rows`` that returns the state of some rows, which may repeat.
    """

    begin: int  # number of the word before the first
    end: int  # number of the word after the last

    @abc.abstractmethod
    def step(self, state: State, words: Tensor) -> tuple[Tensor, State]:
        """Return log-probabilities of the next word, (rows, words), and the state after ``words``, (rows,)."""


def find_attended(state: Any) -> NDArray[np.int64] | None:
    """Return the most attended word of each source at the last step; None if words are not copied."""
    attended: Tensor | None = getattr(state, "attended", None)
    return None if attended is None else attended.cpu().numpy()


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
    stepper: Stepper[State], state: Any, count: int, decoding: Decoding, constraint: PresentOnly | None = None
) -> list[list[Written]]:
    """Return one sequence, or the best ``decoding.width``, of each of ``count`` rows, with own probabilities."""
    if decoding.strategy == "beam":
        return _search_beams(stepper, state, count, decoding, constraint)
    is_sampled = decoding.strategy == "sampling"
    repeats = decoding.width if is_sampled else 1
    rows = torch.arange(count).repeat_interleave(repeats)
    if repeats > 1:
        state = state.rows(rows)
        if constraint is not None:
            constraint.rows(rows.tolist())
    random = torch.Generator().manual_seed(decoding.seed)

    def step(state: Any, words: NDArray[np.int64]) -> tuple[Values, Any]:
        log_probabilities, state = stepper.step(state, torch.from_numpy(words))
        return log_probabilities.detach().cpu().numpy(), state

    def draw_words(allowed: Values) -> NDArray[np.int64]:
        weights = (torch.from_numpy(allowed) / decoding.temperature).softmax(-1)
        sample: NDArray[np.int64] = torch.multinomial(weights, 1, generator=random).squeeze(1).numpy()
        return sample

    choice: dict[str, Any] = {"choose_words": draw_words} if is_sampled else {}
    written = write_greedily(
        step,
        lambda state, rows: state.rows(torch.from_numpy(rows)),
        state,
        np.full(len(rows), stepper.begin),
        stepper.end,
        decoding.longest,
        constraint,
        find_attended=find_attended,
        **choice,
    )
    return [written[at : at + repeats] for at in range(0, len(rows), repeats)]


class _Hypothesis(NamedTuple):
    """A sequence of a beam; ``total`` is the sum of its log-probabilities."""

    row: int
    written: Written = Written((), ())
    total: float = 0.0


def _search_beams(
    stepper: Stepper[Any], state: Any, count: int, decoding: Decoding, constraint: PresentOnly | None
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
        chosen = _choose_hypotheses(allowed, find_attended(state), open_, ended, stepper.end, decoding.width)
        open_ = [hypothesis for _, hypothesis in chosen]
        if not chosen:
            break
        places, current = (
            torch.tensor(each)
            for each in ([place for place, _ in chosen], [hypothesis.written.words[-1] for hypothesis in open_])
        )
        state = state.rows(places)
        if constraint is not None:
            constraint.rows(places.tolist())
            constraint.step(current.tolist())
    for hypothesis in open_:
        ended[hypothesis.row].append(hypothesis)
    # Hypotheses of different lengths are compared by the log-probability of a word.
    ranked = (sorted(row, key=lambda each: -(each.total / max(1, len(each.written.words)))) for row in ended)
    return [[each.written for each in row[: decoding.width]] for row in ranked]


def _choose_hypotheses(
    allowed: Tensor,
    attended: NDArray[np.int64] | None,
    open_: Sequence[_Hypothesis],
    ended: Sequence[list[_Hypothesis]],
    end: int,
    width: int,
) -> list[tuple[int, _Hypothesis]]:
    """Return hypotheses that go on with the places that they extend; ``width`` of them in ``ended`` finish a row."""
    best, words = (each.cpu().numpy() for each in allowed.topk(min(width + 1, allowed.shape[-1]), -1))
    totals = best.astype(np.float64) + np.array([hypothesis.total for hypothesis in open_])[:, None]
    chosen = []
    for row, group in itertools.groupby(range(len(open_)), key=lambda place: open_[place].row):
        places = list(group)
        ranked: list[tuple[int, _Hypothesis]] = []
        # Only the best options become hypotheses: most are never looked at.
        for at in np.argsort(-totals[places], axis=None, kind="stable")[: 2 * width].tolist():
            place, column = places[at // words.shape[1]], at % words.shape[1]
            number, value, before = int(words[place, column]), float(best[place, column]), open_[place].written
            if value > -math.inf:
                shown = number if attended is None or number != UNKNOWN else int(attended.flat[place])
                written = Written((*before.words, number), (*before.log_probabilities, value), (*before.shown, shown))
                ranked.append((place, _Hypothesis(row, written, float(totals[place, column]))))
        ended[row].extend(hypothesis for _, hypothesis in ranked[:width] if hypothesis.written.words[-1] == end)
        if len(ended[row]) < width:
            chosen += [option for option in ranked if option[1].written.words[-1] != end][:width]
    return chosen
