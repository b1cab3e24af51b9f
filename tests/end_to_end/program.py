"""The installed program, run as people run it."""

import functools
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.end_to_end.warm_program import WarmCommand, WarmProgram

from keywright.core.signatures import short_signature, signature

PROGRAM = Path(sys.executable).with_name("keywright")


FRESH = ("PYTHON", "LC_", "LANG")
"""Beginnings of the names of variables that Python reads when it starts.

The warm program reads PYTHONIOENCODING itself."""


@functools.cache
def warm():
    """The process that commands of this test process are forked from."""
    return WarmProgram()


@functools.cache
def warm_command():
    """The process that commands of shells are forked from, and those that tests send signals to."""
    return WarmCommand()


class WarmPopen(subprocess.Popen):
    """``keywright`` as a process that was forked with its modules loaded, otherwise as ``Popen``."""

    def _execute_child(self, args: Sequence[str], *others: object) -> None:
        folder, environment, streams = others[4], others[5], others[9:15]
        request = {"command": [str(each) for each in args], "folder": str(folder or Path.cwd()), "seconds": 0}
        request["environment"] = dict(environment or os.environ)
        self._waiting = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._waiting.connect(str(warm_command().address))
        ends = [end if end >= 0 else number for number, end in enumerate((streams[0], streams[3], streams[5]))]
        socket.send_fds(self._waiting, [json.dumps(request).encode()], ends)
        self.pid = int(self._waiting.recv(64))
        self._child_created = True
        self._close_pipe_fds(*streams)

    def _try_wait(self, flags: int) -> tuple[int, int]:
        """Return number and status of the process, zeros while it runs."""
        if not select.select([self._waiting], [], [], 0 if flags else None)[0]:
            return 0, 0
        status = int(self._waiting.recv(64))
        self._waiting.close()
        return self.pid, status

    def _internal_poll(self, _deadstate: int | None = None) -> int | None:
        if self.returncode is None:
            process, status = self._try_wait(os.WNOHANG)
            if process:
                self._handle_exitstatus(status)
        return self.returncode


def start(*arguments: object, fresh=False, **options: object):
    """Start ``keywright`` as ``Popen`` does; ``fresh``: as for ``keywright``."""
    command = [str(PROGRAM), *map(str, arguments)]
    if fresh or sys.platform != "linux":
        return subprocess.Popen(command, **options)
    return WarmPopen(command, **options)


def keywright(*arguments: object, stdin=b"", cwd=None, fresh=False, **environment: str):
    """Run ``keywright``; what came of it, as text. No terminal, no colours, no debugging.

    ``fresh``: start Python, not only a process that has loaded the modules; also where the environment asks for it.
    """
    command = [str(PROGRAM), *map(str, arguments)]
    read_at_start = [name for name in environment if name.startswith(FRESH) and name != "PYTHONIOENCODING"]
    fresh = fresh or sys.platform != "linux" or bool(read_at_start)
    if not fresh:
        return warm().run(command, stdin, str(cwd or Path.cwd()), clean(**environment))
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=cwd, env=clean(**environment), timeout=120, check=False
    )


def clean(**environment: str):
    """This process's environment without what would change the program's behaviour."""
    kept = {name: value for name, value in os.environ.items() if name != "KEYWRIGHT_DEBUG"}
    return {**kept, "COLUMNS": "100", "NO_COLOR": "1", **environment}


def said(done):
    """What was said to people; never a traceback."""
    text = done.stderr.decode()
    assert "Traceback" not in text
    return text


def value(done):
    """The one JSON value on standard output."""
    return json.loads(done.stdout)


def records(done):
    """The JSON values on standard output, one a line."""
    assert done.returncode == 0, done.stderr
    return list(map(json.loads, done.stdout.splitlines()))


def first_record(prediction, system):
    """The first record of an output, from Python: the short signature, and the full one once."""
    full = signature(system)
    return json.loads(json.dumps(prediction.to_dict(short_signature(full)) | {"signature": full}))
