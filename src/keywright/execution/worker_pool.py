"""Worker processes that hold the work on items, and what they do."""

import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Generic

from keywright.core.errors import PartlyDone
from keywright.core.interfaces import Item, Result

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
            with _interrupts_wait():
                # All start now: a pool that breaks while it starts another process waits for that one forever.
                started = [self._pool.submit(_ready, Path(folder, "all")) for _ in range(jobs)]
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
            with _interrupts_wait():  # it may start another process
                return self._pool.submit(_do, item)
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
def _interrupts_wait() -> Iterator[None]:
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


def _ready(mark: Path) -> None:
    """Return once a process holds the work and all have been started: none is idle before, which would do for two."""
    while not mark.exists():
        time.sleep(_LOOK)


def _do(item: Any) -> Any:
    return _work(item)
