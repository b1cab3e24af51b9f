"""Limits of reading, and packed data unpacked within them: in bounded memory, damage and bombs noticed.

Limits may be set in the environment: ``KEYWRIGHT_LIMITS=file_bytes=2e9,seconds=600``.
"""

import io
import lzma
import math
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from keywright.core.errors import BadParameter, BrokenFile, ProtectedFile, TooLarge
from keywright.core.zstandard import zstd

VARIABLE: Final = "KEYWRIGHT_LIMITS"  # the variable, which worker processes inherit
GZIP: Final = b"\x1f\x8b"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
PACKED: Final = (GZIP, ZSTANDARD)
OLE: Final = b"\xd0\xcf\x11\xe0"
"""First bytes of packed files; of Office files before 2007, and of newer ones with a password."""
DAMAGED: Final = (
    LookupError, ValueError, TypeError, AttributeError, SyntaxError, RuntimeError, EOFError, OSError, OverflowError,
    zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""Errors of damaged archives of office programs: their readers raise whatever the damage causes."""
SAVE_AGAIN: Final = "open it in its program and save it again"  # advice on such files
_CHUNK: Final = 1 << 10  # packed bytes unpacked at once, because a few may unpack to very many; arbitrary
_BUFFER: Final = 1 << 20  # bytes read ahead; arbitrary
HARMLESS: Final = 1_000_000  # bytes unpacked that are accepted at any ratio; arbitrary
_HARMLESS_ARCHIVE: Final = 100_000  # the same of an archive of an office program; arbitrary
_GZIP: Final = 31  # ``wbits`` of zlib for the largest window (15) in a gzip wrapper (+ 16), as its manual says
_Number = TypeVar("_Number", int, float)


def advise_raising(name: str) -> str:
    """Return the advice to raise a limit."""
    return f"raise Limits.{name}, in the terminal by {VARIABLE}={name}=NUMBER"


def _limit(name: str, usual: _Number) -> _Number:
    """Return a field whose default is set in the environment, else the usual one."""
    default: _Number = field(default_factory=lambda: _read_limit(name, usual))
    return default


def _read_limit(name: str, usual: _Number) -> _Number:
    """Return a limit from the environment; raise ``BadParameter`` for something else than numbers above 0."""
    for part in filter(None, os.environ.get(VARIABLE, "").split(",")):
        key, _, text = part.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf or key.strip() not in Limits.__dataclass_fields__:
            expected = f"expected NAME=NUMBER, such as file_bytes=2e9; names: {', '.join(Limits.__dataclass_fields__)}"
            raise BadParameter(f"{VARIABLE} has {part!r}", expected)
        if key.strip() == name:
            return type(usual)(value)
    return usual


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings for one file, all arbitrary; above them a reader raises ``TooLarge``, it never cuts."""

    file_bytes: int = _limit("file_bytes", 100_000_000)  # on disk; of a file of records that is streamed, of each
    text_characters: int = _limit("text_characters", 20_000_000)  # in the text taken from it
    pages: int = _limit("pages", 3_000)
    expanded_bytes: int = _limit("expanded_bytes", 500_000_000)  # unpacked, all members of an archive together
    expansion: int = _limit("expansion", 200)  # unpacked bytes for each packed byte (bombs are far above 100)
    memory_bytes: int = _limit("memory_bytes", 2_000_000_000)  # for the process that reads PDF, Office files, markup
    seconds: float = _limit("seconds", 120.0)  # for a file

    def check_file(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a file of more bytes than ``file_bytes``."""
        if size > self.file_bytes:
            message = f"{name} has {size:,} bytes; at most {self.file_bytes:,} are read"
            raise TooLarge(message, f"split it, or {advise_raising('file_bytes')}")

    def check_text(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a text of more characters than ``text_characters``."""
        if size > self.text_characters:
            message = f"{name} holds {size:,} characters of text; at most {self.text_characters:,} are read"
            raise TooLarge(message, f"split it, or {advise_raising('text_characters')}")

    def check_unpacked(self, packed: int, unpacked: int, name: str, harmless: int = HARMLESS) -> None:
        """Raise ``TooLarge`` for packed data that unpacks to too much; any ratio is accepted up to ``harmless``."""
        if unpacked > self.expanded_bytes:
            most = f"{self.expanded_bytes:,} are accepted"
            message = f"{name} unpacks from {packed:,} to at least {unpacked:,} bytes; at most {most}"
            raise TooLarge(message, f"if you trust the file, {advise_raising('expanded_bytes')}")
        self.check_expansion(packed, unpacked, name, harmless)

    def check_expansion(self, packed: int, unpacked: int, name: str, harmless: int = HARMLESS) -> None:
        """Raise ``TooLarge`` for a ratio above ``expansion``; any is accepted up to ``harmless`` bytes."""
        if unpacked > harmless and unpacked > self.expansion * packed:
            most = f"{self.expansion} times its size is accepted"
            message = f"{name} unpacks from {packed:,} to at least {unpacked:,} bytes; at most {most}"
            raise TooLarge(message, f"if you trust the file, {advise_raising('expansion')}")

    def check_archive(self, data: bytes, name: str, form: str) -> None:
        """Check an office program's archive, of a ``form`` such as ``DOCX``, before anything is unpacked."""
        if data.startswith(OLE):
            message = f"{name} is protected by a password, or in a format of Office before 2007"
            raise ProtectedFile(message, f"save it as {form} without password")
        try:
            members = zipfile.ZipFile(io.BytesIO(data)).infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            message = f"{name} is not a readable {form} file: {error}"
            raise BrokenFile(message, SAVE_AGAIN) from error
        if any(member.flag_bits & 1 for member in members):
            raise ProtectedFile(f"{name} is encrypted", "save it without a password")
        self.check_unpacked(len(data), sum(member.file_size for member in members), name, _HARMLESS_ARCHIVE)


@contextmanager
def limit_memory(more: int) -> Iterator[None]:
    """Let the process take so many bytes beside those it has while the block runs, or raise ``TooLarge``, on Linux."""
    try:
        import resource  # noqa: PLC0415 - Windows has none

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (ImportError, OSError):  # pragma: no cover - other systems than Linux
        yield
        return
    usual = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + more
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most if usual[1] < 0 else min(most, usual[1]), usual[1]))
        yield
    except MemoryError:
        raise TooLarge(f"the work needs more than {more / 1e9:g} GB of memory", "send less at once") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)


def unpack(data: bytes, name: str, limits: Limits) -> bytes:
    """Return bytes, unpacked if they begin like gzip or Zstandard; raise ``BrokenFile`` or ``TooLarge``."""
    if not data.startswith(PACKED):
        return data
    stream, whole = io.BytesIO(data), bytearray()
    for piece in _pieces(stream, stream.read(len(ZSTANDARD)), name, limits):
        whole += piece
        limits.check_unpacked(len(data), len(whole), name)
    return bytes(whole)


def open_unpacked(stream: IO[bytes], name: str, limits: Limits) -> io.BufferedReader:
    """Return a stream of another's bytes, unpacked piece by piece as by ``unpack``, so that it can have any size."""
    head = stream.read(len(ZSTANDARD))
    if head.startswith(PACKED):
        pieces = _pieces(stream, head, name, limits)
    else:  # the bytes that are there, where the stream can tell, so that nothing waits
        read: Any = getattr(stream, "read1", stream.read)
        pieces = chain((head,), iter(lambda: read(_BUFFER), b""))
    return io.BufferedReader(_PieceReader(pieces), buffer_size=_BUFFER)


class _PieceReader(io.RawIOBase):
    """A raw stream of the pieces of an iterator, so that the library's buffer finds the lines in them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = filter(None, pieces), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = memoryview(next(self._pieces, b""))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _pieces(stream: IO[bytes], head: bytes, name: str, limits: Limits) -> Iterator[bytes]:
    """Yield unpacked pieces of a stream whose first bytes, ``head``, are read already."""
    packed = unpacked_size = 0
    make_decoder: Callable[[], Any] = partial(zlib.decompressobj, _GZIP)
    damage: type[Exception] = zlib.error
    if not head.startswith(GZIP):
        make_decoder, damage = zstd.ZstdDecompressor, zstd.ZstdError
    decoder = make_decoder()
    try:
        for chunk in chain((head,), iter(lambda: stream.read(_CHUNK), b"")):
            packed += len(chunk)
            rest = chunk
            while rest:
                if decoder.eof:  # the next member or frame of several
                    decoder = make_decoder()
                piece = decoder.decompress(rest)
                unpacked_size += len(piece)
                limits.check_expansion(packed, unpacked_size, name)
                yield piece
                rest = decoder.unused_data.lstrip(b"\0") if decoder.eof else b""  # zeros may fill up a last block
    except (damage, OSError) as error:
        raise BrokenFile(f"{name} cannot be unpacked: {error}", "download it again") from error
    if not decoder.eof:
        raise BrokenFile(f"{name} cannot be unpacked: it ends in the middle", "download it again")
