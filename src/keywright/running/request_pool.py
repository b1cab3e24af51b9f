"""A pool of worker processes for a service: requests wait in a short queue, and one that hangs costs only itself.

A worker that exceeds the time limit, or whose client has gone, is killed and replaced in the background. The pools of
the standard library cannot do that: their processes finish what they began.
"""

import asyncio
import itertools
import math
import os
import pickle
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Generic

from keywright.core.errors import Busy, KeywrightError, TookTooLong, Unavailable
from keywright.core.interfaces import Item, Result
from keywright.running.own_modules import make_command, share_modules
from keywright.running.request_child import LENGTH


class ProcessDied(Exception):
    """A process that ended by itself in the middle of an item."""


class RequestProcess(Generic[Item, Result]):
    """A process that holds the work and answers one item at a time."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        """Take a process that ``started`` has started."""
        self._child: Any = child  # its pipes are there
        self._expected: int | None = None  # bytes of the answer that has begun to arrive

    @classmethod
    async def started(cls, work: Callable[[Item], Result]) -> "RequestProcess[Item, Result]":
        """Start a process in a group of its own, which takes the processes that it starts with it when it is killed."""
        child = await asyncio.create_subprocess_exec(
            *make_command("keywright.running.request_child"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=share_modules(),
            start_new_session=True,
        )
        process = cls(child)
        process._send(work)
        return process

    async def ask(self, item: Item) -> Result:
        """Return the result of an item.

        Raises:
            ProcessDied: the process ended.
            KeywrightError: the work raised it.
        """
        self._send(item)
        return await self.answer()

    async def answer(self) -> Result:
        """Return the result of the item that was sent; may be cancelled and called again.

        Raises:
            ProcessDied, KeywrightError: as for ``ask``.
        """
        output = self._child.stdout
        try:
            if self._expected is None:
                await self._child.stdin.drain()
                self._expected = LENGTH.unpack(await output.readexactly(LENGTH.size))[0]
            answer = await output.readexactly(self._expected)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ProcessDied from error
        self._expected = None
        result: Result
        result, failure = pickle.loads(answer)  # noqa: S301 - written by our own process
        if failure is not None:
            raise failure
        return result

    @property
    def is_alive(self) -> bool:
        """True while the process runs."""
        return self._child.returncode is None

    @property
    def pid(self) -> int:
        """Number of the process."""
        return int(self._child.pid)

    async def kill(self) -> None:
        """End the process, and all that it has started, in the middle of what they do."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                self._child.kill()
        await self._child.wait()
        self._child.stdin.close()
        with suppress(ConnectionError):
            await self._child.stdin.wait_closed()
        with suppress(RuntimeError):  # whoever still waits for the answer reads the end
            await self._child.stdout.read()

    def _send(self, value: object) -> None:
        frame = pickle.dumps(value)
        self._child.stdin.write(LENGTH.pack(len(frame)) + frame)


_START_SECONDS: Final = 120.0
"""Seconds in which a process must start and answer its first item; arbitrary, a hundred times the usual."""
_GRACE: Final = 0.5
"""Seconds for which work goes on after its client has gone: less than what a new process costs."""
_ATTEMPTS: Final = 2
"""Processes that are tried for an item, where they die by themselves; one document may be what kills them."""
_STARTS: Final = 3
"""Attempts to start a process after which requests no longer wait for it; arbitrary."""
_PAUSE: Final = 1.0
"""Seconds before another attempt to start a process that did not start; arbitrary."""
_LONGEST_WAIT: Final = 60
"""Most seconds that a client is asked to wait; arbitrary."""


class RequestPool(Generic[Item, Result]):
    """Worker processes that answer requests in the order of their arrival.

    Args:
        work: function that each process holds; it pickles.
        first: item that a process answers before it gets any other, so that models are loaded.
        jobs: number of processes.
        queue: requests that may wait beyond those in work.
        seconds: time limit for the work on one item; waiting does not count.
    """

    def __init__(self, work: Callable[[Item], Result], first: Item, *, jobs: int, queue: int, seconds: float) -> None:
        """Start nothing yet."""
        self._work, self._first = work, first
        self.jobs, self.queue, self.seconds = jobs, queue, seconds
        self.admitted = 0
        self._answered = asyncio.Event()
        self.stopping = False
        self._closed = False
        self.replaced: Counter[str] = Counter()
        self._usual_seconds = 0.0
        self._idle: deque[RequestProcess[Item, Result]] = deque()
        self._busy: set[RequestProcess[Item, Result]] = set()
        self._waiting: deque[asyncio.Future[RequestProcess[Item, Result]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._kills: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start all processes and wait until each has answered its first item.

        Raises:
            KeywrightError: the work raised it for the first item.
            Unavailable: a process does not start.
        """
        starts = [asyncio.ensure_future(self._started()) for _ in range(self.jobs)]
        try:
            for process in await asyncio.gather(*starts):
                self._release(process)
        except BaseException:
            for start in starts:
                start.cancel()
            results = await asyncio.gather(*starts, return_exceptions=True)
            for result in results:
                if isinstance(result, RequestProcess):
                    self._end(result)
            await asyncio.gather(*self._kills)
            raise

    @property
    def ready(self) -> int:
        """Number of processes that work or could work now."""
        return len(self._idle) + len(self._busy)

    @property
    def busy(self) -> int:
        """Number of processes at work."""
        return len(self._busy)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one of the places for requests: as many as there are processes, and those of the queue.

        Raises:
            Unavailable: the pool stops.
            Busy: all are taken.
        """
        if self.stopping:
            raise Unavailable("the service is stopping", "send the request again in a moment, or to another instance")
        if self.admitted >= self.jobs + self.queue:
            busy = Busy(f"{self.admitted} requests are waiting or in work", "send the request again after a while")
            busy.seconds = self.expected_wait
            raise busy
        self.admitted += 1
        try:
            yield
        finally:
            self.admitted -= 1
            if not self.admitted:
                self._answered.set()

    @property
    def expected_wait(self) -> int:
        """Whole seconds until the requests here are probably done, from 1."""
        return min(max(1, math.ceil(self._usual_seconds * self.admitted / self.jobs)), _LONGEST_WAIT)

    async def ask(self, item: Item) -> Result:
        """Return the result of an item; if this is cancelled, the work on it ends.

        Raises:
            TookTooLong: the time limit is over.
            Unavailable: the process died by itself, and another one as well; or none can be started.
            KeywrightError: the work raised it.
        """
        for _ in range(_ATTEMPTS):
            process = await self._free_process()
            began = time.monotonic()
            try:
                return await self._asked(process, item)
            except ProcessDied:
                continue
            finally:
                taken = time.monotonic() - began
                self._usual_seconds += (taken - self._usual_seconds) / 16  # a running mean; its weight is arbitrary
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
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._closed = True
        self._fail_waiting(_service_stopped())
        for process in (*self._idle, *self._busy):
            self._end(process)
        self._idle.clear()
        self._busy.clear()
        await asyncio.gather(*self._kills)

    async def _asked(self, process: RequestProcess[Item, Result], item: Item) -> Result:
        """Return the result of an item from a process, which is then free, or replaced."""
        try:
            async with asyncio.timeout(self.seconds):
                result = await process.ask(item)
        except asyncio.CancelledError:
            self._run(self._left_alone(process))
            raise
        except TimeoutError:
            self._replace(process, "time limit")
            hint = "shorten the document, or raise the limit with `keywright serve --timeout SECONDS`"
            raise TookTooLong(f"the work on the document was ended after {self.seconds:g} seconds", hint) from None
        except ProcessDied:
            self._replace(process, "died")
            raise
        except BaseException:
            self._release(process)
            raise
        self._release(process)
        return result

    async def _left_alone(self, process: RequestProcess[Item, Result]) -> None:
        """Let a process finish what nobody waits for, for a moment; then replace it."""
        try:
            async with asyncio.timeout(_GRACE):
                await process.answer()
        except (TimeoutError, ProcessDied):
            self._replace(process, "client gone")
            return
        except KeywrightError:
            pass
        self._release(process)

    async def _free_process(self) -> RequestProcess[Item, Result]:
        """Return a process that is free, after those who wait already."""
        if self._closed:
            raise _service_stopped()
        while self._idle and not self._idle[0].is_alive:  # it died between two requests
            self._replace(self._idle.popleft(), "died")
        if self._idle:
            process = self._idle.popleft()
        else:
            turn: asyncio.Future[RequestProcess[Item, Result]] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                process = await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled() and not turn.exception():  # it came in the same moment
                    self._busy.discard(turn.result())
                    self._release(turn.result())
                raise
        self._busy.add(process)
        return process

    def _release(self, process: RequestProcess[Item, Result]) -> None:
        """Give a process to the request that has waited longest."""
        self._busy.discard(process)
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy.add(process)
                turn.set_result(process)
                return
        self._idle.append(process)

    def _replace(self, process: RequestProcess[Item, Result], reason: str) -> None:
        """Kill a process and start another one, in the background."""
        self.replaced[reason] += 1
        self._busy.discard(process)
        self._end(process)
        if not self._closed and (not self.stopping or self.admitted):
            self._run(self._add())

    async def _add(self) -> None:
        """Start a process, for as long as it takes; requests fail while there is none at all."""
        for attempt in itertools.count(1):
            try:
                self._release(await self._started())
            except KeywrightError as error:
                if attempt >= _STARTS and not self.ready:
                    self._fail_waiting(Unavailable(f"no worker process starts: {error.message}", error.hint))
                await asyncio.sleep(_PAUSE)
            else:
                return

    async def _started(self) -> RequestProcess[Item, Result]:
        """Return a new process that has answered its first item."""
        start: asyncio.Future[RequestProcess[Item, Result]] = asyncio.ensure_future(RequestProcess.started(self._work))
        try:
            process = await asyncio.shield(start)
        except asyncio.CancelledError:  # in the middle of a start there is a process that nobody would end
            self._end(await start)
            raise
        try:
            async with asyncio.timeout(_START_SECONDS):
                await process.ask(self._first)
        except BaseException as error:
            await asyncio.shield(self._end(process))
            if isinstance(error, ProcessDied | TimeoutError):
                raise Unavailable("a worker process does not start", "see whether memory is short") from error
            raise
        return process

    def _fail_waiting(self, error: KeywrightError) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(error)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background, until the pool closes."""
        _hold_task(asyncio.ensure_future(work), self._tasks)

    def _end(self, process: RequestProcess[Item, Result]) -> asyncio.Task[None]:
        """End a process in the background; the pool does not close before that is done."""
        return _hold_task(asyncio.ensure_future(process.kill()), self._kills)


def _hold_task(task: asyncio.Task[None], among: set[asyncio.Task[None]]) -> asyncio.Task[None]:
    """Return a task that a set holds until it is done: the loop itself may forget it."""
    among.add(task)
    task.add_done_callback(among.discard)
    return task


def _service_stopped() -> Unavailable:
    return Unavailable("the service has stopped", "send the request again, perhaps to another instance")
