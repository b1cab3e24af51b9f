"""Connections of clients: bounded in number and patience, and written to in few pieces."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_CONNECTIONS: Final = 512
"""Open connections; further ones are closed at once. Below the 1,024 files that many systems allow a process."""
_LONGEST_HEAD: Final = 64 * 1024
"""Bytes in which the head of a request must end, about; arbitrary."""
_HEAD_SECONDS: Final = 20.0
"""Seconds in which a new connection must send the head of its first request; arbitrary."""


class BoundedConnection(HttpToolsProtocol):
    """A connection of a client: closed at once above a number of them, and soon where the head of a request stays out.

    uvicorn itself limits neither.
    """

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: Any) -> None:
        """Take a connection."""
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]  # all that uvicorn calls
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if self._awaits_head else 0
        if self._head_bytes > _LONGEST_HEAD:
            self.transport.abort()
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._forget_timer()
        super().connection_lost(exc)

    @property
    def _awaits_head(self) -> bool:
        """True while no request is in work."""
        return self.cycle is None or self.cycle.response_complete

    def _watch_head(self) -> None:
        if not self._awaits_head:
            self._forget_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(_HEAD_SECONDS, self._close_silent)

    def _forget_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer = None

    def _close_silent(self) -> None:
        self._head_timer = None
        if self._awaits_head:
            self.transport.abort()


class JoinedWrites:
    """The transport of a connection, which sends what is written in one step of the event loop as one piece.

    uvicorn writes the head of an answer and its body one after the other; each would cost a call of the system, which
    takes longer than all else beside the extraction.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Take the transport."""
        self._transport, self._loop = transport, loop
        self._pieces: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        """Return anything else of the transport."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send a piece soon."""
        if not self._pieces:
            self._loop.call_soon(self._flush)
        self._pieces.append(data)

    def close(self) -> None:
        """Close the connection when all is sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._pieces and not self._transport.is_closing():
            self._transport.write(b"".join(self._pieces))
        self._pieces.clear()
