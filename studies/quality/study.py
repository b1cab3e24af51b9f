"""The quality report: our default, and all systems that run here, on papers, abstracts, news and biomedical articles.

Every system is scored by the collection's usual protocols, with intervals from resampling documents, beside values of
other tools (``others.py``). The default is compared with the best other system of each column, document by document.
Probabilities are compared with the share of phrases that are right, by collection and by class of document.
"""

from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from keywright.catalogue import system_class
from keywright.core.interfaces import Progress
from keywright.experiments.reliability import Reliability, TopPhrases, measure_reliability, pool_phrases
from keywright.experiments.study import Study, run_units
from studies.quality.collections import COLLECTIONS, DEFAULT, USUAL, Collection, collection
from studies.quality.measuring import Outcome, evaluate
from studies.quality.others import hits_here, others
from studies.quality.rows import Difference, Hits, Row, Score
from studies.quality.scoring import differences
from studies.quality.tables import columns_of, lines, plots, protocol_name, sheets


def rows(
    systems: Names[str] | None = None,
    *,
    progress: Progress | None = None,
    mirror: Path | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute scores by collection and system, those of other tools beside them, differences, then reliabilities.

    Args:
        systems: of the catalogue; None for all. A collection skips those that take too long there.
        progress: called with the number of systems on collections done, and of all.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.

    Raises:
        UnknownName: there is no system of a name.
        MissingData: a collection is not on this machine.
        MissingExtra: a system needs tags or an encoder that is not installed.
    """
    chosen = tuple(systems or USUAL)
    for name in chosen:
        system_class(name)
    units = [(part.data, name) for part in COLLECTIONS for name in chosen if name not in part.without]
    outcomes = dict(run_units(partial(evaluate, mirror=mirror), units, progress, jobs))
    scores = tuple(_scores(outcomes))
    hits = (*(row for outcome in outcomes.values() for row in outcome.hits), *hits_here())
    return (*scores, *_differences(scores, hits), *_reliabilities(outcomes))


def _scores(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Score]:
    external = others()
    for part in COLLECTIONS:
        for (data, _), outcome in outcomes.items():
            if data == part.data:
                yield from outcome.scores
        yield from (row for row in external if row.dataset == part.data)


def _differences(scores: Sequence[Score], hits: Sequence[Hits]) -> Iterator[Difference]:
    """Yield a difference for each column in which the default and another system have a value."""
    matches = {(row.dataset, protocol_name(row), row.gold, row.system): row for row in hits}
    for part in COLLECTIONS:
        here = [row for row in scores if row.dataset == part.data]
        for gold, measure in columns_of(part, here):
            column = [row for row in here if (row.gold, row.measure) == (gold, measure)]
            ours = next((row for row in column if row.system == DEFAULT), None)
            rivals = [row for row in column if row.system != DEFAULT]
            if ours and rivals:
                best = max(rivals, key=lambda row: row.value)
                where = (part.data, protocol_name(ours), gold)
                pair = [matches.get((*where, row.system)) for row in (ours, best)]
                yield Difference(
                    *(*where, measure, best.system, best.source),
                    value=ours.value - best.value,
                    interval=_interval(part, pair, measure) if best.interval else None,
                )


def _interval(part: Collection, pair: Sequence[Hits | None], measure: str) -> tuple[float, float] | None:
    ours, theirs = pair
    if ours is None or theirs is None:
        return None
    (protocol,) = (protocol for protocol in part.protocols if protocol.name == protocol_name(ours))
    return differences(ours, theirs, protocol)[measure]


def _reliabilities(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Row]:
    """Yield reliabilities by collection and system, then by class of document."""
    classes: dict[tuple[str, str], list[TopPhrases]] = {}
    for (data, name), outcome in outcomes.items():
        if outcome.shown is not None:
            classes.setdefault((collection(data).kind, name), []).append(outcome.shown)
            yield measure_reliability(data, name, outcome.shown)
    for (kind, name), parts in classes.items():
        yield measure_reliability(kind, name, pool_phrases(parts))


STUDY: Final = Study("quality", rows, (Score, Difference, Reliability), sheets, plots, lines)
