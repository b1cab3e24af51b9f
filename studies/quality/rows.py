"""Rows of the quality report, and those of tools that were measured elsewhere."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

from keywright.experiments.kpg_predictions import Reliability
from keywright.experiments.semeval2010_records import CUTOFFS, KINDS, read_printed
from keywright.experiments.semeval2010_task import TEST
from keywright.experiments.study import PERCENT, TableRow

OURS: Final = "keywright"  # source of the rows that this program computed


@dataclass(frozen=True, slots=True)
class Score(TableRow):
    """One value of one system.

    Attributes:
        dataset: such as ``inspec/test``.
        protocol: its signature; the bare name for values that were scored elsewhere.
        gold: kind of gold, or its class, such as ``present``.
        measure: such as ``F@10``.
        system: of the catalogue, or another tool's.
        value: 0 to 1.
        interval: low and high end of 95 percent, from resampling documents; None where it was not computed.
        source: ``OURS``, or the origin of the value.
    """

    dataset: str
    protocol: str
    gold: str
    measure: str
    system: str
    value: float
    interval: tuple[float, float] | None = None
    source: str = OURS

    part: ClassVar[str] = "score"


@dataclass(frozen=True, slots=True)
class Difference(TableRow):
    """The default's value minus that of the best other system of the same column.

    Attributes:
        dataset, protocol, gold, measure: as of ``Score``; the protocol by its name.
        system: the best other system.
        source: of its value.
        value: -1 to 1.
        interval: low and high end of 95 percent, from resampling documents for both systems together; None where the
            other has no values of single documents.
    """

    dataset: str
    protocol: str
    gold: str
    measure: str
    system: str
    source: str
    value: float
    interval: tuple[float, float] | None = None

    part: ClassVar[str] = "difference"

    @property
    def clear(self) -> bool:
        """True if the interval excludes zero."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


@dataclass(frozen=True, slots=True)
class Hits(TableRow):
    """Matches of one system on one set of gold: everything that its values are computed from.

    Attributes:
        dataset, gold, system: as of ``Score``.
        protocol: its signature.
        by_rank: number of gold entries matched at each rank, a digit each, such as ``0100``; ``-`` for an empty list.
            Documents are separated by blanks.
        sizes: gold entries of each document, separated by blanks.
        strata: category of each document, separated by blanks; empty where documents are resampled together.
    """

    dataset: str
    protocol: str
    gold: str
    system: str
    by_rank: str
    sizes: str
    strata: str = ""

    part: ClassVar[str] = "hits"


Row: TypeAlias = Score | Difference | Reliability

FIGURES: Final = Path(__file__).parent / "peers.toml"
RUN_HERE: Final = Path(__file__).parents[2] / "benchmarks" / "results" / "quality_peers.json"
"""Written by ``make bench-quality``."""
BEFORE: Final = "measured before"
PUBLISHED: Final = "published"
_DIGITS: Final = 6  # decimals of a fraction that was printed in percent: more than any table prints


def others(file: Path = RUN_HERE) -> tuple[Score, ...]:
    """Return the values of other tools; a tool that was run here replaces its values that were measured before."""
    run = run_here(file)
    replaced = {(row.dataset, row.system) for row in run}
    before = (row for row in elsewhere() if row.source != BEFORE or (row.dataset, row.system) not in replaced)
    return (*run, *before)


def run_here(file: Path = RUN_HERE) -> tuple[Score, ...]:
    """Return the values of the tools that were run over the same documents; nothing where there is no such file."""
    return tuple(map(Score.of, _stored(file, "rows")))


def hits_here(file: Path = RUN_HERE) -> tuple[Hits, ...]:
    """Return the matches by document of the tools that were run over the same documents."""
    return tuple(map(Hits.of, _stored(file, "hits")))


def _stored(file: Path, part: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8")).get(part, []) if file.is_file() else []
    return rows


@lru_cache(maxsize=1)
def elsewhere() -> tuple[Score, ...]:
    """Return the values that were not computed from stored runs: of ``peers.toml``, and of the shared task's papers."""
    parts = tomllib.loads(FIGURES.read_text("utf-8"))["measured"]
    return (*_of_the_shared_task(), *(row for part in parts for row in _of_file(part)))


def _of_the_shared_task() -> Iterator[Score]:
    for name, scores in read_printed().items():
        for gold in KINDS:
            values = scores.get(gold, {}).get("F", ())
            for cutoff, percent in zip(CUTOFFS, values, strict=False):
                where = (TEST, "semeval2010", gold, f"F@{cutoff}", str(scores.get("printed", name)))
                yield Score(*where, round(percent / PERCENT, _DIGITS), None, PUBLISHED)


def _of_file(part: Mapping[str, Any]) -> Iterator[Score]:
    for system, golds in part["systems"].items():
        for gold, values in golds.items():
            for cutoff, percent in zip(part["cutoffs"], values, strict=True):
                where = (part["dataset"], part["protocol"], gold, f"F@{cutoff}", system)
                yield Score(*where, round(percent / PERCENT, _DIGITS), None, part["source"])
