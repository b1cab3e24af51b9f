"""Executors by name."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from keywright.core.choices import EngineName
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.interfaces import Executor, Item, Result


class Serial:
    """An executor in this process."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items."""
        return map(work, items)


ENGINES: Final = tuple(map(str, EngineName))


def engine(name: str | None = None, jobs: int | None = None) -> Executor:
    """Return an executor by name.

    Without a name ``processes`` are taken for several jobs, else ``serial``; without ``jobs`` there is one, or two
    where processes are asked for by name, or one for each CPU of the cluster on Ray.
    """
    if name is not None and name not in ENGINES:
        raise unknown_name("engine", name, ENGINES, "keywright run --help")
    if jobs is not None and jobs < 1:
        raise BadParameter(f"{jobs} jobs", "expected a number from 1")
    if name == "ray":
        from keywright.running.ray_actors import Ray  # noqa: PLC0415  (rarely used)

        return Ray(jobs)
    if name == "processes" or (name is None and (jobs or 1) > 1):
        from keywright.running.pool import Processes  # noqa: PLC0415  (rarely used; loading is slow)

        return Processes(jobs or 2)
    if (jobs or 1) > 1:
        raise BadParameter(f"{jobs} jobs in series", "`--engine processes` runs several at a time")
    return Serial()
