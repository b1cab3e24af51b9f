"""Calibration error of probabilities on a collection of which a few documents are labelled, before and after.

The default extractor is trained without each collection (``studies.generality``). Documents of it are drawn to
calibrate, and the others evaluate.

Tables of the calibration error after a few labelled documents of a collection.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from typing import ClassVar, Final

import numpy as np

from keywright.calibration.calibration_error import measure_error, measure_noise_floor
from keywright.calibration.calibrators.model import METHODS
from keywright.calibration.calibrators.parametric import SHIFT, STRENGTH, Shift, compute_logit, fit_weights
from keywright.calibration.phrases import PhraseFeatures
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Style
from keywright.core.errors import BadRecord
from keywright.core.pages import Table
from keywright.experiments.kpg_predictions import TopPhrases
from keywright.experiments.study import PERCENT, Lines, TableRow, lay_out_groups
from studies.calibrators.data import AS_GIVEN
from studies.generality.collections import COLLECTIONS, documents
from studies.generality.lists import shown
from studies.generality.measuring import DEFAULT, SEEDS, Unit, predictions

NEW: Final = tuple(part.name for part in COLLECTIONS)
"""Collections, each left out of the training of the default whose probabilities are calibrated."""
SIZES: Final = (2, 3, 4, 5, 10, 20, 50, 100)  # documents that calibrate; arbitrary
COMPARED: Final = frozenset({5, 10, 20, 50, 100})  # numbers of documents at which all methods are compared
OTHERS: Final = ("platt", "beta", "isotonic")  # methods that the shift is compared with
PRIORS: Final = frozenset({5, 10, 20})
"""Numbers of documents at which strengths of the prior are compared: with more, it does not matter."""
STRENGTHS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)  # strengths of the shift's prior that are compared; about equal steps
DRAWS: Final = 20  # draws of documents that calibrate; arbitrary
_LEAST_REST: Final = 5  # documents that evaluate, at least; a third of the smallest collection
_SEED: Final = 20261122  # arbitrary
_SAMPLES: Final = 20  # samples of the noise floor, fewer than usual: it is computed for each draw; arbitrary
_DIGITS: Final = 6  # decimals of stored values


@dataclass(frozen=True, slots=True)
class AfterFew(TableRow):
    """Error of the phrases shown for the documents of a collection that did not calibrate.

    Attributes:
        dataset: name of the collection.
        method: of calibration; ``none`` for unchanged probabilities, ``shift 3`` for a prior of strength 3.
        documents: number that calibrated.
        draws: of documents; the following values are means over them.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the draws.
        floor: the error that the shift's probabilities would show if they were exact, of as many phrases.
    """

    part: ClassVar[str] = "few documents"

    dataset: str
    method: str
    documents: int
    draws: int
    error: float
    spread: float
    floor: float


def evaluate(name: str, mirror: Path | None = None, draws: int = DRAWS) -> tuple[AfterFew, ...]:
    """Return the errors of the default that was trained without a collection, on it."""
    return rows_of(name, left_out(name, mirror), draws)


def left_out(name: str, mirror: Path | None = None) -> TopPhrases:
    """Return the first phrases of the default, without options, for a collection that it was not trained on.

    Raises:
        BadRecord: it gives no probabilities there.
        MissingData: the collection is not on this machine.
    """
    lists = predictions(Unit(name, DEFAULT, SEEDS[0]), mirror)[Style.GENERAL.value]
    phrases = shown(documents(name, mirror), lists)
    if phrases is None:
        raise BadRecord(f"the default gives no probabilities on {name}", "leave the collection out of this study")
    return phrases


def rows_of(name: str, phrases: TopPhrases, draws: int = DRAWS) -> tuple[AfterFew, ...]:
    """Return the errors of any system's phrases by method and number of documents."""
    rows = []
    for (method, labelled), values in errors_after(phrases, draws).items():
        error, floor = np.round(values.mean(0), _DIGITS).tolist()
        spread = round(float(values[:, 0].std()), _DIGITS)
        rows.append(AfterFew(name, method, labelled, len(values), error, spread, floor))
    return tuple(rows)


def errors_after(phrases: TopPhrases, draws: int = DRAWS) -> dict[tuple[str, int], Floats]:
    """Return calibration error and noise floor of each draw, (draws, 2), by method and number of documents.

    A method that cannot be fitted on a draw, since all of its phrases are right or all wrong, leaves probabilities
    unchanged. Numbers that leave fewer than five documents to evaluate are left out.
    """
    total = int(phrases.owner.max(initial=-1)) + 1
    values: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for draw in range(draws):
        order = np.random.Generator(np.random.PCG64([_SEED, draw])).permutation(total)
        for number in SIZES:
            if total - number < _LEAST_REST:
                continue
            calibrates = np.isin(phrases.owner, order[:number])
            rest = _where(phrases, ~calibrates)
            calibrated = _calibrated(_where(phrases, calibrates), rest, number)
            floor = measure_noise_floor(calibrated[SHIFT], samples=_SAMPLES).error
            for method, probabilities in calibrated.items():
                pair = (measure_error(probabilities, rest.right), floor)
                values.setdefault((method, number), []).append(pair)
    return {key: np.array(pairs) for key, pairs in values.items()}


def _calibrated(labelled: TopPhrases, rest: TopPhrases, number: int) -> dict[str, Floats]:
    """Return the probabilities of the rest: unchanged, by each method, and by shifts with other priors."""
    features, right, others = _features(labelled), labelled.right, _features(rest)
    calibrated = {AS_GIVEN: rest.probabilities, SHIFT: Shift.fit(features, right).probabilities(others)}
    if number in COMPARED:
        fittable = right.any() and not right.all()
        for method in OTHERS:
            fitted = METHODS[method].fit(features, right).probabilities(others) if fittable else None
            calibrated[method] = rest.probabilities if fitted is None else np.clip(fitted, 0.0, 1.0)
    if number in PRIORS:
        offset = compute_logit(features.confidence)
        for strength in STRENGTHS:
            penalty = Shift.penalty * strength / STRENGTH
            weights = fit_weights(Shift.rows(features), right, penalty, offset=offset)
            calibrated[f"{SHIFT} {strength:g}"] = Shift(tuple(weights.tolist())).probabilities(others)
    return calibrated


def _where(phrases: TopPhrases, rows: Bools) -> TopPhrases:
    """Return some of the phrases; the numbers of their documents stay."""
    return TopPhrases(*(getattr(phrases, column.name)[rows] for column in fields(TopPhrases)))


def _features(phrases: TopPhrases) -> PhraseFeatures:
    """Return the phrases as calibrators see them: present, and alike but for their probability."""
    ones = np.ones(len(phrases.right), np.int64)
    probabilities = phrases.probabilities
    return PhraseFeatures(probabilities, probabilities, ones, ones, ones, ones > 0, ones, probabilities)


_FLOOR: Final = "noise floor"


def few_sheets(rows: Sequence[AfterFew]) -> Iterator[Table]:
    """Yield errors by method for each collection and number of documents, their means, and errors by strength."""
    if not rows:
        return
    methods = (AS_GIVEN, SHIFT, *OTHERS)
    strengths = tuple(dict.fromkeys(row.method for row in rows if row.method.startswith(f"{SHIFT} ")))
    compared = [row for row in rows if row.method in methods]
    caption = (
        "Calibration error of the fifteen first phrases of the default, trained without the collection, after a few"
        f" labelled documents, percent, on the others; mean of {DRAWS} draws."
    )
    yield lay_out_groups(caption, ("collection", "documents"), _by_collection(compared), (*methods, _FLOOR))
    caption = "Mean over the collections that have so many documents, percent."
    yield lay_out_groups(caption, ("collections", "documents"), _means(compared), methods)
    caption = "Mean by the strength of the shift's prior, the inverse of its variance, percent."
    of_strengths = [row for row in rows if row.method in strengths]
    yield lay_out_groups(caption, ("collections", "documents"), _means(of_strengths), strengths)


def _by_collection(rows: Sequence[AfterFew]) -> Lines:
    lines: Lines = {}
    for row in rows:
        cells = lines.setdefault((row.dataset, str(row.documents)), {})
        spread = "" if row.method == AS_GIVEN else f" ±{PERCENT * row.spread:.1f}"
        cells[row.method] = f"{PERCENT * row.error:.1f}{spread}"
        if row.method == SHIFT:
            cells[_FLOOR] = f"{PERCENT * row.floor:.1f}"
    return lines


def _means(rows: Sequence[AfterFew]) -> Lines:
    errors: dict[int, dict[str, list[float]]] = {}
    for row in sorted(rows, key=lambda row: row.documents):
        errors.setdefault(row.documents, {}).setdefault(row.method, []).append(row.error)
    return {
        (str(max(map(len, by_method.values()))), str(documents)): {
            method: f"{PERCENT * fmean(of_collections):.1f}" for method, of_collections in by_method.items()
        }
        for documents, by_method in errors.items()
    }
