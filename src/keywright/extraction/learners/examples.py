"""Examples that a learner learns from: labels of candidates, folds of documents, expected numbers of keyphrases."""

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Any, Final, TypeVar

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument, Style
from keywright.core.errors import BadParameter
from keywright.text.keys import gold_keys

Model = TypeVar("Model")
Result = TypeVar("Result")


def labels(candidates: Candidates, gold: Iterable[GoldKeyphrase], language: str | None = None) -> Bools:
    """Return whether each candidate equals a gold keyphrase, as written or stemmed, (candidates,)."""
    return np.isin(candidates.key, gold_keys(gold, language))


def label_example(candidates: Candidates, example: LabelledDocument[AnalysedDocument]) -> Bools:
    """Return the labels of the candidates of a document with gold, all of which counts, (candidates,)."""
    return labels(candidates, example.gold, example.document.source.language)


def training_rows(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
    answers_of: Callable[[Candidates, LabelledDocument[AnalysedDocument]], Any] = label_example,
) -> tuple[Floats, Any]:
    """Return features (rows, features) and targets (rows,) of all candidates; features do not see their gold."""
    parts = []
    for example in labelled:
        candidates = candidates_of(example.document)
        parts.append((features_of(candidates, example.document), answers_of(candidates, example)))
    if not parts:
        raise BadParameter("there is nothing to learn from", "give at least one document with gold keyphrases")
    rows, answers = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(answers)


def check_both_classes(answers: Bools, learner: str) -> None:
    """Raise ``BadParameter`` unless labels (rows,) are of both classes."""
    if answers.all() or not answers.any():
        raise BadParameter(f"{learner} needs rows of both classes", "do gold keyphrases occur in the documents?")


def assign_folds(names: Sequence[str], number: int) -> Ints:
    """Return the fold of each entry by its document's name, (entries,); sizes in distinct names differ by at most 1."""
    order = sorted(set(names), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: place % number for place, name in enumerate(order)}
    return np.array([fold[name] for name in names], int)


def cross_fit(fold: Ints, fit: Callable[[list[int]], Model], apply: Callable[[Model, int], Result]) -> list[Result]:
    """Return for each entry what a model of the entries of other folds makes of it, (entries,)."""
    results: dict[int, Result] = {}
    for number in np.unique(fold).tolist():
        model = fit(np.flatnonzero(fold != number).tolist())
        results |= {index: apply(model, index) for index in np.flatnonzero(fold == number).tolist()}
    return [results[index] for index in range(len(fold))]


_FARTHEST: Final = 6.0
"""Largest difference of log-odds from the average candidate at the start; arbitrary: a factor of 400."""


def shared_out(expected: float | None, weight: Floats) -> Floats:
    """Return log-odds of candidates where a number is shared out by weight, ``_FARTHEST`` from the mean at most."""
    if expected is None or not len(weight):
        return np.zeros(len(weight))
    with np.errstate(divide="ignore", invalid="ignore"):
        beside_mean = np.nan_to_num(np.log(weight / weight.mean()), nan=0.0, neginf=-_FARTHEST)
    return np.asarray(math.log(expected / (len(weight) + 1)) + beside_mean.clip(-_FARTHEST, _FARTHEST))


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The candidates of one training document, in one style; those of one document are held out together."""

    document: str
    style: Style
    rows: Floats  # (candidates, columns)
    answers: Bools  # (candidates,)
    columns: tuple[str, ...]
    weight: float = 1.0
    gold: int = 0  # keyphrases, among the candidates or not
    expected: float | None = None  # mean number of keyphrases in its collection, None where it is not used
    shares: Floats | None = None  # shares of the expected number, None for equal ones, (candidates,)

    @property
    def start(self) -> Floats:
        """Log-odds that the trees correct, (candidates,)."""
        return shared_out(self.expected, np.ones(len(self.answers)) if self.shares is None else self.shares)


def with_expected(examples: Iterable[Examples]) -> list[Examples]:
    """Return examples of one collection with the mean number of its gold keyphrases by style as the expected one."""
    listed = list(examples)
    numbers: dict[Style, list[int]] = {}
    for example in listed:
        numbers.setdefault(example.style, []).append(max(example.gold, int(example.answers.sum())))
    return [replace(example, expected=max(1.0, fmean(numbers[example.style]))) for example in listed]


def expected_by_style(examples: Sequence[Examples]) -> dict[str, float]:
    """Return the median of the expected numbers by style, each collection's number counted once."""
    numbers: dict[str, set[float]] = {}
    for example in examples:
        if example.expected is not None:
            numbers.setdefault(example.style.value, set()).add(example.expected)
    return {style: round(median(values), 1) for style, values in numbers.items()}
