"""Several processes on this machine; a worker that dies costs the one item that killed it, nothing more."""

import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Final, Generic

from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.execution.main_guard import check_main

AHEAD: Final = 3
"""Chunks handed out per worker, so that none waits and an endless stream fits in memory; arbitrary."""


@dataclass(frozen=True, slots=True)
class Processes:
    """An executor of ``jobs`` fresh processes; the work is sent to each once, so models load once per worker.

    Work, items and results must pickle. A script that uses this keeps its own work under ``if __name__ ==
    "__main__":``, because fresh processes import it. ``chunk``: items sent together.

    Raises:
        BadParameter: fewer than one process, or one item.
    """

    jobs: int
    chunk: int = 4

    def __post_init__(self) -> None:
        """Check the numbers at once, not in the middle of a run."""
        if self.jobs < 1 or self.chunk < 1:
            raise BadParameter(f"{self.jobs} processes with {self.chunk} items at a time", "both must be at least 1")

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items.

        An item whose worker dies is tried once more in a process of its own. When that dies too, ``work.lost(item)``
        is its result if the work has such a method.
        """
        check_main()
        pool = _Pool(work, self.jobs)
        source = iter(items)
        chunks = iter(lambda: tuple(itertools.islice(source, self.chunk)), ())
        waiting: deque[tuple[tuple[Item, ...], Future[list[Result]]]] = deque()
        try:
            while True:
                for chunk in itertools.islice(chunks, self.jobs * AHEAD - len(waiting)):
                    waiting.append((chunk, pool.submit(chunk)))
                if not waiting:
                    return
                chunk, future = waiting.popleft()
                try:
                    results = future.result()
                except BrokenProcessPool:
                    pool.close()
                    results = [_alone(work, item) for item in chunk]
                    pool = _Pool(work, self.jobs)
                    waiting = deque((later, _again(pool, later, result)) for later, result in waiting)
                yield from results
        finally:
            pool.close()


class _Pool(Generic[Item, Result]):
    """Processes that hold the work; a broken pool returns futures with the error."""

    def __init__(self, work: Callable[[Item], Result], jobs: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_start, initargs=(work,))
        try:
            self._pool.submit(_ready).result()
        except BrokenProcessPool:
            self.close()
            hint = 'scripts need `if __name__ == "__main__":` around their own work; without processes it runs anywhere'
            raise PartlyDone("worker processes cannot start", hint) from None

    def submit(self, chunk: tuple[Item, ...]) -> "Future[list[Result]]":
        """Hand out a chunk."""
        try:
            return self._pool.submit(_do, chunk)
        except BrokenProcessPool as error:
            failed: Future[list[Result]] = Future()
            failed.set_exception(error)
            return failed

    def close(self) -> None:
        """End the processes: running chunks are finished, waiting ones dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _again(
    pool: _Pool[Item, Result], chunk: tuple[Item, ...], future: "Future[list[Result]]"
) -> "Future[list[Result]]":
    """Return the future if it holds results, else a new one from a working pool."""
    succeeded = future.done() and not future.cancelled() and future.exception() is None
    return future if succeeded else pool.submit(chunk)


def _alone(work: Callable[[Item], Result], item: Item) -> Result:
    """Return the result of one item in a process of its own, so that nothing else dies with it."""
    pool = _Pool(work, 1)
    try:
        return pool.submit((item,)).result()[0]
    except BrokenProcessPool:
        lost = getattr(work, "lost", None)
        if lost is None:
            raise PartlyDone(
                "a worker process died twice on the same item", "too little memory is a usual cause"
            ) from None
        result: Result = lost(item)
        return result
    finally:
        pool.close()


# The worker's side. One global per process is how a pool's initializer hands over what every task needs.
_work: Callable[[Any], Any]


def _start(work: Callable[[Any], Any]) -> None:
    global _work  # noqa: PLW0603 - set once, when the process starts
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the parent, which ends its workers
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Exit when the parent does: a killed parent cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ready() -> None:
    """Return once a process has started and holds the work."""


def _do(chunk: tuple[Any, ...]) -> list[Any]:
    return [_work(item) for item in chunk]
