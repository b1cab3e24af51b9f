"""Layout of the study of calibrators: methods side by side, numbers of documents side by side.

The calibration error of each calibrator on unseen documents, and the number of labelled documents it takes.

A collection is divided repeatedly: a few documents calibrate, and the others evaluate. Every method is fitted on a
hundred documents, and the first, beta, on fewer and more. Then each generator's calibrators are fitted on two
collections and evaluated on the third. Generators bring the released predictions of the calibration study; extractors
run over training data, where any gold may be looked at. ``few_documents`` has the tables of the default extractor's own
probabilities.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final, TypeAlias

import numpy as np

from keywright.calibration.calibration_error import measure_error, measure_noise_floor
from keywright.calibration.calibrators.model import METHODS, ProbabilityModel
from keywright.calibration.calibrators.parametric import SHIFT
from keywright.calibration.phrases import concatenate_features
from keywright.core.arrays import Bools, Floats
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_predictions import COLLECTIONS, STUDIED
from keywright.experiments.study import PERCENT, Lines, Plot, Study, TableRow, lay_out_groups, run_units
from studies import plots as drawings
from studies.calibrators import few_documents
from studies.calibrators.data import AS_GIVEN, OTHERS, SAME, Calibrated, Phrases
from studies.calibrators.few_documents import AfterFew, few_sheets
from studies.tables import group_rows, list_uniform_records

_HEADS: Final = ("phrases of", "documents", "class")
_FLOOR: Final = "noise floor"


def sheets(table: Sequence[TableRow]) -> Iterator[Table]:
    """Yield errors and Brier scores by method, errors of the first method by number of documents, errors elsewhere.

    The default's own probabilities come last.
    """
    rows = [row for row in table if isinstance(row, Calibrated)]
    same = [row for row in rows if row.fitted == SAME]
    if same:
        yield from _within(same)
    elsewhere = [row for row in rows if row.fitted == OTHERS]
    if elsewhere:
        methods = tuple(dict.fromkeys(row.method for row in elsewhere))
        caption = (
            "Calibration error on a collection that no calibrator saw, percent: fitted on the two others of the study."
        )
        lines = _lines(elsewhere, "method", "{error:.1f}", floor_of=methods[0])
        yield lay_out_groups(caption, _HEADS, lines, (*methods, _FLOOR))
    yield from few_sheets([row for row in table if isinstance(row, AfterFew)])


def _within(rows: Sequence[Calibrated]) -> Iterator[Table]:
    usual = next(row.documents for row in rows if row.method == AS_GIVEN)
    at_usual = [row for row in rows if row.documents == usual]
    methods = (AS_GIVEN, *dict.fromkeys(row.method for row in at_usual if row.method != AS_GIVEN))
    first, sizes = methods[1], tuple(map(str, sorted({row.documents for row in rows})))
    splits, error = f"mean of {rows[0].splits} splits", "{error:.1f} ±{spread:.1f}"
    lines = _lines(at_usual, "method", error, floor_of=first)
    caption = f"Calibration error after {usual} documents, percent, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, lines, (*methods, _FLOOR))
    caption = f"Brier score after {usual} documents, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, _lines(at_usual, "method", "{brier:.4f}"), methods)
    lines = _lines([row for row in rows if row.method == first], "documents", error, floor_of=f"{usual}")
    caption = f"Calibration error of {first} by number of documents, percent, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, lines, (*sizes, _FLOOR))


def _lines(rows: Sequence[Calibrated], column: str, text: str, floor_of: str | None = None) -> Lines:
    """Return the cells of a table.

    Args:
        rows: of the table.
        column: the field whose values are the columns.
        text: of a cell, a format of ``error`` and ``spread`` in percent, and of ``brier``.
        floor_of: the column whose noise floor is shown; None for no floor.
    """
    by_line = group_rows(
        rows, lambda row: (row.system, row.dataset, row.phrase_class), lambda row: str(getattr(row, column))
    )
    lines: Lines = {}
    for line, cells in by_line.items():
        lines[line] = {
            name: text.format(error=PERCENT * row.error, spread=PERCENT * row.spread, brier=row.brier)
            for name, row in cells.items()
        }
        if floor_of in cells:
            lines[line][_FLOOR] = f"{PERCENT * cells[floor_of].floor:.1f}"
    return lines


def series(rows: Sequence[Calibrated]) -> Iterator[tuple[str, tuple[tuple[int, float, float, float], ...]]]:
    """Yield errors of the first method over numbers of documents: name, then documents, mean, least and largest.

    There is one series for each class, for systems with and for systems without confidences of their own.
    """
    confident = {row.system for row in rows if row.method == AS_GIVEN}
    first = next((row.method for row in rows if row.method != AS_GIVEN), "")
    errors: dict[str, dict[int, list[float]]] = {}
    for row in rows:
        if row.method == first and row.fitted == SAME:
            name = f"{row.phrase_class}, {'generators' if row.system in confident else 'extractors'}"
            errors.setdefault(name, {}).setdefault(row.documents, []).append(row.error)
    for name, by_size in errors.items():
        yield name, tuple((size, fmean(some), min(some), max(some)) for size, some in sorted(by_size.items()))


def plots(table: Sequence[TableRow]) -> Iterator[Plot]:
    """Draw the errors over numbers of documents."""
    rows = [row for row in table if isinstance(row, Calibrated)]
    title, name = "Calibration error: mean, least and largest", "calibrators"
    yield Plot(name, title, drawings.curves(title, tuple(series(rows)), name, "calibration error"), title)


SPLITS: Final = 20  # divisions of a collection; arbitrary: a minute on one core
USUAL: Final = 100  # documents that all methods are fitted on: the documentation recommends 50 to 100
SIZES: Final = (20, 50, 100, 200)  # documents that the first method is fitted on; arbitrary

GENERATED: Final = ("inspec", "krapivin")
DEFAULT: Final = "default"
EXTRACTORS: Final = ("kpminer", "tfidf", "yake")
EXTRACTED: Final = ("inspec/validation", "news500n/train")

_SEED: Final = 20261121  # arbitrary
_SMALLEST_REST: Final = 100  # documents that evaluate, at least; arbitrary
_SAMPLES: Final = 50  # samples of the noise floor, fewer than usual: it is computed for each split; arbitrary
_DIGITS: Final = 6  # decimals of stored values
ANY: Final = tuple(method for method in METHODS if method != SHIFT)
"""Methods for confidences that are not probabilities."""
_FIRST: Final = ANY[0]

Key: TypeAlias = tuple[str, str, int]  # class of phrases, method, number of documents


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None, splits: int = SPLITS
) -> tuple[TableRow, ...]:
    """Compute the errors of every system, data set, class of phrases, method and number of documents.

    Raises:
        MissingData: predictions or a data set are not on this machine.
    """
    units = [(system, data) for data in GENERATED for system in STUDIED]
    units += [(system, data) for data in EXTRACTED for system in EXTRACTORS]
    units += [(system, OTHERS) for system in STUDIED]
    units += [(DEFAULT, name) for name in few_documents.NEW]
    outcomes = run_units(partial(evaluate, mirror=mirror, splits=splits), units, progress, jobs)
    return tuple(row for _, unit_rows in outcomes for row in unit_rows)


def evaluate(unit: tuple[str, str], *, mirror: Path | None = None, splits: int = SPLITS) -> tuple[TableRow, ...]:
    """Fit calibrators of a system on parts of a data set and evaluate them on the rest, or across collections."""
    system, data = unit
    if system == DEFAULT:
        return few_documents.evaluate(data, mirror, splits)
    if data == OTHERS:
        return tuple(_across_collections(system, mirror))
    phrases = phrases_of(system, data, mirror)
    values = defaultdict(list)
    for seed in range(splits):
        for key, split_values in _split(phrases, seed):
            values[key].append(split_values)
    return tuple(_row(unit, key, SAME, np.array(of_splits)) for key, of_splits in values.items())


def phrases_of(system: str, data: str, mirror: Path | None = None) -> Phrases:
    """Return the phrases of a generator or an extractor on a data set."""
    read = Phrases.of_generator if data in GENERATED else Phrases.of_extractor
    return read(system, data, mirror)


def _across_collections(system: str, mirror: Path | None) -> Iterator[Calibrated]:
    """Yield rows of a generator: each collection evaluates what was fitted on the others."""
    collections = {name: Phrases.of_generator(system, name, mirror) for name in COLLECTIONS}
    for name, phrases in collections.items():
        others = [other for other_name, other in collections.items() if other_name != name]
        described = concatenate_features([other.described for other in others])
        correct = np.concatenate([other.judged.correct for other in others])
        documents = sum(len(other.judged.ids) for other in others)
        everything = np.ones(len(phrases.described), bool)
        for method in ANY:
            model = ProbabilityModel.fit(described, correct, method, confident=True)
            for key, values in _by_class(
                phrases, everything, (method, documents), model.probabilities(phrases.described)
            ):
                yield _row((system, name), key, OTHERS, values[None])


def _split(phrases: Phrases, seed: int) -> Iterator[tuple[Key, Floats]]:
    """Yield the values of each class, method and number of documents, from one order of the documents."""
    documents = len(phrases.judged.ids)
    order = np.random.Generator(np.random.PCG64([_SEED, seed])).permutation(documents)
    for size in SIZES:
        if documents - size < _SMALLEST_REST:
            continue
        calibrates = np.isin(phrases.judged.document, order[:size])
        for method in ANY if size == USUAL else (_FIRST,):
            described, correct = phrases.described.where(calibrates), phrases.judged.correct[calibrates]
            model = ProbabilityModel.fit(described, correct, method, confident=phrases.confident)
            yield from _by_class(phrases, ~calibrates, (method, size), model.probabilities(phrases.described))
        if size == USUAL and phrases.confident:
            yield from _by_class(phrases, ~calibrates, (AS_GIVEN, size), phrases.described.confidence)


def _by_class(
    phrases: Phrases, evaluates: Bools, name: tuple[str, int], probabilities: Floats
) -> Iterator[tuple[Key, Floats]]:
    """Yield error, noise floor and Brier score of each class that has phrases."""
    method, size = name
    present = phrases.judged.present
    for part, of_class in ((PhraseClass.PRESENT, present), (PhraseClass.ABSENT, ~present)):
        chosen = of_class & evaluates
        if chosen.any():
            probability, correct = probabilities[chosen], phrases.judged.correct[chosen]
            floor = measure_noise_floor(probability, samples=_SAMPLES).error
            brier = np.square(probability - correct).mean()
            yield (part.value, method, size), np.array([measure_error(probability, correct), floor, brier])


def _row(unit: tuple[str, str], key: Key, fitted: str, values: Floats) -> Calibrated:
    """Return the mean of all splits; ``values`` is (splits, 3)."""
    (system, dataset), (phrase_class, method, documents) = unit, key
    error, floor, brier = np.round(values.mean(0), _DIGITS).tolist()
    spread = round(float(values[:, 0].std()), _DIGITS)
    where = (system, dataset, phrase_class, method, fitted, documents)
    return Calibrated(*where, len(values), error, spread, floor, brier)


STUDY: Final = Study("calibrators", rows, (Calibrated, few_documents.AfterFew), sheets, plots, list_uniform_records)
