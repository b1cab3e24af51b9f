"""One child process of this program, from both sides, which ends with its input; the program of those with work."""

import math
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, Final

from keywright.core.errors import KeywrightError

LENGTH: Final = struct.Struct(">Q")  # Length of a frame in bytes, before it


class ChildEnded(Exception):
    """A child ended before it had answered; ``reason`` says why it was killed, if it was."""

    @property
    def reason(self) -> str:
        """Why it was killed; empty if it ended by itself."""
        return str(self)


def make_command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module; nothing is imported from the current folder, which may be a stranger's."""
    return sys.executable, "-P", "-m", module


class Child:
    """A process that answers one ``request`` at a time; threads may share it only to kill it, for a ``reason``."""

    def __init__(self, command: Sequence[str], *, own_group: bool = False, quiet: bool = True) -> None:
        """Start the process, perhaps in a group of its own, which is killed with it and which Ctrl-C does not reach."""
        self.reason, self.request = "", 0
        self._lock = threading.Lock()
        self._deadline = self._next_look = math.inf  # when the request must be done, and when the timer looks
        self._late, self._timer = "", threading.Timer(0, self._check_deadline)
        self._has_group = own_group and os.name == "posix"
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603 - this program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=own_group,
        )

    def ask(self, request: bytes, seconds: float | None = None) -> bytes:
        """Return the answer to a request; raise ``ChildEnded`` if the process ends, or is killed after ``seconds``."""
        if seconds:
            self.kill_after(seconds, "time limit", self.request)
        pipes: Any = self._process
        answer = None
        try:
            with suppress(OSError):
                write_frame(pipes.stdin, request)
                answer = read_frame(pipes.stdout)
        finally:
            with self._lock:
                self.request += 1
                self._deadline = math.inf
        if answer is None or self.reason:  # a limit may be over in the moment of the answer
            raise ChildEnded(self.reason)
        return answer

    def kill_after(self, seconds: float, reason: str, request: int) -> None:
        """Kill the process in so many seconds, if it still works on a request then."""
        with self._lock:
            deadline = time.monotonic() + seconds
            if request == self.request and deadline < self._deadline:
                self._deadline, self._late = deadline, reason
                self._watch()

    def _watch(self) -> None:
        """Have a timer look at the deadline; it serves later requests as well, because each timer is a thread."""
        if self._deadline < self._next_look:
            self._timer.cancel()
            self._next_look = self._deadline
            self._timer = threading.Timer(self._deadline - time.monotonic(), self._check_deadline)
            self._timer.daemon = True
            self._timer.start()

    def _check_deadline(self) -> None:
        with self._lock:  # a request that is answered in this moment is not the next one
            self._next_look = math.inf
            if self._deadline <= time.monotonic():
                self.kill(self._late)
            else:
                self._watch()

    def kill(self, reason: str = "") -> None:
        """Kill the process, and all that it has started in its group, in the middle of what they do."""
        self.reason = self.reason or reason
        with suppress(ProcessLookupError, PermissionError):
            if self._has_group:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def end(self, patience: float = 0.0) -> int:
        """Kill the process if it does not end by itself in time; return its exit status, that of a signal negative."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self.kill()
        self._timer.cancel()
        status = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        return status

    @property
    def is_alive(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Write a frame."""
    stream.write(LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next frame; None at the end, or if that is in the middle of a frame."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None


def answer_requests(answer: Callable[[bytes], bytes]) -> None:
    """Answer all requests that a parent sends to this process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the parent, which ends its children
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # prints of libraries must not mix with answers
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests, frames), daemon=True).start()
    with suppress(BrokenPipeError):  # the parent is gone
        while True:
            write_frame(answers, answer(frames.get()))


def _read_requests(stream: IO[bytes], frames: "queue.SimpleQueue[bytes]") -> None:
    """Read while other threads work, so that the end of the parent is noticed at once."""
    while (frame := read_frame(stream)) is not None:
        frames.put(frame)
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _hold_work() -> Callable[[bytes], bytes]:
    """Return a function that answers with results of the work that the first request brings, or with its errors."""
    held: list[Callable[[Any], Any]] = []

    def answer(request: bytes) -> bytes:
        try:
            value = pickle.loads(request)  # noqa: S301 - written by the parent
            if held:
                return pickle.dumps((held[0](value), None))
            held.append(_prepare(*value))
            return pickle.dumps((None, None))
        except Exception as error:  # noqa: BLE001 - raised by the parent
            if not isinstance(error, KeywrightError):
                error.add_note(f"in a worker process:\n{traceback.format_exc()}")
            try:
                return pickle.dumps((None, error))
            except Exception:  # noqa: BLE001 - what libraries raise may not pickle
                return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))

    return answer


def _prepare(preparation: dict[str, Any], work: bytes) -> Callable[[Any], Any]:
    """Return the work, which may be defined in the script that the parent runs."""
    if preparation:
        from multiprocessing import process, spawn  # noqa: PLC0415 - not for services

        current: Any = process.current_process()
        # As processes of multiprocessing do: a script without guard that starts processes again gets an error.
        current._inheriting = True  # noqa: SLF001 - nothing public
        spawn.prepare(preparation)
        del current._inheriting  # noqa: SLF001 - nothing public
    held: Callable[[Any], Any] = pickle.loads(work)  # noqa: S301 - written by the parent
    return held


if __name__ == "__main__":
    answer_requests(_hold_work())
