"""The encoding of a text: by its mark, as declared, UTF-8 even where it is damaged, or a probable older one."""

import codecs
import re
from typing import Final, NamedTuple

from keywright.core.errors import UnsupportedFormat

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b")  # controls that texts do not have
_LAST_ASCII: Final = 0x7F  # largest code of ASCII
REPLACED: Final = "\ufffd"
"""Character in place of damaged ones."""
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARED: Final = 4_096  # bytes in which a page may declare its encoding; the HTML standard demands 1,024

# All arbitrary, in bytes where nothing else is said.
_SAMPLE: Final = 100_000  # beginning that a guess is made from
_FEW: Final = 30  # beyond ASCII; with fewer, statistics cannot distinguish encodings
_MOST_CONTROLS: Final = 0.02  # share of controls in a text
_MOST_DAMAGED: Final = 0.1  # share of characters that may be damaged
_UTF16_SAMPLE: Final = 2_000  # beginning that shows UTF-16
_UTF16_SHORTEST: Final = 4  # two characters
_MOST_ZEROS: Final = 0.7  # share of Latin letters in a text in UTF-16, which have a zero as first or second byte


class Decoded(NamedTuple):
    """A text, and what people should know of its encoding; nothing where it is certain."""

    text: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, name: str, declared: str | None = None) -> Decoded:
    """Return the text of bytes.

    Its encoding is that of its byte order mark, UTF-8 where the bytes are valid, the declared one where they are valid
    in that; then UTF-8 with single damaged characters, or the most probable older encoding, which the notes say.

    Raises:
        UnsupportedFormat: the bytes are not text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(encoding, data, name)
    if guessed := _utf16_without_mark(data):
        return _decode_as(guessed, data, name)
    sample = data[:_SAMPLE]
    if b"\0" in data or sum(map(_CONTROLS.__contains__, sample)) > _MOST_CONTROLS * len(sample):
        raise _not_text(name, "it holds control characters")
    for encoding in filter(None, ("utf-8", declared)):
        try:
            return Decoded(data.decode(encoding))
        except (UnicodeError, LookupError):  # not valid in it, or not an encoding of texts
            continue
    if is_damaged_utf8(data):
        return _decode_as("utf-8", data, name)
    older = older_encoding(data)
    text, notes = _decode_as(older, data, name)
    return Decoded(text, (f"it is not UTF-8 and was read as {older}", *notes))


def declared_encoding(page: bytes) -> str | None:
    """Return the encoding that a page declares in a ``meta`` element; None without one."""
    match = _CHARSET.search(page[:_DECLARED])
    return match[1].decode("ascii") if match else None


def is_damaged_utf8(data: bytes) -> bool:
    """Return whether more characters beyond ASCII are valid in UTF-8 than not; older encodings have hardly any."""
    text = data.decode("utf-8", errors="replace")
    invalid = text.count(REPLACED) - data.count(REPLACED.encode())
    return sum(ord(character) > _LAST_ASCII for character in text) - invalid > invalid


def older_encoding(data: bytes) -> str:
    """Return the most probable encoding of a text that is not UTF-8."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - heavy, only for text that is not UTF-8

    if sum(byte > _LAST_ASCII for byte in data[:_SAMPLE]) < _FEW:
        return "cp1252"
    best = from_bytes(data[:_SAMPLE]).best()
    return best.encoding if best else "cp1252"


def _decode_as(encoding: str, data: bytes, name: str) -> Decoded:
    """Return the text in an encoding; some damaged characters are replaced and noted, many show that it is not text."""
    try:
        return Decoded(data.decode(encoding))
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace")
    number = text.count(REPLACED)
    if number > _MOST_DAMAGED * len(text):
        raise _not_text(name, f"{number:,} of {len(text):,} characters are not in {encoding.upper()}")
    what = "1 character was" if number == 1 else f"{number:,} characters were"
    return Decoded(text, (f"{what} damaged and replaced by {REPLACED}",))


def _not_text(name: str, why: str) -> UnsupportedFormat:
    return UnsupportedFormat(f"{name} is not text: {why}", "give it in a format that `keywright extract --help` lists")


def _utf16_without_mark(data: bytes) -> str | None:
    """Return UTF-16 when every other byte is zero, as in a text in Latin letters; else None."""
    sample = data[:_UTF16_SAMPLE]
    if len(sample) < _UTF16_SHORTEST or len(data) % 2:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > _MOST_ZEROS * len(sample) / 2 and not even:
        return "utf-16-le"
    return "utf-16-be" if even > _MOST_ZEROS * len(sample) / 2 and not odd else None
