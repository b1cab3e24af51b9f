"""The program ``keywright`` in processes that are forked, with its modules loaded, from one that waits.

Starting Python and importing takes ten times as long as most commands. A forked process has its own arguments,
environment, folder and streams, and ends like any other; only the imports are shared, also with the process that reads
files of strangers for it. Tests of the start itself, of signals and of the locale start the program afresh.

Shells run it as well: ``WarmCommand`` has a folder with a small ``keywright``, which hands its streams over and waits.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_LONGEST = 1 << 20  # bytes of a request: arguments and environment
_TIMEOUT = 120  # seconds a command may take


class Finished(subprocess.CompletedProcess):
    """A command's end; ``memory``: the most bytes that it had; ``timed_out``: whether its time was over."""

    memory = 0

    @property
    def timed_out(self) -> bool:
        return self.returncode == -signal.SIGALRM


class WarmProgram:
    """A process that forks one child for each command; it ends with the process that made it.

    Linux only: its messages need packets in order over a local socket.
    """

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_TIMEOUT)
        command = [sys.executable, str(Path(__file__)), str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        theirs.close()
        atexit.register(self.close)

    def close(self) -> None:
        """End the waiting process."""
        self._socket.close()
        self._process.wait()

    def run(
        self, command: Sequence[str], stdin: bytes, folder: str, environment: Mapping[str, str], seconds: int = 0
    ) -> Finished:
        """Run a command, ended by a signal after some seconds; what came of it, as ``subprocess.run`` says it."""
        pipes = [os.pipe() for _ in range(3)]
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        request = {"command": list(command), "folder": folder, "environment": dict(environment)}
        request = json.dumps({**request, "seconds": seconds})
        socket.send_fds(self._socket, [request.encode()], theirs)
        for file in theirs:
            os.close(file)
        outputs: dict[int, bytes] = {}
        threads = [threading.Thread(target=_write, args=(pipes[0][1], stdin))]
        threads += [threading.Thread(target=_read, args=(pipes[number][0], number, outputs)) for number in (1, 2)]
        for thread in threads:
            thread.start()
        try:
            status, memory = json.loads(self._socket.recv(_LONGEST))
        except TimeoutError:
            self._process.kill()  # so that a late answer is not taken for that of the next command
            raise
        for thread in threads:
            thread.join()
        finished = Finished(list(command), status, outputs[1], outputs[2])
        finished.memory = memory
        return finished


class WarmCommand:
    """A process like that of ``WarmProgram`` that answers a command ``keywright`` in ``folder``, several at once.

    Signals end that command, not what it does; a pipe that is closed ends both. ``WarmPopen`` has the process itself.
    """

    def __init__(self) -> None:
        self.folder = folder = Path(tempfile.mkdtemp())
        self.address = address = folder / "socket"
        command = [sys.executable, str(Path(__file__)), str(address)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, env=plain_environment())
        self._process.stdout.readline()  # it listens
        program = folder / "keywright"
        program.write_text(_COMMAND.format(python=sys.executable, address=str(address)), "utf-8")
        program.chmod(0o755)
        atexit.register(self.close)

    def close(self) -> None:
        """End the waiting process, and remove the folder."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self.folder)


_COMMAND = """#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as waiting:
    waiting.connect({address!r})
    request = dict(command=sys.argv, folder=os.getcwd(), environment=dict(os.environ), seconds=0)
    socket.send_fds(waiting, [json.dumps(request).encode()], [0, 1, 2])
    for stream in (0, 1, 2):
        os.close(stream)  # or a pipe from here never ends
    waiting.recv(64)  # the number of the process
    status = os.waitstatus_to_exitcode(int(waiting.recv(64) or 256))
    os._exit(status if status >= 0 else 128 - status)
"""


def plain_environment() -> dict[str, str]:
    """This process's environment without folders of data and other settings of keywright: that of a reader."""
    return {name: value for name, value in os.environ.items() if not name.startswith("KEYWRIGHT_")}


def _write(file: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(file, "wb") as stream:
        stream.write(data)


def _read(file: int, number: int, outputs: dict[int, bytes]) -> None:
    with os.fdopen(file, "rb") as stream:
        outputs[number] = stream.read()


def _serve(requests: socket.socket) -> None:
    """Fork a child for each request, and answer with its status."""
    _load()
    while True:
        content, files, _, _ = socket.recv_fds(requests, _LONGEST, 3)
        if not content:
            return
        request = _prepare(content)
        child = os.fork()
        if not child:
            _become(request, files)
        for file in files:
            os.close(file)
        _, status, usage = os.wait4(child, 0)
        requests.send(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024]).encode())


def _listen(address: str) -> None:
    """Fork a child for each command that connects, and answer with its status."""
    _load()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that answer
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        while True:
            connection, _ = listener.accept()
            content, files, _, _ = socket.recv_fds(connection, _LONGEST, 3)
            request = _prepare(content)
            if not os.fork():
                listener.close()
                _answer(connection, request, files)
            for file in (*files, connection.detach()):
                os.close(file)


def _answer(connection: socket.socket, request: Mapping, files: Sequence[int]) -> None:
    """Run the command of a connection in a child, and send its number and its status; never return."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if not child:
        connection.close()
        _become(request, files)
    for file in files:
        os.close(file)
    with contextlib.suppress(OSError):  # the command was ended
        connection.send(str(child).encode())
        connection.send(str(os.waitpid(child, 0)[1]).encode())
    os._exit(0)


_LIBRARIES = (
    *("lxml.html", "pypdfium2", "trafilatura", "docx"),  # of readers
    *("keywright.api.extract_job", "keywright.running.parts", "keywright.running.part_inputs"),
    *("keywright.reading.tables.delimited", "keywright.reading.tables.library_tables"),
    *("rich.live", "rich.markdown", "rich.panel", "rich.progress", "rich.table", "typer.rich_utils"),
)
"""Modules that most commands import when they run."""


_LATER = {
    "analyse": ("scipy.stats", "matplotlib.figure"),
    "calibrate": ("scipy.stats",),
    "combine": ("scipy.stats", "lightgbm"),
    "serve": ("keywright.faces.service.server", "uvicorn", "httptools", "uvloop"),
    "train": ("scipy.stats", "lightgbm"),
}
"""Those of some verbs, loaded before the first of them."""


_IMPORTED, _IMPORTS = os.pipe2(os.O_NONBLOCK)
"""Ends of a pipe in which commands leave the names of modules that they imported, for those after them."""


def _prepare(content: bytes) -> Mapping:
    """Return a request, after the libraries of its verb and what commands before it imported are loaded."""
    request = json.loads(content)
    verb = "".join(request["command"][1:2])
    os.write(_IMPORTS, b"\n")  # so that there is something to read
    for library in (*_LATER.get(verb, ()), *os.read(_IMPORTED, 1 << 20).decode().split()):
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    if verb == "summaries":
        from keywright.text.languages import _pipeline  # noqa: PLC0415 - for this verb only

        _pipeline("en")  # the tagger, which takes a second to load
    return request


def _leave_imports(before: set[str]) -> None:
    """Leave the names of our modules that were imported since, unless they brought torch, which must not be forked."""
    if "torch" not in sys.modules:
        modules = sorted(name for name in sys.modules.keys() - before if name.startswith("keywright."))
        with contextlib.suppress(BlockingIOError):
            os.write(_IMPORTS, "".join(f"{name}\n" for name in modules).encode())


def _load() -> None:
    """Load what most commands need, and their readers."""
    import typer.main  # noqa: PLC0415 - in the waiting process only

    import keywright as kw  # noqa: PLC0415
    import keywright.faces.cli.app  # noqa: PLC0415
    import keywright.faces.outputs.results  # noqa: PLC0415
    from keywright.reading.formats import BY_NAME, pandoc  # noqa: PLC0415

    for form in BY_NAME.values():
        with contextlib.suppress(ImportError):
            form.load()
    for library in _LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    pandoc._SECONDS = 2.0  # not 10, for texts that it reads for ever; those of tests take a tenth
    subprocess.Popen = _ForkedChild
    command = typer.main.get_command(keywright.faces.cli.app.app)
    for verb in command.commands.values():
        for parameter in verb.params:
            parameter.get_runtime_param()  # imports pydantic
    typer.main.get_command = lambda _: command
    kw.extract("Tide gauges drift.")  # also the tables and trees of the default
    kw.score([["tide gauges"]], [["tide gauges"]], "keywright-1", intervals=False)
    gc.collect()
    gc.freeze()  # or each child would copy every page that its garbage collector touches


_CHILDREN = {"keywright.running.reader", "keywright.reading.apart"}
"""Modules that read documents and tables in processes of their own. Workers start as usual: threads start them, and a
process that is forked beside threads may wait for ever for a lock that one of them held."""


class _ForkedChild(subprocess.Popen):
    """A child of a command, forked from it with its modules loaded; other programs start as usual."""

    def _execute_child(self, args: Sequence[str], *others: object) -> None:
        names = ("executable", "preexec_fn", "close_fds", "pass_fds", "cwd", "env", "startupinfo", "flags", "shell")
        values = dict(zip(names, others, strict=False))
        streams = others[len(names) : len(names) + 6]  # of each stream the end of the child and of this process
        if args[1:3] != ("-P", "-m") or args[3] not in _CHILDREN or "torch" in sys.modules:
            super()._execute_child(args, *others)
            return
        self.pid = os.fork()
        if not self.pid:
            _become_child(args[3:], values["env"], (streams[0], streams[3], streams[5]))
        self._child_created = True
        self._close_pipe_fds(*streams)


def _become_child(arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]) -> None:
    """Run a module in this process, as ``python -m`` does; never return."""
    status = 1
    try:
        for number, file in enumerate(streams):
            os.dup2(file, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.environ.update(environment)
        sys.argv = [*arguments]
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        status = 0
    finally:
        os._exit(status)


def _become(request: Mapping, files: Sequence[int]) -> None:
    """Run the program in this process, with its own streams, folder and environment; never return."""
    before = set(sys.modules)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # Opened as by the interpreter, because the objects from before keep what they know of another file.
    encoding, _, errors = request["environment"].get("PYTHONIOENCODING", "").partition(":")
    encoding, errors = encoding or sys.stdout.encoding, errors or ("strict" if encoding else sys.stdout.errors)
    sys.stdin = os.fdopen(0, encoding=encoding, errors=errors)
    sys.stdout = os.fdopen(1, "w", encoding=encoding, errors=errors, newline="\n")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding=encoding, errors="backslashreplace")
    signal.alarm(request["seconds"])  # 0 is never
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what a shell starts in the background
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["command"]
    status: object = 1
    try:
        from keywright.faces.cli import main  # noqa: PLC0415 - in a child only

        main()
        status = 0
    except SystemExit as end:
        status = end.code or 0
        if not isinstance(status, int):
            sys.stderr.write(f"{status}\n")
            status = 1
    except BaseException:  # noqa: BLE001 - as the interpreter does at its end
        sys.excepthook(*sys.exc_info())
    finally:
        _leave_imports(before)
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        _serve(socket.socket(fileno=int(sys.argv[1])))
    else:
        _listen(sys.argv[1])
