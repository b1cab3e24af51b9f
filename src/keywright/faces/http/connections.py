"""Connections of clients: bounded in number and patience, and written to in few pieces."""

import asyncio
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from keywright.core.request_errors import Unavailable
from keywright.faces.http.problems import problem

MOST_CONNECTIONS: Final = 512
"""Open connections; further ones are refused. Below the 1,024 files that many systems allow a process."""
_MOST_REFUSED: Final = 64
"""Refused connections that are held open until their answer is read; others are closed at once. Arbitrary."""
_REFUSED_SECONDS: Final = 1.0
"""Seconds for which they are: one that is closed with its request unread loses the answer. Arbitrary."""
_LONGEST_HEAD: Final = 64 * 1024
"""Bytes in which the head of a request must end, about; arbitrary."""
_HEAD_SECONDS: Final = 20.0
"""Seconds in which a new connection must send the head of its first request; arbitrary."""


class BoundedConnection(HttpToolsProtocol):
    """A connection of a client: refused above a number of them, and closed where the head of a request stays out.

    uvicorn itself limits neither.
    """

    _refused: ClassVar[set["BoundedConnection"]] = set()
    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: Any) -> None:
        """Take a connection."""
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]  # all that uvicorn calls
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(transport)
        else:
            self._watch_head()

    def _refuse(self, transport: asyncio.Transport) -> None:
        """Answer that there are too many connections, whatever will be asked."""
        self.connections.discard(self)
        if len(self._refused) >= _MOST_REFUSED:
            transport.abort()
            return
        self._refused.add(self)
        transport.write(_refusal())
        transport.write_eof()
        self.loop.call_later(_REFUSED_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        if self in self._refused:
            return
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if self._awaits_head else 0
        if self._head_bytes > _LONGEST_HEAD:
            self.transport.abort()
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._refused.discard(self)
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


def _refusal() -> bytes:
    """Return an answer for a connection that is one too many."""
    message = f"more than {MOST_CONNECTIONS:,} connections are open"
    answer = problem(Unavailable(message, "close those that are not needed, or try again after a while"))
    head = "".join(f"{name.decode('latin-1')}: {value.decode('latin-1')}\r\n" for name, value in answer.raw_headers)
    return f"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n{head}\r\n".encode("latin-1") + bytes(answer.body)


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
