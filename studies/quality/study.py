"""The quality report: our default, and the systems of other tools, on papers, abstracts, news and biomedical articles.

Every system is scored by the collection's usual protocols, with intervals from resampling documents, beside published
figures of other tools that were measured elsewhere (``peers.toml``). Probabilities are compared with the share of
phrases that are right, by collection and by class of document.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from keywright.catalogue import system_class
from keywright.core.interfaces import Progress, needs_of
from keywright.experiments.layouts import PERCENT
from keywright.experiments.reliability import Reliability, Shown, pooled, reliability
from keywright.experiments.study import Study, run_units
from studies.quality.collections import COLLECTIONS, USUAL, collection
from studies.quality.measuring import Outcome, evaluate, tag
from studies.quality.rows import Row, Score
from studies.quality.tables import lines, plots, sheets


def rows(
    systems: Collection[str] | None = None,
    *,
    progress: Progress | None = None,
    mirror: Path | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute scores by collection and system, those of other tools beside them, then reliabilities.

    Args:
        systems: of the catalogue; None for the usual ones. A collection skips those that take too long there.
        progress: called with the number of systems on collections done, and of all.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.

    Raises:
        UnknownName: there is no system of a name.
        MissingData: a collection is not on this machine.
        MissingExtra: a system needs tags or an encoder that is not installed.
    """
    chosen = tuple(systems or USUAL)
    needs = {name: needs_of(system_class(name)) for name in chosen}
    units = [(part.data, name) for part in COLLECTIONS for name in chosen if name not in part.without]
    tagged = list(dict.fromkeys(data for data, name in units if "tags" in needs[name]))
    for _ in run_units(partial(tag, mirror=mirror), tagged, jobs=jobs):
        pass
    outcomes = dict(run_units(partial(evaluate, mirror=mirror), units, progress, jobs))
    return (*_scores(outcomes), *_reliabilities(outcomes))


@lru_cache(maxsize=1)
def elsewhere() -> tuple[Score, ...]:
    """Return the figures of other tools that were not computed by this program, from ``peers.toml``."""
    text = (Path(__file__).parent / "peers.toml").read_text("utf-8")
    return tuple(row for part in tomllib.loads(text)["measured"] for row in _stored(part))


def _stored(part: Mapping[str, Any]) -> Iterator[Score]:
    for system, golds in part["systems"].items():
        for gold, values in golds.items():
            for cutoff, percent in zip(part["cutoffs"], values, strict=True):
                where = (part["dataset"], part["protocol"], gold, f"F@{cutoff}", system)
                yield Score(*where, round(percent / PERCENT, 6), None, part["source"])


def _scores(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Score]:
    for part in COLLECTIONS:
        for (data, _), outcome in outcomes.items():
            if data == part.data:
                yield from outcome.scores
        yield from (row for row in elsewhere() if row.dataset == part.data)


def _reliabilities(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Row]:
    """Yield reliabilities by collection and system, then by class of document."""
    classes: dict[tuple[str, str], list[Shown]] = {}
    for (data, name), outcome in outcomes.items():
        if outcome.shown is not None:
            classes.setdefault((collection(data).kind, name), []).append(outcome.shown)
            yield reliability(data, name, outcome.shown)
    for (kind, name), parts in classes.items():
        yield reliability(kind, name, pooled(parts))


STUDY: Final = Study("quality", rows, (Score, Reliability), sheets, plots, lines)
