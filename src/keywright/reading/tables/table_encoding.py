"""The encoding of a table of text: UTF-8, even where single rows are damaged, or an older one for the whole file."""

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.reading.encodings import decode, older_encoding
from keywright.reading.formats import HEAD, Limits
from keywright.reading.sources import bytes_of
from keywright.reading.unpacking import unpack, unpacked

_SAMPLE: Final = 100_000
"""Bytes of lines that are not UTF-8, from which an encoding is guessed; arbitrary, as for plain text."""
_FEW: Final = 30
"""Bytes beyond ASCII from which statistics are used; arbitrary, as for plain text."""
_WESTERN: Final = frozenset(
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœšž" + "ÀÁÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÙÚÛÜŒŠŽ" + "‘’“”‚„–—…•€£§©®°±²³µ·«»×½¼¾™ "
)
"""Characters of Windows-1252 that are frequent in Western texts; others are of another encoding, or damage."""


@dataclass(frozen=True, slots=True)
class TableEncoding:
    """How a file is read.

    Attributes:
        name: encoding of the file.
        notes: the decision, for people; empty for UTF-8.
        text: the whole text where it had to be decoded at once; else None.
    """

    name: str
    notes: tuple[str, ...] = ()
    text: str | None = None


def encoding_of(path: Path, name: str, limits: Limits) -> TableEncoding:
    """Return the encoding of a file: by its mark, UTF-8 if most lines are, else an older one, which is noted.

    The file is read once for it, line by line, so that it may have any size.

    Raises:
        UnsupportedFormat: it holds what texts do not.
        UnreadableInput: it cannot be opened.
    """
    with path.open("rb") as file:
        stream = unpacked(file, name, limits)
        head = stream.read(HEAD)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in head:
            whole = unpack(bytes_of(path, name, limits), name, limits)
            text, notes = decode(whole, name)
            return TableEncoding("utf-16", notes, text.removeprefix("\ufeff"))
    good = bad = 0
    sample = bytearray()
    with path.open("rb") as file:
        for line in unpacked(file, name, limits):
            if line.isascii():
                continue
            try:
                line.decode("utf-8")
                good += 1
            except UnicodeDecodeError:
                bad += 1
                if len(sample) < _SAMPLE:
                    sample += line
    if good >= bad or not (older := _older(bytes(sample))):
        return TableEncoding("utf-8-sig")
    return TableEncoding(older, (f"{name} is not UTF-8: it is read as {older}",))


def _older(sample: bytes) -> str | None:
    """Return the encoding of lines that are not UTF-8; None where their bytes look like damage."""
    beyond = [byte for byte in sample if not chr(byte).isascii()]
    if set(bytes(beyond).decode("cp1252", errors="replace")) <= _WESTERN:
        return "cp1252"
    return older_encoding(sample) if len(beyond) >= _FEW else None
