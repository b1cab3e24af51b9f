"""Test sets by both qualities, as the quality report scores them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from keywright.evaluation.measures.counts import F
from keywright.experiments.kpg_predictions import measure_reliability
from studies.quality.collections import COLLECTIONS, DEFAULT, Collection, collection
from studies.quality.measuring import Scored, cached_predictions, differences, first_shown, scored, sources
from studies.quality.rows import Hits, Score
from studies.reader.rows import CUTOFFS, CalibrationError, Gain, Row

TEST: Final = tuple(part.data for part in COLLECTIONS if part.lessons)
"""Collections with a test split, which both qualities are run on as they ship."""
_BEST: Final = {"quality": "best"}


@dataclass(frozen=True, slots=True)
class _Pair:
    """Standard quality and best, against the same gold."""

    standard: Scored
    best: Scored


def with_cutoffs(here: Collection) -> Collection:
    """Return a collection whose protocols measure F at 5, 10 and 15."""
    measures = tuple(F @ cutoff for cutoff in CUTOFFS)
    return replace(here, protocols=tuple(replace(protocol, measures=measures) for protocol in here.protocols))


def rows_of(data: str, mirror: Path | None = None) -> tuple[Row, ...]:
    """Return gains and calibration errors on a test set, by its name, for each kind of gold in its own style."""
    here = with_cutoffs(collection(data))
    papers = sources(data, mirror)[0]
    rows: list[Row] = []
    for golds, style in here.variants(DEFAULT).items():
        lists = [cached_predictions(here, DEFAULT, {**style, **best}, mirror) for best in ({}, _BEST)]
        pair = _Pair(*(scored(here, papers, predictions, DEFAULT) for predictions in lists))
        rows += [gain for gain in _gains(here, pair) if gain.gold in golds or gain.gold not in here.gold]
        if here.gold[0] in golds:
            shown = [first_shown(here, papers, predictions) for predictions in lists]
            errors = [measure_reliability(data, DEFAULT, each) for each in shown if each is not None]
            if len(errors) == len(lists):
                standard, best = errors
                rows.append(CalibrationError(data, here.gold[0], standard.error, best.error, best.floor.error))
    return tuple(rows)


def _gains(here: Collection, pair: _Pair) -> Iterator[Gain]:
    """Yield the gain of each measure, with its paired interval."""
    for protocol in here.protocols:
        hits = [_by_gold(each.hits, protocol.signature) for each in (pair.best, pair.standard)]
        for gold in hits[0]:
            ends = differences(hits[0][gold], hits[1][gold], protocol)
            best, standard = (_values(each.scores, protocol.signature, gold) for each in (pair.best, pair.standard))
            number = len(hits[0][gold].sizes.split())
            for measure in standard:
                yield Gain("test", here.data, gold, measure, number, standard[measure], best[measure], ends[measure])


def _by_gold(hits: Sequence[Hits], protocol: str) -> Mapping[str, Hits]:
    return {each.gold: each for each in hits if each.protocol == protocol}


def _values(scores: Sequence[Score], protocol: str, gold: str) -> Mapping[str, float]:
    return {each.measure: each.value for each in scores if (each.protocol, each.gold) == (protocol, gold)}
