"""The units of a study, distributed over processes."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from keywright.core.interfaces import Progress
from keywright.execution.engines import engine

Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")


def run_units(
    work: Callable[[Unit], Outcome], units: Sequence[Unit], progress: Progress | None = None, jobs: int | None = None
) -> Iterator[tuple[Unit, Outcome]]:
    """Yield each unit with its outcome, in order.

    Args:
        work: must pickle where ``jobs`` is more than one, as must the units.
        units: what to work on.
        progress: called with the number of units done, and of all.
        jobs: processes; None for this one alone.
    """
    outcomes = engine(jobs=jobs, chunk=1).map(work, units)
    for done, pair in enumerate(zip(units, outcomes, strict=True), 1):
        yield pair
        if progress:
            progress(done, len(units))
