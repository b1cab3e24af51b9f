"""A pool of worker processes for a service: requests wait in a short queue, and one that hangs costs only itself."""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from keywright.core.child import ChildEnded
from keywright.core.errors import Busy, KeywrightError, TookTooLong, Unavailable
from keywright.core.interfaces import Item, Result
from keywright.running.pool import CannotStart, Pool, WorkProcess, hold_work

_ATTEMPTS: Final = 2
"""Processes that are tried for an item, where they die by themselves; one document may be what kills them."""
_LONGEST_WAIT: Final = 60  # most seconds that a client is asked to wait; arbitrary
_MOST_TOGETHER: Final = 8  # parts that are worked on together: with more, each costs hardly less
_QUICK: Final = 0.25  # seconds that parts together may usually take, which the others wait; arbitrary
_QUICK_LIMIT: Final = 20 * _QUICK  # seconds after which each is worked on alone; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A part of an item, and its result, or error, once it is there."""

    part: Any
    result: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class RequestPool(Generic[Item, Result]):
    """Worker processes that answer requests in order, ``first`` once to load models; ``queue``: those that wait.

    ``join`` returns the item of several parts, whose result is that of each part, or its error.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        first: Item,
        join: Callable[[tuple[Any, ...]], Item],
        *,
        jobs: int,
        queue: int,
        seconds: float,
    ) -> None:
        self.jobs, self.queue, self.seconds = jobs, queue, seconds
        self.admitted = 0
        self._join = join
        self._parts = deque[_Waiting]()
        self._turns = 0  # number of turns that processes have now
        self._joint = set[asyncio.Task[None]]()
        self.most_parts = jobs * _MOST_TOGETHER  # parts in work at a time
        self.stopping = False
        self.processes: Pool[Item, Result] = Pool(WorkProcess, jobs, (hold_work(_Contained(work)), first), seconds)
        self._answered = asyncio.Event()
        # Parts count as slow until many were quick.
        self._usual_seconds, self._usual_part_seconds = 0.0, _QUICK

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

    async def ask(self, item: Item, *, parts: int = 0) -> Result:
        """Return the result of an item, whose work ends if this is cancelled; or ``TookTooLong``, ``Unavailable``."""
        for _ in range(_ATTEMPTS):
            task = self.processes.submit(item, most_seconds=_QUICK_LIMIT if parts > 1 else math.inf)
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
                if parts > 1:
                    break
            finally:
                # Running means; their weight is arbitrary.
                seconds = task.seconds / max(1, parts)
                self._usual_seconds += (seconds - self._usual_seconds) / 16
                if parts:
                    self._usual_part_seconds += (seconds - self._usual_part_seconds) / 16
        hint = "too little memory is a usual cause; other requests are not affected"
        raise Unavailable("the process that worked on the document died, and a second one as well", hint)

    async def ask_part(self, part: Any, *, is_short: bool) -> Any:
        """Return the result of a part, as ``ask`` does; short ones are worked on together with others that wait.

        A text costs half as much beside others. Where their work ends badly, each is worked on again, alone.
        """
        if is_short and (self._parts or self._turns >= self.jobs):
            waiting = _Waiting(part)
            self._parts.append(waiting)
            return await waiting.result
        with self._turn():
            results: Any = await self.ask(self._join((part,)), parts=int(is_short))
        if isinstance(results[0], KeywrightError):
            raise results[0]
        return results[0]

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Count parts that are worked on, of which each process has one turn, and then begin with those that wait."""
        self._turns += 1
        try:
            yield
        finally:
            self._turns -= 1
            if self._parts:
                joint = asyncio.ensure_future(self._answer_next())
                self._joint.add(joint)  # the event loop alone does not hold it
                joint.add_done_callback(self._joint.discard)

    async def _answer_next(self) -> None:
        """Answer the parts that have waited longest, as many as are done soon."""
        quick = int(_QUICK / self._usual_part_seconds)
        share = max(1, min(_MOST_TOGETHER, quick, math.ceil(len(self._parts) / self.jobs)))
        together = [self._parts.popleft() for _ in range(min(share, len(self._parts)))]
        with self._turn():
            if together := [each for each in together if not each.result.done()]:
                await self._answer(together)

    async def _answer(self, together: Sequence[_Waiting]) -> None:
        """Answer some parts, unless all whom they are for go; where that fails, one by one."""

        def end_if_alone(_gone: object) -> None:
            if all(each.result.done() for each in together):
                asked.cancel()

        asked = asyncio.ensure_future(self.ask(self._join(tuple(each.part for each in together)), parts=len(together)))
        for each in together:
            each.result.add_done_callback(end_if_alone)
        await asyncio.wait({asked})
        error = None if asked.cancelled() else asked.exception()
        if error and len(together) > 1:
            for each in together:
                if not each.result.done():
                    await self._answer([each])
            return
        results: Any = () if asked.cancelled() else (error,) if error else asked.result()
        for each, result in zip(together, results, strict=False):
            if each.result.done():
                continue
            if isinstance(result, BaseException):
                each.result.set_exception(result)
            else:
                each.result.set_result(result)

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
