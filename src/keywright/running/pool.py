"""Workers that hold the work, each with one item at a time: processes of this machine, or actors on a cluster.

A worker that exceeds the time limit, whose item is given up, or that dies by itself, costs its item only: it is killed
with all that it has started, and replaced. Pools of libraries do not do that: those of the standard library finish what
they began; pebble's breaks when a process dies that has no item, leaves alive what a worker has started, and its busy
workers outlive a killed parent.
"""

import atexit
import itertools
import math
import pickle
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import spawn
from pathlib import Path
from typing import Any, Final, Generic

from keywright.core.child import Child, ChildEnded, make_command
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Item, Result
from keywright.running.batches import Batches

_START_SECONDS: Final = 120.0
"""Seconds in which a worker must start and answer its first item; arbitrary, a hundred times the usual."""
_STARTS: Final = 3  # attempts to start a worker after which items no longer wait for it; arbitrary
_PAUSE: Final = 1.0  # seconds before another attempt to start a worker that did not start; arbitrary
_GRACE: Final = 0.5  # seconds for which work goes on after it is given up: less than what a new process costs
AHEAD: Final = 3  # items handed out per worker, so that none waits and an endless stream fits in memory; arbitrary
_PATIENCE: Final = 0.05  # seconds between two looks at a source that has nothing for the moment; arbitrary


class CannotStart(Exception):
    """No worker starts; the cause says why."""


class Task(Future[Result], Generic[Item, Result]):
    """An item, and its result once it is there; ``limit``: most seconds of work, ``seconds``: those that it took.

    ``request``: the number of the request to its worker.
    """

    def __init__(self, item: Item, limit: float | None) -> None:
        super().__init__()
        self.item, self.limit = item, limit
        self.worker: Any = None
        self.request = 0
        self.seconds = 0.0


class Pool(Generic[Item, Result]):
    """Workers, and tasks that get them in the order in which they were submitted.

    Each worker has a thread here. ``replaced``: number of workers by reason; ``start``: starts a worker; ``before``:
    values that it works on first, the work and what loads its models; ``seconds``: limit for an item, without waiting.
    """

    def __init__(
        self, start: Callable[[], Any], jobs: int, before: Iterable[object] = (), seconds: float | None = None
    ) -> None:
        self._start_one, self.jobs, self._before, self._seconds = start, jobs, tuple(before), seconds
        self.replaced = Counter[str]()
        self._tasks = deque[Task[Item, Result]]()
        self._working = dict[Any, Task[Item, Result]]()
        self._started, self._ready = set[Any](), set[Any]()
        self._is_paused = self._is_closed = False
        self._failure: CannotStart | None = None
        self._changed = threading.Condition()  # notified when one of the fields above changes
        self._threads = list[threading.Thread]()

    def start(self) -> None:
        """Start the workers; this does not wait for them."""
        self._threads = [threading.Thread(target=self._keep_worker, daemon=True) for _ in range(self.jobs)]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close, now=True)  # later, threads cannot be waited for

    @property
    def ready(self) -> int:
        """Number of workers that work or could work now."""
        return len(self._ready)

    @property
    def busy(self) -> int:
        """Number of workers at work."""
        return len(self._working)

    def wait_until_ready(self) -> None:
        """Return once all workers are ready, or the pool is closed; raise ``CannotStart`` if one does not start."""
        with self._changed:
            self._changed.wait_for(lambda: self.ready >= self.jobs or self._failure or self._is_closed)
            if self._failure:
                raise self._failure

    def submit(self, item: Item, *, at_once: bool = False, most_seconds: float = math.inf) -> Task[Item, Result]:
        """Hand in an item, perhaps before those that wait; its result raises ``ChildEnded`` or ``CannotStart``."""
        limit = min(most_seconds, self._seconds or math.inf)
        task: Task[Item, Result] = Task(item, None if limit == math.inf else limit)
        with self._changed:
            self._tasks.insert(0 if at_once else len(self._tasks), task)
            if self._is_closed:
                self._fail_waiting(ChildEnded("closed"))
            self._changed.notify_all()
        return task

    def give_up(self, task: Task[Item, Result]) -> None:
        """Drop a task, or end its worker, unless the work is nearly done."""
        with self._changed:
            if not task.cancel() and self._working.get(task.worker) is task:
                task.worker.kill_after(_GRACE, "client gone", task.request)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Wait until nothing is worked on, and hand out nothing while the block runs."""
        with self._changed:
            self._is_paused = True
            self._changed.wait_for(lambda: not self._working)
        try:
            yield
        finally:
            with self._changed:
                self._is_paused = False
                self._changed.notify_all()

    def close(self, *, now: bool = False) -> None:
        """End the workers; what is worked on is finished, unless ``now``, and what waits raises ``ChildEnded``."""
        with self._changed:
            self._is_closed = True
            self._fail_waiting(ChildEnded("closed"))
            for worker in self._started - (set() if now else self._working.keys()):
                worker.kill("closed")
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        atexit.unregister(self.close)

    def _keep_worker(self) -> None:
        """Keep one worker at work until the pool is closed."""
        while worker := self._start_worker():
            while task := self._take_task(worker):
                self._work_on(task, worker)
            self._remove(worker)

    def _start_worker(self) -> Any:
        """Return a worker that is ready, however long that takes; None when the pool is closed."""
        attempt = 0
        while not self._is_closed:
            attempt, worker = attempt + 1, None
            try:
                worker = self._start_one()
                with self._changed:
                    self._started.add(worker)
                    if self._is_closed:
                        worker.kill("closed")
                for value in self._before:
                    worker.work_on(value, _START_SECONDS)
            except Exception as error:  # noqa: BLE001 - of any kind; whoever waits hears of it
                if worker:
                    self._remove(worker)
                with self._changed:
                    self._failure = CannotStart()
                    self._failure.__cause__ = error
                    if attempt >= _STARTS and not self._ready:
                        self._fail_waiting(self._failure)
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._is_closed, _PAUSE)
            else:
                with self._changed:
                    self._ready.add(worker)
                    self._changed.notify_all()
                return worker
        return None

    def _take_task(self, worker: Any) -> Task[Item, Result] | None:
        """Wait for a task; return None when the pool is closed, or if the worker has died meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: (self._tasks and not self._is_paused) or self._is_closed)
            if self._is_closed or not worker.is_alive:
                return None
            task = self._tasks.popleft()
            task.worker, task.request = worker, worker.request
            self._working[worker] = task
            return task

    def _work_on(self, task: Task[Item, Result], worker: Any) -> None:
        """Let a worker work on a task, unless nobody waits for it any more."""
        result: Any = None
        error: Exception | None = None
        is_wanted, began = task.set_running_or_notify_cancel(), time.monotonic()
        try:
            result = worker.work_on(task.item, task.limit) if is_wanted else None
        except ChildEnded:
            self._remove(worker)
            error = ChildEnded(worker.reason or "died")
        except Exception as raised:  # noqa: BLE001 - raised again by the task
            error = raised
        task.seconds = time.monotonic() - began
        with self._changed:
            del self._working[worker]
            self._changed.notify_all()
        if is_wanted and error:
            task.set_exception(error)
        elif is_wanted:
            task.set_result(result)

    def _remove(self, worker: Any) -> None:
        worker.end()
        with self._changed:
            self._started.discard(worker)
            if worker in self._ready:
                self._ready.remove(worker)
                if not self._is_closed:
                    self.replaced[worker.reason or "died"] += 1

    def _fail_waiting(self, error: Exception) -> None:
        while self._tasks:
            task = self._tasks.popleft()
            if task.set_running_or_notify_cancel():
                task.set_exception(error)


def map_in_order(
    pool: Pool[Item, Result],
    make_other: Callable[[int], Pool[Any, Any]],
    work: Callable[[Item], Result],
    items: Iterable[Item],
    tries: int = 1,
) -> Iterator[Result]:
    """Yield the results of items in their order; an error of their source comes after the results before it.

    Results do not wait for a source that is slow, where ``items`` are ``Batches``. An item that has ended so many
    workers as ``tries`` is repeated while nothing else is worked on, in parts if the work has a method ``parts(item)``,
    whose results are joined. When that ends a worker as well, ``work.lost(part)`` is the result if the work has such a
    method; else ``ChildEnded`` is raised. ``pool`` has workers that hold the work; ``make_other`` returns another one.
    """
    source, waiting = iter(items), deque[Task[Item, Result]]()
    error: Exception | None = None
    is_over = False
    pool.start()
    try:
        while True:
            while not is_over and len(waiting) < pool.jobs * AHEAD and _reads_on(source, waiting):
                try:
                    waiting.append(pool.submit(next(source)))
                except StopIteration:
                    is_over = True
                except Exception as broken:  # noqa: BLE001 - raised after the results before it
                    error, is_over = broken, True
            if not waiting:
                break
            task = waiting.popleft()
            for _ in range(1, tries):
                if isinstance(task.exception(), ChildEnded):
                    task = pool.submit(task.item, at_once=True)
            if isinstance(task.exception(), ChildEnded):
                with pool.pause():
                    result = _repeat_alone(make_other(1), work, task.item)
            else:
                result = task.result()
            yield result
    finally:
        pool.close()
    if error:
        raise error


def _reads_on(source: Iterator[Item], waiting: "deque[Task[Item, Result]]") -> bool:
    """Return whether to read another item now: not while the source has none and the first result comes."""
    while waiting and isinstance(source, Batches) and not source.is_ready():
        if wait((waiting[0],), _PATIENCE).done:
            return False
        if not source.is_asked:
            break
    return True


def _repeat_alone(pool: Pool[Any, Any], work: Any, item: Any) -> Any:
    """Return the result of an item from a pool for it, its parts one by one, so that each can cost itself only."""
    has_parts, results = hasattr(work, "parts"), []
    pool.start()
    try:
        for part in work.parts(item) if has_parts else (item,):
            task = pool.submit(part)
            is_lost = isinstance(task.exception(), ChildEnded) and hasattr(work, "lost")
            results.append(work.lost(part) if is_lost else task.result())
    finally:
        pool.close()
    return tuple(itertools.chain.from_iterable(results)) if has_parts else results[0]


class WorkProcess(Child):
    """A process of this machine that holds the work, which is the first value that it works on: see ``hold_work``."""

    def __init__(self, *, shows_messages: bool = False) -> None:
        super().__init__(make_command("keywright.core.child"), own_group=True, quiet=not shows_messages)

    def work_on(self, value: object, seconds: float | None = None) -> Any:
        """Return the result of the work on a value, or raise its error, or ``ChildEnded``."""
        result, error = pickle.loads(self.ask(pickle.dumps(value), seconds))  # noqa: S301 - of our own process
        if error is not None:
            raise error
        return result


def hold_work(work: Callable[[Any], Any], *, of_script: bool = False) -> object:
    """Return the value that gives the work to a process; ``of_script``: it may be defined in the script that runs."""
    preparation = spawn.get_preparation_data("worker") if of_script else {}
    preparation.pop("authkey", None)  # pickles for processes of multiprocessing only
    return preparation, pickle.dumps(work)


@dataclass(frozen=True, slots=True)
class Processes:
    """An executor of ``jobs`` fresh processes; the work is sent to each once, and all must pickle."""

    jobs: int

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items, see ``map_in_order``; a worker that dies costs one document."""
        _check_main()
        before = (hold_work(work, of_script=True),)
        make_pool = partial(Pool, partial(WorkProcess, shows_messages=True), before=before)
        try:
            yield from map_in_order(make_pool(self.jobs), make_pool, work, items)
        except CannotStart as failure:
            hint = 'scripts need `if __name__ == "__main__":` around their own work; without processes it runs anywhere'
            raise PartlyDone("worker processes cannot start", hint) from failure.__cause__
        except ChildEnded:
            hint = "too little memory is a usual cause"
            raise PartlyDone("a worker process died twice on the same item", hint) from None


def _check_main() -> None:
    """Check that processes can import the running script: without ``__main__`` its work would start again."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    source = "__main__"
    with suppress(OSError, UnicodeDecodeError):  # packed or compiled; a worker that cannot start is reported later
        source = Path(path).read_text("utf-8") if path else source
    if "__main__" not in source:
        hint = 'put the work of the script into a function and call it under `if __name__ == "__main__":`'
        hint = f"{hint}, or leave out jobs and engine"
        raise BadParameter(f"worker processes would run the script {path} again from its beginning", hint)
