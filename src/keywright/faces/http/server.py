"""The server: uvicorn with bounded connections, and a stop that answers what was accepted."""

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn

from keywright.faces.http.app import make_app
from keywright.faces.http.connections import BoundedConnection
from keywright.faces.http.limits import BodyLimits
from keywright.faces.http.metrics import Metrics
from keywright.faces.http.service import Service
from keywright.faces.http.tokens import read_tokens
from keywright.faces.web.routes import page_routes

_KEEP_ALIVE: Final = 15
"""Seconds for which a connection stays open between two requests; arbitrary."""
_LAST_SECONDS: Final = 5
"""Seconds for which answers are still sent after the last is ready; arbitrary."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where and how the service runs.

    Attributes:
        max_bytes: most bytes of a body.
        timeout: seconds for the work on a document, for a body to arrive, and for a stop.
        token_file: file of valid tokens; None lets everybody in.
        origins: other sites whose pages may call the service.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    max_bytes: int = 20_000_000
    timeout: float = 30.0
    token_file: Path | None = None
    origins: Sequence[str] = ()


async def serve(work: Any, pool: Any, options: ServerOptions, say: Callable[[str], None]) -> None:
    """Run the service until it is stopped by a signal.

    Args:
        work: from ``api.request_work``.
        pool: from ``api.request_pool``, not started.
        options: where and how.
        say: function that writes a line of the log.
    """
    tokens = read_tokens(options.token_file) if options.token_file else ()
    with tempfile.TemporaryDirectory(prefix="keywright-") as folder:
        bodies = BodyLimits(options.max_bytes, options.timeout)
        service = Service(work, pool, bodies, Metrics(pool), Path(folder))
        app = make_app(service, tokens=tokens, origins=options.origins, pages=page_routes(), log=say)
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


def run(work: Any, pool: Any, options: ServerOptions, say: Callable[[str], None]) -> None:
    """Run the service as ``serve`` does, in an event loop of its own."""
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        runner.run(serve(work, pool, options, say))


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes an event loop of uvloop; None, for Python's own, where it does not install."""
    try:
        import uvloop  # noqa: PLC0415 - not on all systems
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


class Server(uvicorn.Server):
    """A server that, when it is stopped, first answers what was accepted, and everything else with 503."""

    def __init__(
        self, config: uvicorn.Config, service: Service, options: ServerOptions, say: Callable[[str], None]
    ) -> None:
        """Take the service."""
        super().__init__(config)
        self._service, self._options, self._say = service, options, say
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, and say where."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        for server in self.servers:
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                self._say(f"keywright serves {self._service.work.system} at http://{shown}:{port} (Ctrl-C stops it)")

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
