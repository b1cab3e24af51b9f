"""Workers on Ray, on this machine or on a cluster; a worker or a node that dies costs a repetition, nothing more."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from keywright.core.child import ChildEnded
from keywright.core.errors import PartlyDone, needs_extra
from keywright.core.interfaces import Item, Result
from keywright.running.pool import CannotStart, Pool, map_in_order

_CPU: Final = 0.9
"""CPUs of a worker at most: with whole ones, two workers on two CPUs wait for each other (ray issue 44687)."""
_STEP: Final = 10_000  # parts of a CPU that Ray can count
_STORE: Final = 100_000_000
"""Bytes of shared memory of a Ray that is started here: only batches and short results pass through it; arbitrary."""
_TRIES: Final = 2  # workers that an item may end before it is taken to be the reason: nodes of a cluster come and go


@dataclass(frozen=True, slots=True)
class Ray:
    """An executor of actors that hold the work, so that models load once per actor.

    The environment variable ``RAY_ADDRESS`` names the cluster (``auto``: the one of this machine); without it, and
    without a Ray that the program has started, one is started here and ended with the work. Each node needs keywright
    and the files that the work reads and writes. ``jobs``: number of actors; None for one per CPU of the cluster.
    """

    jobs: int | None = None

    def __post_init__(self) -> None:
        """Check that Ray is installed, before anything is written."""
        with needs_extra("scale", "the engine ray needs the package ray"):
            import ray  # noqa: F401, PLC0415 - optional

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items, see ``map_in_order``; an item whose worker dies has another one."""
        import ray  # noqa: PLC0415 - optional

        is_ours = not ray.is_initialized()
        if is_ours:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else a warning about graphics cards
            address = os.environ.get("RAY_ADDRESS")
            ours = {} if address else {"object_store_memory": _STORE, "include_dashboard": False}
            ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **ours)
        try:
            cpus = ray.cluster_resources().get("CPU", 1)
            jobs, held = self.jobs or max(1, int(cpus)), ray.put(work)
            share = max(1, int(min(_CPU, cpus / jobs) * _STEP)) / _STEP
            pool: Pool[Item, Result] = Pool(partial(RayActor, held, share), jobs, (_READY,))
            # The actors of a pool that pauses keep their shares: another one may need none.
            make_other = partial(Pool, partial(RayActor, held, 0), before=(_READY,))
            yield from map_in_order(pool, make_other, work, items, _TRIES)
        except CannotStart as failure:
            hint = "each node needs the same keywright, and the files of the system"
            raise PartlyDone(f"workers on Ray cannot start: {failure.__cause__}", hint) from None
        except ChildEnded:
            hint = "too little memory is a usual cause"
            raise PartlyDone("an item has ended two workers on Ray", hint) from None
        finally:
            if is_ours:
                ray.shutdown()


_READY: Final = object()  # item that a worker answers once it has its place


class _Worker:
    """The work, on a node."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def ready(self) -> None:
        """Return once the worker holds the work."""

    def do(self, item: Any) -> Any:
        """Return the result of an item."""
        return self._work(item)


class RayActor:
    """A worker on a node of the cluster, which may wait for a place there."""

    request, reason, is_alive = 0, "", True

    def __init__(self, work: Any, cpus: float) -> None:
        """Ask for a place; ``work`` is stored in the cluster."""
        import ray  # noqa: PLC0415 - optional

        self._ray: Any = ray
        self._actor = self._ray.remote(_Worker).options(num_cpus=cpus, max_restarts=0).remote(work)

    def work_on(self, item: Any, _seconds: float | None = None) -> Any:
        """Return the result of an item, or raise the error of the work, or ``ChildEnded``."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(self._actor.ready.remote() if item is _READY else self._actor.do.remote(item))
        except errors.RayTaskError as error:  # the work has raised it
            raise (error.cause or error) from None
        except (errors.RayActorError, errors.WorkerCrashedError, errors.ObjectLostError) as error:
            raise ChildEnded(str(error)) from None

    def kill(self, reason: str) -> None:
        """End the worker."""
        self.reason = self.reason or reason
        self.end()

    def end(self) -> None:
        """End the worker."""
        self.is_alive = False
        with suppress(Exception):
            self._ray.kill(self._actor)
