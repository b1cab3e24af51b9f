"""Published tables, reproduced."""

from collections.abc import Collection, Sequence
from typing import Any

from keywright.api.inputs import Progress
from keywright.catalogue import TABLES, system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import publishing
from keywright.experiments.rows import Row
from keywright.experiments.tables import made as made_table
from keywright.presentation.table import Table


def reproduce(
    table: str,
    systems: Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """A published table beside our numbers, or what each open option is worth (``ablate``).

    Raises:
        UnknownName: there is no such table, or no such system in it.
        BadParameter: the table has no systems, or no ablations.
    """
    return made_table(TABLES.find(table), systems, ablate=ablate, progress=progress, find=system_class, jobs=jobs)


def reproduced_tables(name: str, rows: Sequence[Any]) -> tuple[Table, ...]:
    """What ``reproduce`` gave as tables for people, as its paper prints them where that is known."""
    return publishing.tables(name, rows, system_class)


def publish_reproduced(name: str, rows: Sequence[Any], form: str) -> str:
    """What ``reproduce`` gave as ``csv``, ``markdown``, ``latex`` or ``html``.

    Raises:
        MissingExtra: a page needs plots, and matplotlib is not installed.
    """
    return publishing.publish(name, rows, Publication(form), system_class)
