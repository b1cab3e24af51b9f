"""Plain text: bytes in any encoding to a document with the sections found in bare text."""

import codecs
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from keywright.core.documents import Document
from keywright.core.errors import UnsupportedFormat
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.blocks import LeftOut, Particulars, from_text
from keywright.reading.formats import Limits

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b")  # controls that texts do not have
_LAST_ASCII: Final = 0x7F  # largest code of ASCII

# All arbitrary, in bytes where nothing else is said.
_SAMPLE: Final = 100_000  # beginning that a guess is made from
_FEW: Final = 30  # beyond ASCII; with fewer, statistics cannot distinguish encodings
_MOST_CONTROLS: Final = 0.02  # share of controls in a text
_UTF16_SAMPLE: Final = 2_000  # beginning that shows UTF-16
_UTF16_SHORTEST: Final = 4  # two characters
_MOST_ZEROS: Final = 0.7  # share of Latin letters in a text in UTF-16, which have a zero as first or second byte


def read_plain(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a text file, with all line ends as line feeds."""
    limits.check_file(len(data), name)
    return document_of_text(decode(data, name), name, limits)


def read_unknown(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document of a file with unknown ending, read as plain text, with a warning."""
    document = read_plain(data, name, limits)
    note = f"read as plain text: no known format has the ending {PurePath(name).suffix}"
    return replace(document, warnings=(*document.warnings, note))


def document_of_text(text: str, name: str, limits: Limits | None = None, language: str | None = None) -> Document:
    """Return the document of a bare text, with the sections found in it."""
    limits = limits or Limits()
    limits.check_text(len(text), name)
    text = with_line_feeds(text).removeprefix("\ufeff")
    return from_text((text, find_sections(text)), name, limits, LeftOut(), Particulars(language))


def with_line_feeds(text: str) -> str:
    """Return a text with all line ends as line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, name: str) -> str:
    """Return the text of bytes: by byte order mark, as UTF-8, or in the most probable older encoding."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise _not_text(name, f"it begins with the mark of {encoding.upper()} and is not in it") from error
    if guessed := _utf16_without_mark(data):
        return data.decode(guessed, errors="replace")
    sample = data[:_SAMPLE]
    if b"\0" in data or sum(map(_CONTROLS.__contains__, sample)) > _MOST_CONTROLS * len(sample):
        raise _not_text(name, "it holds control characters")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(older_encoding(data), errors="replace")


def _utf16_without_mark(data: bytes) -> str | None:
    """Return UTF-16 when every other byte is zero, as in a text in Latin letters; else None."""
    sample = data[:_UTF16_SAMPLE]
    if len(sample) < _UTF16_SHORTEST or len(data) % 2:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > _MOST_ZEROS * len(sample) / 2 and not even:
        return "utf-16-le"
    return "utf-16-be" if even > _MOST_ZEROS * len(sample) / 2 and not odd else None


def older_encoding(data: bytes) -> str:
    """Return the most probable encoding of a text that is not UTF-8."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - heavy, only for text that is not UTF-8

    if sum(byte > _LAST_ASCII for byte in data[:_SAMPLE]) < _FEW:
        return "cp1252"
    best = from_bytes(data[:_SAMPLE]).best()
    return best.encoding if best else "cp1252"


def _not_text(name: str, why: str) -> UnsupportedFormat:
    return UnsupportedFormat(f"{name} is not text: {why}", "give it in a format that `keywright extract --help` lists")
