"""The server: uvicorn with bounded connections, and a stop that answers what was accepted."""

import asyncio
import os
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from keywright.core.atomic_files import hold_output
from keywright.core.errors import BadParameter, KeywrightError
from keywright.faces.service.answers import Metrics, Service
from keywright.faces.service.app import guard_app, is_local, make_app, read_tokens
from keywright.faces.service.bodies import BodyLimits, drain_bodies
from keywright.faces.service.page import page_routes

MOST_CONNECTIONS: Final = 512  # open connections; below the 1,024 files that many systems allow a process
_LONGEST_HEAD: Final = 64 * 1024  # bytes in which a head, and what is behind a piece of a body, must end; arbitrary
_MOST_PIPELINED: Final = 8  # requests that a client sends before it has an answer; arbitrary, browsers send one
_HEAD_SECONDS: Final = 20.0  # Seconds in which a new connection must send the head of its first request; arbitrary
_MOST_UNREAD: Final = 200_000_000  # bytes that all clients leave unread; arbitrary, a third of the memory promised
_READ_SECONDS: Final = 30.0  # Seconds between two looks at a client that has not read all; arbitrary
_SLOWEST_READER: Final = 10_000  # Bytes a second that a client must read; arbitrary, as for bodies


class BoundedConnection(HttpToolsProtocol):
    """A connection of a client, closed above a number of them, and where the client neither sends nor reads.

    uvicorn's ``limit_concurrency`` refuses all while many are idle. ``Server.on_tick`` calls ``check`` of each.
    """

    _head_since: float | None = None  # when the head of a request began to be waited for
    _unread: tuple[float, int] | None = None  # when a client was last looked at that does not read, and the bytes left
    _head_bytes = 0  # since the last head or piece of a body

    def connection_made(self, transport: Any) -> None:
        """Take a connection, or close it: the requests of those that are open are answered."""
        super().connection_made(transport)
        self._head_since = self.loop.time()
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        self._head_bytes += len(data)
        super().data_received(data)
        is_head = self.cycle is None or self.cycle.response_complete  # no request is in work
        self._head_since = (self._head_since or self.loop.time()) if is_head else None
        if self._head_bytes > _LONGEST_HEAD:  # also while a request is in work, and behind its body
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """Take the head of a request; close the connection of a client that does not wait for answers."""
        super().on_headers_complete()
        self._head_bytes = 0
        if len(self.pipeline) > _MOST_PIPELINED:
            self.transport.abort()
            raise ConnectionAbortedError("too many requests at once")  # the parser stops

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        super().on_body(body)
        if not self.cycle.response_complete:
            self._head_bytes = 0

    def pause_writing(self) -> None:
        """Close the connection of a client that does not read where all together leave too much unread."""
        super().pause_writing()
        if sum(each.transport.get_write_buffer_size() for each in self.connections) > _MOST_UNREAD:
            self.transport.abort()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of a request to speak WebSocket: it is answered, and logged, as any other."""

    def check(self) -> None:
        """Close the connection where the head of a request, or the reading of an answer, takes too long."""
        now, left = self.loop.time(), self.transport.get_write_buffer_size()
        if self._head_since is not None and now - self._head_since > _HEAD_SECONDS:
            self.transport.abort()
        if not left or self._unread is None:
            self._unread = (now, left) if left else None
        elif now - self._unread[0] > _READ_SECONDS:
            if left > max(0.0, self._unread[1] - _READ_SECONDS * _SLOWEST_READER):
                self.transport.abort()
            self._unread = now, left


_KEEP_ALIVE: Final = 15  # Seconds for which a connection stays open between two requests; arbitrary
_LAST_SECONDS: Final = 5  # Seconds for which answers are still sent after the last is ready; arbitrary


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where and how the service runs."""

    host: str = "127.0.0.1"
    port: int = 8000
    max_bytes: int = 20_000_000  # most bytes of a body
    timeout: float = 30.0  # seconds for the work on a document, for a body to arrive, and for a stop
    token_file: Path | None = None  # file of valid tokens; None lets everybody in
    origins: Sequence[str] = ()  # other sites whose pages may call the service
    hosts: Sequence[str] = ()  # names that requests may ask for, with or without the port; none lets all pass
    per_address: int | None = None  # requests of one address at once; None: half of the places, for other machines


async def serve(work: Any, pool: Any, options: ServerOptions, say: Callable[[str], None]) -> None:
    """Run the service until it is stopped by a signal; ``say`` writes a line of the log.

    ``work`` is from ``api.serving.request_work``, ``pool``, which is not started, from ``api.serving.request_pool``.
    """
    tokens = read_tokens(options.token_file) if options.token_file else ()
    check_address(options.host, options.port)
    if not tokens and not is_local(options.host):
        say(f"warning: everybody who reaches {options.host} can use this service; --token-file FILE asks for a token")
    with make_upload_folder() as folder:
        bodies = BodyLimits(options.max_bytes, options.timeout)
        service = Service(work, pool, bodies, Metrics(pool), folder)
        app = make_app(service, tokens=tokens, origins=options.origins, pages=page_routes(), log=say)
        app = guard_app(app, tuple(options.hosts), options.per_address, (pool.jobs + pool.queue + 1) // 2)
        app = drain_bodies(app)
        config = uvicorn.Config(
            app,
            options.host,
            options.port,
            http=BoundedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_LAST_SECONDS,
        )
        await pool.start()
        try:
            await Server(config, service, options, say).serve()
        finally:
            await pool.close()


def check_address(host: str, port: int) -> None:
    """Check that an address can be listened on, before anything is loaded; raise ``BadParameter`` if it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.create_server(address[:2], family=family):
            pass
    except OSError as error:
        hint = "name another --port, 0 takes a free one, or another --host; another service may run there"
        raise BadParameter(f"{host}, port {port}, cannot be listened on: {error.strerror}", hint) from error


_FOLDERS: Final = "keywright-uploads-"
_SETTLED: Final = 60.0  # seconds in which a service that starts locks its folder; arbitrary, a thousand times the usual


@contextmanager
def make_upload_folder() -> Iterator[Path]:
    """Make a folder for uploads, and remove those of services that were killed."""
    for old in Path(tempfile.gettempdir()).glob(f"{_FOLDERS}*"):
        with suppress(KeywrightError, OSError):
            state = old.lstat()
            is_own = stat.S_ISDIR(state.st_mode) and (os.name != "posix" or state.st_uid == os.getuid())
            if is_own and time.time() - state.st_mtime > _SETTLED:
                with hold_output(old):  # a service that runs holds it
                    shutil.rmtree(old)
    with tempfile.TemporaryDirectory(prefix=_FOLDERS) as folder, hold_output(Path(folder)):
        yield Path(folder)


def run(work: Any, pool: Any, options: ServerOptions, say: Callable[[str], None]) -> None:
    """Run the service as ``serve`` does, in an event loop of its own: that of uvloop where it is installed."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):  # not on all systems
        import uvloop  # noqa: PLC0415

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(work, pool, options, say))


class Server(uvicorn.Server):
    """A server that, when it is stopped, first answers what was accepted, and everything else with 503."""

    def __init__(
        self, config: uvicorn.Config, service: Service, options: ServerOptions, say: Callable[[str], None]
    ) -> None:
        super().__init__(config)
        self._service, self._options, self._say = service, options, say
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, and say where."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                host, port = listening.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                self._say(f"keywright serves {self._service.work.system} at http://{shown}:{port} (Ctrl-C stops it)")

    async def on_tick(self, counter: int) -> bool:
        """Look at all connections, several times a second."""
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, BoundedConnection):
                connection.check()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the shape of a handler
        """Begin to stop; a second signal ends everything at once."""
        pool = self._service.pool
        if pool.stopping or self._loop is None:
            self.should_exit = self.force_exit = True
            return
        pool.stopping = True
        self._loop.call_soon_threadsafe(lambda: self._loop and self._loop.create_task(self._stop()))

    async def _stop(self) -> None:
        """Wait until the accepted requests are answered, but not for ever."""
        pool = self._service.pool
        self._say(f"stopping: {pool.admitted} requests are still answered")
        if left := await pool.stop(self._options.timeout):
            self._say(f"{left} requests are dropped: they took more than {self._options.timeout:g} seconds")
        self.should_exit = True
