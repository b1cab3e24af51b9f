"""Published tables, reproduced."""

from collections import abc
from collections.abc import Sequence
from typing import Any, Final

from keywright.api.generators import train_generator
from keywright.catalogue import TABLES, system_class
from keywright.core.errors import UnknownName
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import study as publishing
from keywright.experiments.study import Row, Study, make_study, make_table

_STUDIES: Final = frozenset(
    "arabic-keyphrases arabic-text calibrators default-ablation default-errors default-learning-curve domain everyday"
    " everyday-domains generality generator-help guarantees languages quality reader".split()
)
"""Studies of this project; they run from a checkout of the repository only."""


def reproduce(
    table: str,
    systems: abc.Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Return a published table beside our numbers, or what each open option is worth (``ablate``)."""
    study, train = _find_study(table), train_generator
    return make_table(study, systems, ablate=ablate, progress=progress, find=system_class, train=train, jobs=jobs)


def describe_wait(name: str, systems: abc.Collection[str] | None = None) -> str:
    """Return how long the rows of a table take, where that is hours, as a fresh machine must know first; else empty."""
    return _find_study(name).wait(systems)


def reproduced_tables(name: str, rows: Sequence[Any]) -> tuple[Table, ...]:
    """Return the rows of ``reproduce`` as tables for people, as the paper prints them where its layout is known."""
    return publishing.lay_out_study(_find_study(name), rows, system_class)


def publish_reproduced(name: str, rows: Sequence[Any], form: str) -> str:
    """Return the rows of ``reproduce`` as ``csv``, ``markdown``, ``latex`` or ``html``."""
    return publishing.publish(_find_study(name), rows, Publication(form), system_class)


def _find_study(name: str) -> Study:
    if name in _STUDIES and name not in TABLES.names():
        raise UnknownName(
            f"{name!r} is a study of this project and not a published table",
            f"run `python -m studies {name}` in a checkout of the repository",
        )
    return make_study(name, TABLES.find(name))
