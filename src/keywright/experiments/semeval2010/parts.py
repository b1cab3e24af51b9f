"""The shared parts of a system, read from its code."""

import inspect
import sys
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

ROOMS: Final[Mapping[str, str]] = {
    "keywright.candidates": "candidates",
    "keywright.features": "features",
    "keywright.corpus": "knowledge",
    "keywright.learners": "learner",
    "keywright.ranking": "ranking",
}
"""Names of the rooms in tables, by package."""

_EVERYWHERE: Final = frozenset(
    "rank order_of rows_of training_rows matrix chosen_columns fit_system fitted not_fitted".split()
)
"""Plumbing that every system uses."""


def parts_of(system: type) -> dict[str, tuple[str, ...]]:
    """Return the names of functions and classes of other rooms that a system's modules use, by room.

    Modules are those of the class and of its base classes, so that systems that share a file or a base share parts.
    """
    used: dict[str, dict[str, None]] = defaultdict(dict)
    for kind in system.__mro__:
        if not kind.__module__.startswith("keywright.systems."):
            continue
        for name, value in vars(sys.modules[kind.__module__]).items():
            package = getattr(value, "__module__", None) or ""
            room = ROOMS.get(".".join(package.split(".")[:2]))
            if room and name not in _EVERYWHERE and (inspect.isfunction(value) or inspect.isclass(value)):
                used[room][name] = None
    return {room: tuple(used[room]) for room in ROOMS.values()}
