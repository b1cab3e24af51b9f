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

AHEAD: Final = 3
"""Chunks handed out for each worker: enough that none waits, few enough that an endless stream fits in memory."""


@dataclass(frozen=True, slots=True)
class Processes:
    """Applies the work in ``jobs`` fresh processes; the work travels to each once, so its models load once a worker.

    Work, items and results must pickle. A script that uses this keeps its own work under
    ``if __name__ == "__main__":``, because fresh processes import it.

    Attributes:
        jobs: number of processes, at least 1.
        chunk: items that travel together.

    Raises:
        BadParameter: fewer than one process, or one item.
    """

    jobs: int
    chunk: int = 4

    def __post_init__(self) -> None:
        """Check the numbers where they are given, not in the middle of a run."""
        if self.jobs < 1 or self.chunk < 1:
            raise BadParameter(f"{self.jobs} processes with {self.chunk} items at a time", "both must be at least 1")

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Results in the order of the items.

        An item whose worker dies is tried once more in a process of its own. When that dies too, ``work.lost(item)``
        is its result if the work has such a method.

        Raises:
            PartlyDone: the processes cannot start, or one died and the work has no ``lost``.
        """
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
                    waiting = deque((later, _again(pool, later, given)) for later, given in waiting)
                yield from results
        finally:
            pool.close()


class _Pool(Generic[Item, Result]):
    """Processes that hold the work; a pool that broke answers with futures that say so."""

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
        """End the processes; what is under way is finished, what waits is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _again(pool: _Pool[Item, Result], chunk: tuple[Item, ...], given: "Future[list[Result]]") -> "Future[list[Result]]":
    """The same future if it holds results already, else a new one from a pool that works."""
    held = given.done() and not given.cancelled() and given.exception() is None
    return given if held else pool.submit(chunk)


def _alone(work: Callable[[Item], Result], item: Item) -> Result:
    """One item in a process of its own, so that nothing else dies with it."""
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
    """A parent that was killed cannot end its workers: they wait for it and go."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ready() -> None:
    """Answers once a process has started and taken over the work."""


def _do(chunk: tuple[Any, ...]) -> list[Any]:
    return [_work(item) for item in chunk]
