"""A service in a process of its own, as people start it, and ways to talk to it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.end_to_end.program import clean, start

TEXT = "Tide gauges measure sea level. Tide gauges drift. Sea level rises, and tide gauges see it."
CREDENTIAL = "correct-horse-battery"
ELSEWHERE = "https://a.example"
JSON = {"Content-Type": "application/json"}
NDJSON = {"Content-Type": "application/x-ndjson"}


@dataclass
class Running:
    """A running service.

    Attributes:
        process: of the command.
        address: such as ``http://127.0.0.1:8123``.
        log: its lines so far.
    """

    process: subprocess.Popen
    address: str = ""
    log: list[str] = field(default_factory=list)

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=60, headers=headers)

    def connected(self) -> socket.socket:
        """Return a bare connection."""
        host, port = self.address.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=30)

    def workers(self) -> set[int]:
        """Return the numbers of the worker processes."""
        workers: set[int] = set()
        for children in Path(f"/proc/{self.process.pid}/task").glob("*/children"):  # of each thread
            with contextlib.suppress(OSError):  # it has ended
                workers.update(map(int, children.read_text("ascii").split()))
        return workers

    def stop(self) -> int:
        """Stop it as a container does; return the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def running(*arguments: object, before: str = "", fresh: bool = False) -> Iterator[Running]:
    """Start ``keywright serve`` on a free port.

    ``before``: statements in its process before it starts; ``fresh``: as for ``keywright``, where memory is measured.
    """
    serve = ("serve", "--port", "0", *map(str, arguments))
    options = {"stderr": subprocess.PIPE, "text": True, "env": clean(OMP_NUM_THREADS="1")}
    if before:
        program = f"{before}\nfrom keywright.faces.cli import main\nmain()"
        process = subprocess.Popen([sys.executable, "-c", program, *serve], **options)
    else:
        process = start(*serve, fresh=fresh, **options)
    service = Running(process)
    try:
        for line in process.stderr:
            service.log.append(line.rstrip("\n"))
            if match := re.search(r"at (http://\S+)", line):
                service.address = match[1]
                break
        assert service.address, service.log
        reader = threading.Thread(target=_collect, args=(service,), daemon=True)
        reader.start()
        yield service
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=60)
        process.stderr.close()


def _collect(service: Running) -> None:
    with contextlib.suppress(ValueError):
        for line in service.process.stderr:
            service.log.append(line.rstrip("\n"))


def rows(text: str) -> list[dict]:
    """Return the objects of lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]
