"""Plain text: bytes in any encoding to a document with the sections that can be seen in bare text."""

import codecs
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from keywright.core.documents import Document
from keywright.core.errors import UnsupportedFormat
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.finishing import LeftOut, Particulars, from_text
from keywright.reading.limits import Limits

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE: Final = 100_000  # bytes that a guess is made from
_FEW: Final = 30  # bytes beyond ASCII below which statistics cannot tell encodings apart
_TEXT_CONTROLS: Final = frozenset(b"\t\n\v\f\r\x1b\x85")
_MOST_CONTROLS: Final = 0.02


def read_plain(data: bytes, name: str, limits: Limits) -> Document:
    """The document in a text file; lines end in a line feed afterwards, whatever they ended in.

    Raises:
        EmptyInput: no words.
        UnsupportedFormat: the bytes are no text.
        TooLarge: above ``limits``.
    """
    limits.check_file(len(data), name)
    text = decode(data, name)
    return document_of_text(text, name, limits)


def read_unknown(data: bytes, name: str, limits: Limits) -> Document:
    """A file whose ending says nothing, read as plain text; the document's warnings say so."""
    document = read_plain(data, name, limits)
    note = f"read as plain text: no known format has the ending {PurePath(name).suffix}"
    return replace(document, warnings=(*document.warnings, note))


def document_of_text(text: str, name: str, limits: Limits | None = None, language: str | None = None) -> Document:
    """The document of a bare text, with the sections that can be seen in it.

    Raises:
        EmptyInput: no words.
        TooLarge: above ``limits``.
    """
    limits = limits or Limits()
    limits.check_text(len(text), name)
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    return from_text((text, find_sections(text)), name, limits, LeftOut(), Particulars(language))


def decode(data: bytes, name: str) -> str:
    """Text of bytes: by byte order mark, as UTF-8, or in the most probable older encoding.

    Raises:
        UnsupportedFormat: the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise _no_text(name, f"it begins like {encoding.upper()} and is not") from error
    if guessed := _utf16_without_mark(data):
        return data.decode(guessed, errors="replace")
    sample = data[:_SAMPLE]
    controls = sum(1 for byte in sample if byte < 0x20 and byte not in _TEXT_CONTROLS)  # noqa: PLR2004 - controls end there
    if b"\0" in data or controls > _MOST_CONTROLS * len(sample):
        raise _no_text(name, "it holds control characters")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_guess(data), errors="replace")


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 of a text in Latin letters shows in every other byte being zero."""
    sample = data[:2_000]
    if len(sample) < 4 or len(data) % 2:  # noqa: PLR2004 - two characters tell
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * len(sample) / 2 and not even:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * len(sample) / 2 and not odd else None


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - heavy, only for text that is no UTF-8

    beyond = sum(1 for byte in data[:_SAMPLE] if byte > 0x7F)  # noqa: PLR2004 - ASCII ends there
    if beyond < _FEW:
        return "cp1252"
    best = from_bytes(data[:_SAMPLE]).best()
    return best.encoding if best else "cp1252"


def _no_text(name: str, why: str) -> UnsupportedFormat:
    return UnsupportedFormat(f"{name} is no text: {why}", "give it in a format that `keywright extract --help` lists")
