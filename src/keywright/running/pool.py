"""Worker processes of this machine that hold the work, each with one item at a time.

A process that exceeds the time limit, whose item is given up, or that dies by itself, costs its item only: it is killed
with all that it has started, and replaced. Pools of libraries do not do that: those of the standard library finish what
they began; pebble's breaks when a process dies that has no item, leaves alive what a worker has started, and its busy
workers outlive a killed parent.
"""

import atexit
import itertools
import pickle
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from multiprocessing import spawn
from pathlib import Path
from typing import Any, Final, Generic, cast

from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.running.batches import Batches
from keywright.running.child import Child, ChildEnded, make_command

_START_SECONDS: Final = 120.0
"""Seconds in which a process must start and answer its first item; arbitrary, a hundred times the usual."""
_STARTS: Final = 3
"""Attempts to start a process after which items no longer wait for it; arbitrary."""
_PAUSE: Final = 1.0
"""Seconds before another attempt to start a process that did not start; arbitrary."""
AHEAD: Final = 3
"""Items handed out per worker, so that none waits and an endless stream fits in memory; arbitrary."""
_GRACE: Final = 0.5
"""Seconds for which work goes on after it is given up: less than what a new process costs."""
_PATIENCE: Final = 0.05
"""Seconds between two looks at a source that has nothing for the moment; arbitrary."""


class ProcessEnded(Exception):
    """The process that worked on an item ended; ``reason`` is ``died`` where it did so by itself."""

    def __init__(self, reason: str) -> None:
        """Take the reason."""
        super().__init__(reason)
        self.reason = reason


class CannotStart(Exception):
    """No process starts; its cause says why."""


class Task(Future[Result], Generic[Item, Result]):
    """An item, and its result once it is there.

    Attributes:
        child: process that works on it.
        request: number of the request to that process.
        seconds: of work.
    """

    def __init__(self, item: Item) -> None:
        """Take an item that waits."""
        super().__init__()
        self.item = item
        self.child: Child | None = None
        self.request = 0
        self.seconds = 0.0


class Pool(Generic[Item, Result]):
    """Processes that hold the work; items get them in the order in which they were submitted.

    Each process has a thread here, which starts it, hands it its items, and replaces it.

    Args:
        work: function that each process holds; it pickles.
        jobs: number of processes.
        first: items that a process answers before it gets any other, so that models are loaded.
        seconds: time limit for the work on one item; waiting does not count.
        of_script: whether the work may be defined in the script that runs, which each process then imports; messages of
            processes are shown then, else discarded.

    Attributes:
        replaced: number of processes that were replaced, by reason.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        jobs: int,
        *,
        first: Iterable[Item] = (),
        seconds: float | None = None,
        of_script: bool = False,
    ) -> None:
        """Start the processes; this does not wait for them."""
        preparation = None
        if of_script:
            preparation = spawn.get_preparation_data("worker")
            del preparation["authkey"]  # pickles for processes of multiprocessing only
        self._before: tuple[Any, ...] = ((preparation, pickle.dumps(work)), *first)
        self._jobs, self._seconds, self._quiet = jobs, seconds, not of_script
        self.replaced = Counter[str]()
        self._tasks = deque[Task[Item, Result]]()
        self._children, self._ready = set[Child](), set[Child]()
        self._working = set[Task[Item, Result]]()
        self._is_closed = False
        self._failure: CannotStart | None = None
        self._changed = threading.Condition()  # of all that is above
        self._threads = [threading.Thread(target=self._keep_process, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()
        atexit.register(self._end)  # threads cannot be waited for later

    @property
    def ready(self) -> int:
        """Number of processes that work or could work now."""
        return len(self._ready)

    @property
    def busy(self) -> int:
        """Number of processes at work."""
        return len(self._working)

    def wait_until_ready(self) -> None:
        """Return once all processes are ready, or the pool is closed.

        Raises:
            CannotStart: one does not start.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.ready >= self._jobs or self._failure or self._is_closed)
            if self._failure:
                raise self._failure

    def submit(self, item: Item) -> Task[Item, Result]:
        """Hand in an item.

        The task raises the error of the work, or ``ProcessEnded``, or, after some attempts, ``CannotStart``.
        """
        task: Task[Item, Result] = Task(item)
        with self._changed:
            self._tasks.append(task)
            if self._is_closed:
                self._fail_waiting(ProcessEnded("closed"))
            self._changed.notify()
        return task

    def give_up(self, task: Task[Item, Result]) -> None:
        """Drop a task, or end its process, unless the work is nearly done."""
        with self._changed:
            if not task.cancel() and task.child and task in self._working:
                task.child.kill_after(_GRACE, "client gone", task.request)

    def close(self, *, now: bool = False) -> None:
        """End the processes; running items are finished, unless ``now``, and waiting ones raise ``ProcessEnded``."""
        with self._changed:
            self._is_closed = True
            self._fail_waiting(ProcessEnded("closed"))
            at_work = {task.child for task in self._working}
            for child in self._children if now else self._children - at_work:
                child.kill("closed")
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        atexit.unregister(self._end)

    def _end(self) -> None:
        self.close(now=True)

    def _keep_process(self) -> None:
        """Keep one process at work until the pool is closed."""
        while child := self._start_process():
            while task := self._take_task(child):
                self._work_on(task, child)
            self._remove(child)

    def _start_process(self) -> Child | None:
        """Return a process that is ready, however long that takes; None when the pool is closed."""
        for attempt in itertools.count(1):
            child = None
            try:
                child = Child(make_command("keywright.running.child"), own_group=True, quiet=self._quiet)
                with self._changed:
                    self._children.add(child)
                    if self._is_closed:
                        child.kill("closed")
                for value in self._before:
                    _ask(child, value, _START_SECONDS)
            except Exception as error:  # noqa: BLE001 - of any kind; whoever waits hears of it
                if child:
                    self._remove(child)
                with self._changed:
                    if self._is_closed:
                        return None
                    self._failure = CannotStart()
                    self._failure.__cause__ = error
                    if attempt >= _STARTS and not self.ready:
                        self._fail_waiting(self._failure)
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._is_closed, _PAUSE)
            else:
                with self._changed:
                    self._ready.add(child)
                    self._changed.notify_all()
                return child
        return None

    def _take_task(self, child: Child) -> Task[Item, Result] | None:
        """Wait for a task; return None when the pool is closed, or if the process has died meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or self._is_closed)
            if child.is_alive and not self._is_closed:
                return self._tasks.popleft()
            self._changed.notify()  # the task is for another one
            return None

    def _work_on(self, task: Task[Item, Result], child: Child) -> None:
        """Let a process work on a task, unless nobody waits for it any more."""
        task.child, task.request = child, child.request
        with self._changed:
            if not task.set_running_or_notify_cancel():
                return
            self._working.add(task)
        began = time.monotonic()
        try:
            result, error = _ask(child, task.item, self._seconds), None
        except Exception as raised:  # noqa: BLE001 - raised again by the task
            error = raised
        task.seconds = time.monotonic() - began
        if isinstance(error, ChildEnded):
            self._remove(child)
            error = ProcessEnded(child.reason or "died")
        with self._changed:
            self._working.remove(task)
        if error:
            task.set_exception(error)
        else:
            task.set_result(result)

    def _remove(self, child: Child) -> None:
        """End a process."""
        child.end()
        with self._changed:
            self._children.discard(child)
            if child in self._ready:
                self._ready.remove(child)
                if not self._is_closed:
                    self.replaced[child.reason or "died"] += 1

    def _fail_waiting(self, error: Exception) -> None:
        while self._tasks:
            task = self._tasks.popleft()
            if task.set_running_or_notify_cancel():
                task.set_exception(error)


def _ask(child: Child, value: object, seconds: float | None) -> Any:
    """Return what a process makes of a value, or raise what it raised."""
    result, error = pickle.loads(child.ask(pickle.dumps(value), seconds))  # noqa: S301 - written by our own process
    if error is not None:
        raise error
    return result


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
        repeated while no other is worked on, in parts if the work has a method ``parts(item)``, whose results are
        joined. When that dies as well, ``work.lost(part)`` is the result if the work has such a method.
        """
        check_main()
        pool: Pool[Item, Result] = Pool(work, self.jobs, of_script=True)
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
                except ProcessEnded:
                    pool.close()
                    result = _repeat(work, item)
                    pool = Pool(work, self.jobs, of_script=True)
                    waiting = deque(
                        (later, pool.submit(later) if task.exception() else task) for later, task in waiting
                    )
                yield result
        except CannotStart as failure:
            hint = 'scripts need `if __name__ == "__main__":` around their own work; without processes it runs anywhere'
            raise PartlyDone("worker processes cannot start", hint) from failure.__cause__
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
    results: list[Any] = []
    pool: Pool[Item, Result] = Pool(work, 1, of_script=True)
    try:
        for part in (item,) if parts is None else parts(item):
            try:
                results.append(pool.submit(part).result())
            except ProcessEnded:
                lost = getattr(work, "lost", None)
                if lost is None:
                    hint = "too little memory is a usual cause"
                    raise PartlyDone("a worker process died twice on the same item", hint) from None
                results.append(lost(part))
    finally:
        pool.close()
    joined: Any = results[0] if parts is None else tuple(itertools.chain.from_iterable(results))
    return cast("Result", joined)


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
