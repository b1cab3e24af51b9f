"""Several processes on this machine; a worker that dies costs the one item that killed it, nothing more."""

import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, cast

from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.running.batches import Batches


def check_main() -> None:
    """Check that worker processes can import the running script without starting its work again.

    A program without a file, such as an interpreter or a notebook, needs no guard.

    Raises:
        BadParameter: its source nowhere mentions ``__main__``, so that each worker would run it from the beginning.
    """
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        source = Path(path).read_text("utf-8") if path else None
    except (OSError, UnicodeDecodeError):  # packed or compiled; a worker that cannot start is reported later
        return
    if source is not None and "__main__" not in source:
        hint = (
            'put the work of the script into a function and call it under `if __name__ == "__main__":`, '
            "or leave out jobs and engine"
        )
        raise BadParameter(f"worker processes would run the script {path} again from its beginning", hint)


_STARTS: Final = 3
"""Times that processes are started before they are taken not to start at all; arbitrary."""

_LOOK: Final = 0.01
"""Seconds between two looks at whether all processes have been started; arbitrary."""


class WorkerPool(Generic[Item, Result]):
    """Processes that hold the work; a broken pool returns futures with the error."""

    def __init__(self, work: Callable[[Item], Result], jobs: int) -> None:
        """Start the processes; again, if one of them is killed meanwhile.

        Raises:
            PartlyDone: they cannot start.
        """
        for _ in range(_STARTS):
            try:
                self._start(work, jobs)
            except BrokenProcessPool:
                self.discard()
            else:
                return
        hint = 'scripts need `if __name__ == "__main__":` around their own work; without processes it runs anywhere'
        raise PartlyDone("worker processes cannot start", hint)

    def _start(self, work: Callable[[Item], Result], jobs: int) -> None:
        # The work is in a file: in a pipe it would block this process if the other is killed before it has read all.
        with tempfile.TemporaryDirectory(prefix="keywright-") as folder:
            file = Path(folder, "work")
            file.write_bytes(pickle.dumps(work))
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_start, initargs=(file,))
            with _hold_interrupts():
                # All start now: a pool that breaks while it starts another process waits for that one forever.
                started = [self._pool.submit(_wait_for_all, Path(folder, "all")) for _ in range(jobs)]
            Path(folder, "all").touch()
            try:
                for ready in started:
                    ready.result()
            except KeyboardInterrupt:  # they would wait for a folder that is gone
                self.stop()
                raise

    def submit(self, item: Item) -> "Future[Result]":
        """Hand out an item."""
        try:
            with _hold_interrupts():  # it may start another process
                return self._pool.submit(_work_on, item)
        except BrokenProcessPool as error:
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed

    def again(self, item: Item, future: "Future[Result]") -> "Future[Result]":
        """Return the future of an earlier pool if it holds a result, else a new one for its item."""
        succeeded = future.done() and not future.cancelled() and future.exception() is None
        return future if succeeded else self.submit(item)

    def stop(self) -> None:
        """End the processes in the middle of their items."""
        for process in list((self._pool._processes or {}).values()):  # noqa: SLF001 - public from Python 3.14 only
            process.terminate()

    def discard(self) -> None:
        """End the processes of a broken pool."""
        self.stop()
        self.close()

    def close(self) -> None:
        """End the processes: running items are finished, waiting ones dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back for a moment, so that processes that start inherit this: it belongs to their parent alone."""
    hold = getattr(signal, "pthread_sigmask", None)  # Windows has none
    before = hold(signal.SIG_BLOCK, {signal.SIGINT}) if hold else None
    try:
        yield
    finally:
        if hold:
            hold(signal.SIG_SETMASK, before)


# The worker's side. One global per process is how a pool's initializer hands over what every task needs.
_work: Callable[[Any], Any]


def _start(file: Path) -> None:
    global _work  # noqa: PLW0603 - set once, when the process starts
    _work = pickle.loads(file.read_bytes())  # noqa: S301 - written by the parent, in a folder of its own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the parent, which ends its workers
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Exit when the parent does: a killed parent cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _wait_for_all(mark: Path) -> None:
    """Return once a process holds the work and all have been started: none is idle before, which would do for two."""
    while not mark.exists():
        time.sleep(_LOOK)


def _work_on(item: Any) -> Any:
    return _work(item)


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
                    result = _repeat(work, item)
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


def _repeat(work: Callable[[Item], Result], item: Item) -> Result:
    """Return the result of an item whose worker died, its parts one by one, so that nothing else dies with a part."""
    parts = getattr(work, "parts", None)
    if parts is None:
        return next(_repeat_alone(work, (item,)))
    results: Iterator[Any] = _repeat_alone(work, parts(item))
    joined: Any = tuple(itertools.chain.from_iterable(results))
    return cast("Result", joined)


def _repeat_alone(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
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
