"""A pool of worker processes for a service: requests wait in a short queue, and one that hangs costs only itself."""

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Generic

from keywright.core.child import ChildEnded
from keywright.core.errors import Busy, KeywrightError, TookTooLong, Unavailable
from keywright.core.interfaces import Item, Result
from keywright.running.pool import CannotStart, Pool, WorkProcess, hold_work

_ATTEMPTS: Final = 2
"""Processes that are tried for an item, where they die by themselves; one document may be what kills them."""
_LONGEST_WAIT: Final = 60  # most seconds that a client is asked to wait; arbitrary


class RequestPool(Generic[Item, Result]):
    """Worker processes that answer requests in order, ``first`` once to load models; ``queue``: those that wait."""

    def __init__(self, work: Callable[[Item], Result], first: Item, *, jobs: int, queue: int, seconds: float) -> None:
        self.jobs, self.queue, self.seconds = jobs, queue, seconds
        self.admitted = 0
        self.stopping = False
        self.processes: Pool[Item, Result] = Pool(WorkProcess, jobs, (hold_work(_Contained(work)), first), seconds)
        self._answered = asyncio.Event()
        self._usual_seconds = 0.0

    async def start(self) -> None:
        """Start all processes and wait until each has answered its first item; raise the error of a first item."""
        self.processes.start()
        try:
            await asyncio.to_thread(self.processes.wait_until_ready)
        except BaseException as error:
            await self.close()
            if isinstance(error, CannotStart):
                raise _explain_start(error) from error
            raise

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place for requests, one of processes and queue; raises ``Unavailable`` or ``Busy``."""
        if self.stopping:
            raise Unavailable("the service is stopping", "send the request again in a moment, or to another instance")
        if self.admitted >= self.jobs + self.queue:
            busy = Busy(f"{self.admitted} requests are waiting or in work", "send the request again after a while")
            seconds = math.ceil(self._usual_seconds * self.admitted / self.jobs)  # until those here are probably done
            busy.seconds = min(max(1, seconds), _LONGEST_WAIT)
            raise busy
        self.admitted += 1
        try:
            yield
        finally:
            self.admitted -= 1
            if not self.admitted:
                self._answered.set()

    async def ask(self, item: Item) -> Result:
        """Return the result of an item, whose work ends if this is cancelled; or ``TookTooLong``, ``Unavailable``."""
        for _ in range(_ATTEMPTS):
            task = self.processes.submit(item)
            try:
                return await asyncio.wrap_future(task)
            except asyncio.CancelledError:
                self.processes.give_up(task)
                raise
            except CannotStart as error:
                reason = _explain_start(error)
                raise Unavailable(f"no worker process starts: {reason.message}", reason.hint) from error
            except ChildEnded as error:
                if error.reason == "closed":
                    hint = "send the request again, perhaps to another instance"
                    raise Unavailable("the service has stopped", hint) from None
                if error.reason == "time limit":
                    hint = "shorten the document, or raise the limit with `keywright serve --timeout SECONDS`"
                    message = f"the work on the document was ended after {self.seconds:g} seconds"
                    raise TookTooLong(message, hint) from None
            finally:
                # A running mean; its weight is arbitrary.
                self._usual_seconds += (task.seconds - self._usual_seconds) / 16
        hint = "too little memory is a usual cause; other requests are not affected"
        raise Unavailable("the process that worked on the document died, and a second one as well", hint)

    async def stop(self, seconds: float) -> int:
        """Admit no more requests, and wait until those here are answered; return how many are not in time."""
        self.stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.admitted:
                    self._answered.clear()
                    await self._answered.wait()
        return self.admitted

    async def close(self) -> None:
        """End all processes, those at work as well."""
        self.stopping = True
        await asyncio.to_thread(self.processes.close, now=True)


@dataclass(frozen=True, slots=True)
class _Contained(Generic[Item, Result]):
    """Work that raises errors of keywright only, whose messages do not quote a document."""

    work: Callable[[Item], Result]

    def __call__(self, item: Item) -> Result:
        try:
            return self.work(item)
        except KeywrightError:
            raise
        except Exception as error:  # noqa: BLE001 - of any kind, for one item only
            hint = "please report it, if possible with the document"
            raise KeywrightError(f"a defect of keywright: {type(error).__name__}", hint) from None


def _explain_start(error: CannotStart) -> KeywrightError:
    """Return the error of the work on the first item, or of a process that died."""
    if isinstance(error.__cause__, KeywrightError):
        return error.__cause__
    return Unavailable("a worker process does not start", "see whether memory is short")
