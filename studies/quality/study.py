"""The quality report: our default, and what other tools offer, on papers, abstracts, news and biomedical articles.

Every system is scored by the collection's usual protocols, with intervals from drawing documents; beside it stand
figures of other tools that were measured elsewhere (``peers.toml``). Probabilities are compared with
what turned out right, by collection and by class of document.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from keywright.core.interfaces import Progress, needs_of
from keywright.experiments.reliability import Reliability, Shown, pooled, reliability
from keywright.experiments.run_units import run_units
from keywright.experiments.study import Study
from studies.quality.collections import COLLECTIONS, USUAL, collection
from studies.quality.measuring import Find, Outcome, Trial, documents
from studies.quality.rows import Row, Score
from studies.quality.tables import lines, plots, sheets

_PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Tagging:
    """Tags the documents of a data set and keeps the tags, before several systems ask for them; travels."""

    mirror: Path | None

    def __call__(self, data: str) -> int:
        """The number of documents."""
        return len(documents(data, self.mirror, tagged=True))


def rows(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Scores by collection and system, other tools' beside them, then how right probabilities are.

    Args:
        systems: of the catalogue; None for the usual ones. A collection passes over those that take too long there.
        progress: told how many systems on collections are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        find: a system's class by its name; it must pickle where ``jobs`` is more than one.
        jobs: processes.

    Raises:
        UnknownName: there is no system of a name.
        MissingData: a collection is not on this machine.
        MissingExtra: a system needs tags or an encoder that is not installed.
    """
    chosen = tuple(systems or USUAL)
    needs = {name: needs_of(find(name)) for name in chosen}
    units = [(one.data, name) for one in COLLECTIONS for name in chosen if name not in one.without]
    tagged = list(dict.fromkeys(data for data, name in units if "tags" in needs[name]))
    for _ in run_units(Tagging(mirror), tagged, jobs=jobs):
        pass
    found = dict(run_units(Trial(find, mirror), units, progress, jobs))
    return (*_scores(found), *_reliabilities(found))


@lru_cache(maxsize=1)
def elsewhere() -> tuple[Score, ...]:
    """Figures of other tools that were not computed by this program, from ``peers.toml``."""
    text = (Path(__file__).parent / "peers.toml").read_text("utf-8")
    return tuple(row for part in tomllib.loads(text)["measured"] for row in _stored(part))


def _stored(part: Mapping[str, Any]) -> Iterator[Score]:
    for system, golds in part["systems"].items():
        for gold, values in golds.items():
            for cutoff, percent in zip(part["cutoffs"], values, strict=True):
                where = (part["dataset"], part["protocol"], gold, f"F@{cutoff}", system)
                yield Score(*where, round(percent / _PERCENT, 6), None, part["source"])


def _scores(found: Mapping[tuple[str, str], Outcome]) -> Iterator[Score]:
    for one in COLLECTIONS:
        for (data, _), outcome in found.items():
            if data == one.data:
                yield from outcome.scores
        yield from (row for row in elsewhere() if row.dataset == one.data)


def _reliabilities(found: Mapping[tuple[str, str], Outcome]) -> Iterator[Row]:
    """By collection and system, then by class of document."""
    classes: dict[tuple[str, str], list[Shown]] = {}
    for (data, name), outcome in found.items():
        if outcome.shown is not None:
            classes.setdefault((collection(data).kind, name), []).append(outcome.shown)
            yield reliability(data, name, outcome.shown)
    for (kind, name), parts in classes.items():
        yield reliability(kind, name, pooled(parts))


STUDY: Final = Study("quality", rows, (Score, Reliability), sheets, plots, lines)
