"""The encoding of a text: by its mark, as declared, UTF-8 even where it is damaged, or a probable older one."""

import codecs
import re
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

from keywright.core.errors import UnsupportedFormat
from keywright.core.word_lists import read_pairs, read_sections
from keywright.reading.language_identification import language_probabilities

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b")  # controls that texts do not have
REPLACED: Final = "\ufffd"  # character in place of damaged ones
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARED: Final = 4_096  # bytes in which a page may declare its encoding; the HTML standard demands 1,024

# All arbitrary, in bytes where nothing else is said.
_SAMPLE: Final = 100_000  # beginning that a guess is made from
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
    """Return the text of bytes: by mark, UTF-8, as declared, damaged or older; or ``UnsupportedFormat``."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(encoding, data, name)
    if guessed := _utf16_without_mark(data):
        return _decode_as(guessed, data, name)
    sample, nulls = data[:_SAMPLE], data.count(0)
    if max(nulls, sum(map(_CONTROLS.__contains__, sample))) > max(1, _MOST_CONTROLS * len(sample)):
        raise _not_text(name, "it holds control characters")
    if nulls:
        text, notes = decode(data.replace(b"\0", b""), name, declared)
        return Decoded(text, (*notes, f"left out: {nulls:,} null character{'s' * (nulls > 1)}"))
    declared = declared or next((encoding for sign, encoding in _ESCAPES.items() if sign in data), None)
    meant = None  # the encoding that browsers take for a label
    with suppress(LookupError):
        label = codecs.lookup(declared or "").name
        meant = _MEANT.get(label, label)
    for encoding in filter(None, (meant if meant in _IN_ASCII else None, "utf-8", meant)):
        try:
            return Decoded(data.decode(encoding))
        except (UnicodeError, LookupError):  # not valid in it, or not an encoding of texts
            continue
    replaced = data.decode("utf-8", errors="replace")
    invalid = replaced.count(REPLACED) - data.count(REPLACED.encode())
    if len(_BEYOND_ASCII.findall(replaced)) - invalid > invalid:  # in older encodings hardly any is valid
        return _decode_as("utf-8", data, name)
    older = older_encoding(data)
    text, notes = _decode_as(older, data, name)
    return Decoded(text, (f"it is not UTF-8 and was read as {older}", *notes))


def declared_encoding(page: bytes) -> str | None:
    """Return the encoding that a page declares in a ``meta`` element; None without one."""
    match = _CHARSET.search(page[:_DECLARED])
    return match[1].decode("ascii") if match else None


_MEANT: Final = read_pairs("reading/file_types.txt", "MEANT")
_IN_ASCII: Final = frozenset({"iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_kr", "hz", "utf-7"})
"""Encodings of mail that write all letters in bytes of ASCII."""
_ESCAPES: Final = {b"\x1b$B": "iso2022_jp", b"\x1b$@": "iso2022_jp"}

_ODD: Final = re.compile(
    r"[\x80-\x9f\xa1-\xa6\xa8\xaa\xac\xae\xaf\xb1-\xb6\xb8-\xba\xbc-\xbe\u0e5a-\u0eff\ue000-\uf8ff\u2500-\u25ff]"
    r"|(?<=[\u0370-\u0eff])[A-Za-z\xc0-\u024f]|(?<=[\xc0-\u024f])[\u0370-\u0eff]|(?<=[\u4e00-\u9fff])[\uac00-\ud7a3]"
    r"|(?<![\u0e01-\u0e4e])[\u0e30-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])"
)  # controls and signs that texts hardly have, words of two scripts, vowels of Thai without their consonants
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
# Set on the texts of tools/checks/encoding_report.py, and on no others.
_COST: Final = 3.0  # weight of the share of odd characters among those beyond ASCII
_MARGIN: Final = 0.02  # by which a less usual encoding must be more probable
_GUESSED: Final = 4_000  # bytes that the encoding of a text is guessed from, whose language is that of 2,000 characters
_LEAST: Final = 0.2  # probability below which the most usual encoding is taken
_MOST_VALID: Final = 0.99  # share of the bytes that are characters of an encoding


def older_encoding(data: bytes) -> str:
    """Return the encoding in which a text that is not UTF-8 is most probably in a language that is written in it.

    *enseñanza* read as Windows-1250 is still Spanish, which nobody writes in that code page. Signs and capitals where
    texts have none count against an encoding.
    """
    sample = data[:_GUESSED]
    best, highest = "cp1252", _LEAST
    for line in read_sections("reading/encodings.txt", "\n")[""].splitlines():
        encoding, *languages = line.split()
        text = sample.decode(encoding, errors="ignore")
        if len(text.encode(encoding, errors="ignore")) >= _MOST_VALID * len(sample):
            of_languages = language_probabilities(text)
            probability = sum(of_languages.get(language, 0.0) for language in languages)
            odd = len(_ODD.findall(text)) + sum(
                second > "\x7f" and second.isupper() and first.islower() for first, second in pairwise(text)
            )
            probability *= 1 - min(1.0, _COST * odd / max(1, len(_BEYOND_ASCII.findall(text))))
            if probability > highest + _MARGIN:
                best, highest = encoding, probability
    return best


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
    if max(even, odd) <= _MOST_ZEROS * len(sample) / 2 or (even and odd):
        return None
    return "utf-16-le" if odd else "utf-16-be"
