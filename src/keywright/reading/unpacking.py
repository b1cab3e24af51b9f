"""Packed data and archives of office programs, unpacked in bounded memory: damage and bombs are noticed."""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO, Any, Final

from keywright.core.errors import BrokenFile, ProtectedFile
from keywright.reading.formats import GZIP, OLE, ZSTANDARD, Limits

_CHUNK: Final = 1 << 10
"""Packed bytes unpacked at once, because a few may unpack to very many; arbitrary."""
_BUFFER: Final = 1 << 20
"""Bytes read ahead; arbitrary."""
_HARMLESS: Final = 1_000_000
"""Bytes unpacked that are accepted at any ratio; arbitrary."""
_GZIP: Final = 31
"""``wbits`` of zlib for the largest window (15) in a gzip wrapper (+ 16), as its manual says."""


def unpack(data: bytes, name: str, limits: Limits) -> bytes:
    """Return bytes as they are, or unpacked when they begin like gzip or Zstandard.

    Raises:
        BrokenFile: packed data that is damaged.
        TooLarge: it unpacks to more than ``limits`` accept.
    """
    if not is_packed(data):
        return data
    stream, whole = io.BytesIO(data), bytearray()
    for piece in _pieces(stream, stream.read(len(ZSTANDARD)), name, limits):
        whole += piece
        limits.check_unpacked(len(data), len(whole), name, _HARMLESS)
    return bytes(whole)


def open_unpacked(stream: IO[bytes], name: str, limits: Limits) -> io.BufferedReader:
    """Return a stream of the bytes of another, unpacked when they begin like gzip or Zstandard.

    No size of the whole is too large, as no more than a piece of it is in memory; the ratio is limited. Reading raises
    ``BrokenFile`` and ``TooLarge`` as ``unpack`` does.
    """
    head = stream.read(len(ZSTANDARD))
    pieces = _pieces(stream, head, name, limits) if is_packed(head) else chain((head,), iter(_read_from(stream), b""))
    return io.BufferedReader(_PieceReader(pieces), buffer_size=_BUFFER)


def is_packed(data: bytes) -> bool:
    """Return whether bytes begin like gzip or Zstandard."""
    return data.startswith((GZIP, ZSTANDARD))


class _PieceReader(io.RawIOBase):
    """A raw stream of the pieces of an iterator, so that the library's buffer finds the lines in them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = filter(None, pieces)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = memoryview(next(self._pieces, b""))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _read_from(stream: Any) -> Callable[[], bytes]:
    """Return what reads the next bytes; those that are there, where the stream can tell, so that nothing waits."""
    read = getattr(stream, "read1", stream.read)
    return lambda: read(_BUFFER)


def _pieces(stream: IO[bytes], head: bytes, name: str, limits: Limits) -> Iterator[bytes]:
    """Yield unpacked pieces of a stream whose first bytes, ``head``, are read already."""
    packed = unpacked_size = 0
    new, damage = _decoder(head)
    decoder = new()
    try:
        for chunk in chain((head,), iter(lambda: stream.read(_CHUNK), b"")):
            packed += len(chunk)
            rest = chunk
            while rest:
                if decoder.eof:  # the next member or frame of several
                    decoder = new()
                piece = decoder.decompress(rest)
                unpacked_size += len(piece)
                limits.check_expansion(packed, unpacked_size, name, _HARMLESS)
                yield piece
                rest = decoder.unused_data.lstrip(b"\0") if decoder.eof else b""  # zeros may fill up a last block
    except (damage, OSError) as error:
        raise BrokenFile(f"{name} cannot be unpacked: {error}", "download it again") from error
    if not decoder.eof:
        raise BrokenFile(f"{name} cannot be unpacked: it ends in the middle", "download it again")


def _decoder(head: bytes) -> tuple[Callable[[], Any], type[Exception]]:
    """Return what makes a decoder, and the error of damaged data."""
    if head.startswith(GZIP):
        return (lambda: zlib.decompressobj(_GZIP)), zlib.error
    import zstandard  # noqa: PLC0415 - only packed files need it

    return (lambda: zstandard.ZstdDecompressor().decompressobj()), zstandard.ZstdError


_HARMLESS_ARCHIVE: Final = 100_000  # bytes unpacked that are accepted at any ratio; arbitrary


def check_archive(data: bytes, name: str, limits: Limits, kind: str) -> None:
    """Check the directory of a ZIP archive; ``kind`` is the format that it should be, such as ``DOCX``.

    Raises:
        ProtectedFile: it is locked, or of the format before 2007.
        BrokenFile: it is not an archive.
        TooLarge: it unpacks to more than ``limits`` accept.
    """
    if data.startswith(OLE):
        message = f"{name} is protected by a password, or in a format of Office before 2007"
        raise ProtectedFile(message, f"save it as {kind} without password")
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BrokenFile(
            f"{name} is not a readable {kind} file: {error}", "open it in its program and save it again"
        ) from error
    if any(member.flag_bits & 1 for member in members):
        raise ProtectedFile(f"{name} is encrypted", "save it without a password")
    limits.check_unpacked(len(data), sum(member.file_size for member in members), name, _HARMLESS_ARCHIVE)
