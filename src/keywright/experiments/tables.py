"""Making a published table: its rows, or what its open options are worth."""

import inspect
from collections.abc import Callable, Collection
from typing import Any

from keywright.core.errors import BadParameter
from keywright.core.interfaces import Progress
from keywright.experiments.rows import Row


def made(
    rows: Callable[..., tuple[Row, ...]],
    systems: Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
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


def _nothing() -> Callable[..., tuple[Row, ...]]:
    raise BadParameter("this table has no ablations", "leave --ablate out")
