"""Making a published table: its rows, or what its open options are worth."""

import inspect
import tomllib
from collections.abc import Callable, Collection
from importlib.resources import files
from typing import Any, Final

from keywright.core.errors import BadParameter
from keywright.experiments.rows import Row

_CUTOFFS: Final = (5, 10, 15)


def made(
    rows: Callable[..., tuple[Row, ...]],
    systems: Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Callable[[int, int], None] | None = None,
    find: Callable[[str], Any] | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """The rows of a table.

    Args:
        rows: what makes them; a function ``ablations`` beside it makes the others.
        systems: rows of these systems only; None for all.
        ablate: what each open option is worth, instead of the published rows.
        progress: told how many systems are done, of how many.
        find: a system's class by its name, for tables that take any system.
        jobs: processes, for tables that can share out their work.

    Raises:
        UnknownName: a system that the table does not have.
        BadParameter: the table has no systems, or no ablations.
    """
    if ablate:
        rows = getattr(inspect.getmodule(rows), "ablations", None) or _nothing()
    takes = inspect.signature(rows).parameters
    if systems and "systems" not in takes:
        raise BadParameter("this table has no systems to choose from", "leave --systems out")
    options: dict[str, Any] = {"systems": systems, "progress": progress, "find": find, "jobs": jobs}
    return rows(**{name: value for name, value in options.items() if name in takes})


def published(system: str) -> tuple[dict[str, Any], ...]:
    """Scores that papers print for a system, in percent, as ``{"table", "gold", "measure", "published"}``."""
    text = files("keywright.experiments").joinpath("published", "semeval2010_baselines.toml").read_text("utf-8")
    return tuple(
        {"table": "semeval2010-baselines", "gold": gold, "measure": f"F@{cutoff}", "published": number}
        for gold, numbers in tomllib.loads(text).get(system, {}).items()
        for cutoff, number in zip(_CUTOFFS, numbers, strict=True)
    )


def _nothing() -> Callable[..., tuple[Row, ...]]:
    raise BadParameter("this table has no ablations", "leave --ablate out")
