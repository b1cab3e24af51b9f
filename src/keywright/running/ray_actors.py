"""Workers on Ray, on this machine or on a cluster; a worker or a node that dies costs a repetition, nothing more."""

import itertools
import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.core.errors import BadParameter, PartlyDone, needs_extra
from keywright.core.interfaces import Item, Result

_AHEAD: Final = 3
"""Items for each worker whose results may wait for an earlier one, so that memory is bounded; arbitrary."""
_CPU: Final = 0.9
"""CPUs of a worker at most: with whole ones, two workers on two CPUs wait for each other (ray issue 44687)."""
_STEP: Final = 10_000
"""Parts of a CPU that Ray can count."""
_STORE: Final = 100_000_000
"""Bytes of shared memory of a Ray that is started here: only batches and short results pass through it; arbitrary."""
_TRIES: Final = 2
"""Workers that an item may end before it is taken to be the reason; as for processes on one machine."""
_STARTS: Final = 10
"""Workers that may fail to start, one after the other, before the work is given up; arbitrary."""


@dataclass(frozen=True, slots=True)
class Ray:
    """An executor of actors that hold the work, so that models load once per actor.

    The environment variable ``RAY_ADDRESS`` names the cluster (``auto``: the one of this machine); without it, and
    without a Ray that the program has started, one is started here and ended with the work. Each node needs keywright
    and the files that the work reads and writes.

    Attributes:
        jobs: number of actors; None for one per CPU of the cluster.
    """

    jobs: int | None = None

    def __post_init__(self) -> None:
        """Check the number, and that Ray is installed, before anything is written."""
        if self.jobs is not None and self.jobs < 1:
            raise BadParameter(f"{self.jobs} jobs", "expected a number from 1")
        with needs_extra("scale", "the engine ray needs the package ray"):
            import ray  # noqa: F401, PLC0415 - optional

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items.

        An item whose worker dies is repeated on another. After the second death it is split by ``work.parts(item)``, if
        the work has such a method, and the part that ends a worker again has the result ``work.lost(part)``.

        Raises:
            PartlyDone: workers cannot start, or an item ends them and the work has no method ``lost``.
        """
        import ray  # noqa: PLC0415 - optional

        is_ours = not ray.is_initialized()
        if is_ours:
            _connect(ray)
        try:
            actors = _Actors(ray, work, self.jobs or max(1, int(ray.cluster_resources().get("CPU", 1))))
            try:
                yield from actors.results(iter(items))
            finally:
                actors.close()
        finally:
            if is_ours:
                ray.shutdown()


def _connect(ray: Any) -> None:
    """Connect to the cluster that the environment names, or start Ray on this machine; it reports to nobody."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else a warning about graphics cards
    address = os.environ.get("RAY_ADDRESS")
    ours = {} if address else {"object_store_memory": _STORE, "include_dashboard": False}
    ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **ours)


class _Worker:
    """An actor that holds the work."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def ready(self) -> None:
        """Return once the actor holds the work."""

    def do(self, item: Any) -> Any:
        """Return the result of an item."""
        return self._work(item)


@dataclass(frozen=True, slots=True)
class _Task:
    """An item with its place among the results."""

    place: int
    item: Any


@dataclass(eq=False)
class _Actors:
    """Actors, each with at most one item, so that a death has one possible reason.

    Actors that start, also in the place of dead ones, get items once they are ready: on a cluster that has lost a node
    there may be no place for them, and the others do the work.
    """

    ray: Any
    work: Callable[[Any], Any]
    jobs: int
    _stored: Any = field(init=False)
    _idle: list[Any] = field(default_factory=list)
    _starting: dict[Any, Any] = field(default_factory=dict)
    _running: dict[Any, tuple[Any, _Task]] = field(default_factory=dict)
    _again: deque[_Task] = field(default_factory=deque)
    _deaths: Counter[int] = field(default_factory=Counter)
    _failed_starts: int = 0
    _read: int = 0
    _is_over: bool = False
    _error: Exception | None = None

    def __post_init__(self) -> None:
        """Start the actors."""
        self._stored = self.ray.put(self.work)
        for _ in range(self.jobs):
            self._start()

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """Yield the results of items in their order; an error of their source comes after the results before it."""
        done: dict[int, Any] = {}
        numbered = map(_Task, itertools.count(), items)
        for place in itertools.count():
            while place not in done:
                self._hand_out(numbered, place + self.jobs * _AHEAD)
                if not self._running and not self._again and self._is_over:
                    if self._error:
                        raise self._error
                    return
                done.update(self._finished())
            yield done.pop(place)

    def _hand_out(self, tasks: Iterator[_Task], last: int) -> None:
        """Give each idle actor an item, repeated ones first; read none whose place is behind the last."""
        while self._idle and (self._again or not self._is_over):
            if self._again:
                task = self._again.popleft()
            elif self._read >= last:
                return
            else:
                following = self._next(tasks)
                if following is None:
                    return
                task, self._read = following, following.place + 1
            actor = self._idle.pop()
            self._running[actor.do.remote(task.item)] = (actor, task)

    def _next(self, tasks: Iterator[_Task]) -> _Task | None:
        """Return the next item; None at the end of the source, or at its error, which comes after all results."""
        try:
            return next(tasks)
        except StopIteration:
            self._is_over = True
        except Exception as error:  # noqa: BLE001 - raised after the results before it
            self._error, self._is_over = error, True
        return None

    def _finished(self) -> dict[int, Any]:
        """Wait for an actor; return the results that there are then."""
        (reference, *_), _ = self.ray.wait([*self._running, *self._starting], num_returns=1)
        if reference in self._starting:
            self._started(reference)
            return {}
        actor, task = self._running.pop(reference)
        errors = self.ray.exceptions
        try:
            result = self.ray.get(reference)
        except errors.RayTaskError as error:  # the work has raised it
            raise (error.cause or error) from None
        except (errors.RayActorError, errors.WorkerCrashedError, errors.ObjectLostError):
            self._start()
            self._deaths[task.place] += 1
            if self._deaths[task.place] < _TRIES:
                self._again.append(task)
                return {}
            return {task.place: self._taken_apart(task.item)}
        self._idle.append(actor)
        return {task.place: result}

    def _start(self) -> None:
        share = min(_CPU, self.ray.cluster_resources().get("CPU", 1) / self.jobs)
        counted = max(1, int(share * _STEP)) / _STEP
        actor = self.ray.remote(_Worker).options(num_cpus=counted, max_restarts=0).remote(self._stored)
        self._starting[actor.ready.remote()] = actor

    def _started(self, reference: Any) -> None:
        """Count an actor among those that can work, or start another in its place."""
        actor = self._starting.pop(reference)
        try:
            self.ray.get(reference)
        except self.ray.exceptions.RayError as error:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS:
                hint = "each node needs the same keywright, and the files of the system"
                raise PartlyDone(f"workers on Ray cannot start: {error}", hint) from None
            self._start()
        else:
            self._failed_starts = 0
            self._idle.append(actor)

    def _taken_apart(self, item: Any) -> Any:
        """Return the result of an item that has ended several workers."""
        parts = getattr(self.work, "parts", None)
        if parts is None:
            return self._lost(item)
        return tuple(itertools.chain.from_iterable(map(self._alone, parts(item))))

    def _alone(self, item: Any) -> Any:
        """Return the result of an item from an actor of its own."""
        actor = self.ray.remote(_Worker).options(num_cpus=0, max_restarts=0).remote(self._stored)
        try:
            return self.ray.get(actor.do.remote(item))
        except self.ray.exceptions.RayTaskError as error:
            raise (error.cause or error) from None
        except self.ray.exceptions.RayError:
            return self._lost(item)
        finally:
            self.ray.kill(actor)

    def _lost(self, item: Any) -> Any:
        lost = getattr(self.work, "lost", None)
        if lost is None:
            raise PartlyDone("an item has ended two workers on Ray", "too little memory is a usual cause")
        return lost(item)

    def close(self) -> None:
        """End the actors."""
        busy = [actor for actor, _ in self._running.values()]
        for actor in [*self._idle, *self._starting.values(), *busy]:
            with suppress(Exception):
                self.ray.kill(actor)
