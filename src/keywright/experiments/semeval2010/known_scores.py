"""Scores of the shared task by system, printed and measured last, from data files of this package."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

CUTOFFS: Final = (5, 10, 15)
"""Cutoffs of the shared task."""
KINDS: Final = ("combined", "reader", "author")
TABLE: Final = "semeval2010"


@lru_cache(maxsize=1)
def published() -> Mapping[str, Mapping[str, Any]]:
    """Return printed scores by system, in the order of the published ranking, baselines last."""
    return _read("semeval2010_task.toml")


@lru_cache(maxsize=1)
def measured() -> Mapping[str, Mapping[str, Any]]:
    """Return our F at 5, 10 and 15 by system and kind of gold; ``tools/pages/semeval2010.py`` writes the file."""
    return _read("semeval2010_ours.toml")


@lru_cache(maxsize=1)
def notes() -> Mapping[str, str]:
    """Return explanations of differences between our scores and the published ones, by system."""
    return {name: " ".join(note.split()) for name, note in _read("semeval2010_notes.toml").items()}


def scores(system: str) -> tuple[dict[str, Any], ...]:
    """Return F of a system in percent, printed and ours, as ``{"table", "gold", "measure", "published", "ours"}``.

    Either may be None; a system without either has no entries.
    """
    printed, ours = published().get(system, {}), measured().get(system, {})
    return tuple(
        {"table": TABLE, "gold": gold, "measure": f"F@{cutoff}", "published": theirs, "ours": mine}
        for gold in KINDS
        if gold in printed or gold in ours
        for cutoff, theirs, mine in zip(
            CUTOFFS, printed.get(gold, {}).get("F", (None,) * 3), ours.get(gold, (None,) * 3), strict=True
        )
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("keywright.experiments").joinpath("published", name).read_text("utf-8"))
