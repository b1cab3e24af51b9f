"""The units of a study, shared out to processes."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from keywright.core.interfaces import Progress
from keywright.execution.engines import engine

Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")


def outcomes(
    work: Callable[[Unit], Outcome], units: Sequence[Unit], progress: Progress | None = None, jobs: int | None = None
) -> Iterator[tuple[Unit, Outcome]]:
    """Each unit with what became of it, in order.

    Args:
        work: travels to other processes.
        units: likewise.
        progress: told after each.
        jobs: processes; None for this one alone.

    Raises:
        BadParameter: fewer than one job; and whatever the work raises.
    """
    made = engine(jobs=jobs, chunk=1).map(work, units)
    for done, one in enumerate(zip(units, made, strict=True), 1):
        yield one
        if progress:
            progress(done, len(units))
