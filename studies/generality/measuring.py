"""The rows of one collection: the default by style and seed, and the other systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from keywright.api.extracting import prepare_run
from keywright.calibration.calibration_error import NoiseFloor, compute_error, measure_noise_floor, sum_bins
from keywright.core.arrays import Floats
from keywright.core.atomic_files import cache_folder
from keywright.core.documents import Style
from keywright.core.predictions import Prediction
from keywright.core.signatures import signature
from keywright.datasets.collection import load
from keywright.experiments.kpg_predictions import TopPhrases
from keywright.text.cached_analyser import CachedAnalyser
from studies.cached import cached, code_digest
from studies.generality.collections import Collection, collection, documents
from studies.generality.leaving_out import train_without
from studies.generality.lists import CUTOFFS, TOP, Draws, Sums, f_of, mean_of_runs, prediction_of, run, shown
from studies.generality.peers import predictions_of_peer
from studies.generality.rows import Calibration, Difference, Row, Score

DEFAULT: Final = "default"
STYLES: Final = tuple(style.value for style in Style)
DECLARED: Final = "general, number declared"
"""The general style with the mean number of gold keyphrases of the collection declared."""
SEEDS: Final = (1, 2, 3, 4, 5)  # seeds of the training; their number is arbitrary
MEASURES: Final = tuple(f"F@{cutoff}" for cutoff in CUTOFFS)
BASELINES: Final = frozenset({"counting"})  # systems of ours that are not among the others in differences


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of one system over one collection.

    Attributes:
        collection: name in the study.
        system: ``default``, or the label of another system.
        seed: of the default's training; None for other systems.
    """

    collection: str
    system: str
    seed: int | None = None


def predictions(unit: Unit, mirror: Path | None = None) -> Mapping[str, tuple[Prediction, ...]]:
    """Return lists by style of the default, or under an empty style for another system; cached."""
    if unit.seed is None:
        return {"": predictions_of_peer((unit.collection, unit.system), mirror)}
    part = collection(unit.collection)
    identity = (code_digest(f"{__name__}._by_style"), repr(unit), *(load(name, mirror).signature for name in part.data))
    result = cached(cache_folder("generality"), identity, lambda: _by_style(part, unit.seed or 0, mirror))
    return {style: tuple(map(prediction_of, records)) for style, records in result.items()}


def _by_style(part: Collection, seed: int, mirror: Path | None) -> dict[str, Any]:
    system, papers = train_without(part, seed, mirror), documents(part.name, mirror)
    number = fmean(len({entry.forms for entry in paper.gold}) for paper in papers)
    settings: dict[str, dict[str, Any]] = {style: {"style": style} for style in STYLES}
    settings[DECLARED] = {"style": Style.GENERAL.value, "expect": number}
    lists = {}
    for name, values in settings.items():
        extraction = prepare_run(replace(system, **values), TOP)
        identity = signature(extraction.analyser)
        cache = CachedAnalyser(extraction.analyser, cache_folder("analyses"), identity)
        lists[name] = run(replace(extraction, analyser=cache), papers)
    return lists


Lists = Mapping[tuple[str, str], Mapping[int | None, tuple[Prediction, ...]]]
"""Lists by system and style, then by seed."""


def rows_of(part: Collection, lists: Lists, mirror: Path | None = None) -> Iterator[Row]:
    """Yield the rows of a collection from the lists of all systems."""
    papers = documents(part.name, mirror)
    draws = Draws.of(len(papers))
    sums: dict[tuple[str, str], list[Floats]] = {}
    for (system, style), by_seed in lists.items():
        runs = [Sums.of(part, papers, predicted).rows for predicted in by_seed.values()]
        sums[system, style] = runs
        for seed, rows in zip(by_seed, runs, strict=True) if len(runs) > 1 else ():
            yield from _scores(part, (system, style), seed, [rows], draws)
        yield from _scores(part, (system, style), None, runs, draws)
    yield from _differences(part, sums, draws)
    for (system, style), by_seed in lists.items():
        every = [shown(papers, predicted) for predicted in by_seed.values()]
        if columns := [phrases for phrases in every if phrases is not None]:
            yield _calibration(part, (system, style), columns, draws)


def _scores(
    part: Collection, who: tuple[str, str], seed: int | None, runs: Sequence[Floats], draws: Draws
) -> Iterator[Score]:
    values, ends = mean_of_runs(runs, f_of), draws.ends(draws.samples(runs, f_of))
    for measure, value, interval in zip(MEASURES, values.tolist(), ends, strict=True):
        yield Score(part.name, *who, seed, len(runs[0]), measure, value, interval)


def _differences(
    part: Collection, sums: Mapping[tuple[str, str], Sequence[Floats]], draws: Draws
) -> Iterator[Difference]:
    """Yield the differences of each style of the default to the best other system by each measure."""
    others = {who: runs for who, runs in sums.items() if who[0] not in {DEFAULT, *BASELINES}}
    ours = {who[1]: runs for who, runs in sums.items() if who[0] == DEFAULT}
    if not others or not ours:
        return
    values = {who: mean_of_runs(runs, f_of) for who, runs in others.items()}
    for place, measure in enumerate(MEASURES):
        best = max(others, key=lambda who: float(values[who][place]))
        samples_of_best = draws.samples(others[best], f_of)
        for style, runs in ours.items():
            difference = float(mean_of_runs(runs, f_of)[place] - values[best][place])
            ends = draws.ends(draws.samples(runs, f_of) - samples_of_best)[place]
            yield Difference(part.name, style, best[0], measure, difference, ends)


def _calibration(part: Collection, who: tuple[str, str], runs: Sequence[TopPhrases], draws: Draws) -> Calibration:
    documents_of = draws.documents.shape[1]
    totals = [_totals(phrases, documents_of) for phrases in runs]
    floors = [measure_noise_floor(phrases.probabilities) for phrases in runs]
    low, high = draws.ends(draws.samples(totals, _error))[0]
    return Calibration(
        part.name,
        *who,
        seeds=len(runs),
        phrases=round(float(np.mean([len(phrases.right) for phrases in runs]))),
        error=float(mean_of_runs(totals, _error)[0]),
        interval=(low, high),
        floor=NoiseFloor(*np.mean([(floor.error, floor.low, floor.high) for floor in floors], axis=0).tolist()),
        probability=float(np.mean([phrases.probabilities.mean() for phrases in runs])),
        right=float(np.mean([phrases.right.mean() for phrases in runs])),
    )


def _totals(phrases: TopPhrases, documents_of: int) -> Floats:
    """Return rows, sum of probabilities and number of right phrases by bin, of each document, (documents, 3 * bins)."""
    masks = (phrases.owner == number for number in range(documents_of))
    return np.stack([sum_bins(phrases.probabilities[mask], phrases.right[mask]).ravel() for mask in masks])


def _error(totals: Floats) -> Floats:
    """Return the calibration error, (..., 1), from totals, (..., 3 * bins)."""
    error: Floats = compute_error(totals.reshape(*totals.shape[:-1], 3, -1))[..., None]
    return error
