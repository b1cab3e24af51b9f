"""Values of other tools: run over the same documents, measured before, and as papers print them."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from keywright.experiments.semeval2010_records import CUTOFFS, KINDS, read_printed
from keywright.experiments.semeval2010_task import TEST
from keywright.experiments.study import PERCENT
from studies.quality.rows import Hits, Score

FIGURES: Final = Path(__file__).parent / "peers.toml"
RUN_HERE: Final = Path(__file__).parents[2] / "benchmarks" / "results" / "quality_peers.json"
"""Written by ``make bench-quality``."""
BEFORE: Final = "measured before"
PUBLISHED: Final = "published"
_DIGITS: Final = 6
"""Decimals of a fraction that was printed in percent: more than any table prints."""


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
