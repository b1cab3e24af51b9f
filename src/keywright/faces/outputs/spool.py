"""Messages for the end of a command over any number of documents: in memory while they are few, else on disk."""

import io
import itertools
import json
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterator
from typing import IO, Any, Final, TypeVar

from keywright.core.predictions import Failure

_IN_MEMORY: Final = 1_000_000
"""Bytes of messages in memory; arbitrary."""
Message = TypeVar("Message")


class Spool(Collection[Message]):
    """Messages in their order, in a temporary file beyond a million bytes.

    Args:
        to_json: function from a message to JSON values.
        from_json: function from these to the message.
    """

    def __init__(self, to_json: Callable[[Message], Any], from_json: Callable[[Any], Message]) -> None:
        """Begin empty."""
        self._to_json, self._from_json = to_json, from_json
        self._recent = io.BytesIO()
        self._file: IO[bytes] | None = None
        self._count = 0

    def append(self, message: Message) -> None:
        """Add a message."""
        self._recent.write(json.dumps(self._to_json(message)).encode("ascii") + b"\n")
        self._count += 1
        if self._recent.tell() > _IN_MEMORY:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the messages are there
                weakref.finalize(self, self._file.close)
            self._file.seek(0, io.SEEK_END)
            self._file.write(self._recent.getvalue())
            self._recent = io.BytesIO()

    def __len__(self) -> int:
        """Return the number of messages."""
        return self._count

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages; none may be added until this is over."""
        if self._file is not None:
            self._file.seek(0)
        for line in itertools.chain(self._file or (), self._recent.getvalue().splitlines()):
            yield self._from_json(json.loads(line))

    def __contains__(self, message: object) -> bool:
        """Return whether a message was added."""
        return any(each == message for each in self)


def spooled_texts() -> Spool[str]:
    """Return an empty collection of texts."""
    return Spool(str, str)


def spooled_failures() -> Spool[Failure]:
    """Return an empty collection of failures, which lose their ``meta``."""
    return Spool(lambda failure: [failure.document_id, failure.code, failure.message, failure.hint], _failure)


def _failure(values: Any) -> Failure:
    return Failure(*values)
