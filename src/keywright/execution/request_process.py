"""One worker process of a service, from its parent's side: started, asked, killed."""

import asyncio
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic

from keywright.core.interfaces import Item, Result
from keywright.execution.own_modules import command_of, same_modules
from keywright.execution.request_child import LENGTH


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
            *command_of("keywright.execution.request_child"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=same_modules(),
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
