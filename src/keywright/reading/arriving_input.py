"""A stream that can be asked whether more of it has arrived: standard input behind a pipe or a terminal."""

import select
from typing import IO, Any


class ArrivingInput:
    """A binary stream for reading, with ``is_ready``."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read nothing yet."""
        self._stream: Any = stream
        self._is_read = False

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most ``size`` of them; all if it is negative."""
        return self._noted(self._stream.read(size))

    def read1(self, size: int = -1) -> bytes:
        """Return the bytes that are there, at most ``size`` of them; it waits for the first."""
        read: Any = getattr(self._stream, "read1", self._stream.read)
        return self._noted(read(size))

    def is_ready(self, seconds: float) -> bool | None:
        """Return whether bytes, or the end, have arrived after so many seconds at most.

        None, which is unknown, before the first bytes and after the last, when something else may be read, and where
        the system cannot say: on Windows.
        """
        if not self._is_read:
            return None
        try:
            return bool(select.select([self._stream], [], [], seconds)[0])
        except (OSError, ValueError):  # not a stream of the system
            return None

    def _noted(self, data: bytes) -> bytes:
        self._is_read = bool(data)
        return data
