"""Several processes on this machine; a worker that dies costs the one item that killed it, nothing more."""

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Final, cast

from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.execution.batches import Batches
from keywright.execution.main_guard import check_main
from keywright.execution.worker_pool import WorkerPool

AHEAD: Final = 3
"""Items handed out per worker, so that none waits and an endless stream fits in memory; arbitrary."""
_PATIENCE: Final = 0.05
"""Seconds between two looks at a source that has nothing for the moment; arbitrary."""


@dataclass(frozen=True, slots=True)
class Processes:
    """An executor of ``jobs`` fresh processes; the work is sent to each once, so models load once per worker.

    Work, items and results must pickle. A script that uses this keeps its own work under ``if __name__ ==
    "__main__":``, because fresh processes import it.

    Raises:
        BadParameter: fewer than one process.
    """

    jobs: int

    def __post_init__(self) -> None:
        """Check the number at once, not in the middle of a run."""
        if self.jobs < 1:
            raise BadParameter(f"{self.jobs} processes", "expected at least 1")

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items; an error of their source comes after the results before it.

        Results do not wait for a source that is slow, where ``items`` are ``Batches``. An item whose worker dies is
        repeated in a process of its own, in parts if the work has a method ``parts(item)``, whose results are joined.
        When that dies as well, ``work.lost(part)`` is the result if the work has such a method.
        """
        check_main()
        pool = WorkerPool(work, self.jobs)
        source = iter(items)
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        error: Exception | None = None
        is_over = False
        try:
            while True:
                while not is_over and len(waiting) < self.jobs * AHEAD and _reads_on(source, waiting):
                    try:
                        item = next(source)
                    except StopIteration:
                        is_over = True
                    except Exception as broken:  # noqa: BLE001 - raised after the results before it
                        error, is_over = broken, True
                    else:
                        waiting.append((item, pool.submit(item)))
                if not waiting:
                    break
                item, future = waiting.popleft()
                try:
                    result = future.result()
                except BrokenProcessPool:
                    pool.discard()
                    result = _repeated(work, item)
                    pool = WorkerPool(work, self.jobs)
                    waiting = deque((later, pool.again(later, result)) for later, result in waiting)
                yield result
        finally:
            pool.close()
        if error:
            raise error


def _reads_on(source: Iterator[Item], waiting: "deque[tuple[Item, Future[Result]]]") -> bool:
    """Return whether to read another item now: not while the source has none and the first result comes."""
    if not waiting or not isinstance(source, Batches):
        return True
    first = waiting[0][1]
    while not source.is_ready():
        if wait((first,), _PATIENCE).done:
            return False
        if not source.is_asked:
            return True
    return True


def _repeated(work: Callable[[Item], Result], item: Item) -> Result:
    """Return the result of an item whose worker died, its parts one by one, so that nothing else dies with a part."""
    parts = getattr(work, "parts", None)
    if parts is None:
        return next(_one_by_one(work, (item,)))
    results: Iterator[Any] = _one_by_one(work, parts(item))
    joined: Any = tuple(itertools.chain.from_iterable(results))
    return cast("Result", joined)


def _one_by_one(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield the results of items, worked on in a process of their own, which is replaced when one kills it."""
    pool: WorkerPool[Item, Result] | None = None
    try:
        for item in items:
            pool = pool or WorkerPool(work, 1)
            try:
                result = pool.submit(item).result()
            except BrokenProcessPool:
                pool.discard()
                pool = None
                lost = getattr(work, "lost", None)
                if lost is None:
                    hint = "too little memory is a usual cause"
                    raise PartlyDone("a worker process died twice on the same item", hint) from None
                result = lost(item)
            yield result
    finally:
        if pool is not None:
            pool.close()
