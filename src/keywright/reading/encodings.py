"""The encoding of a text: by its mark, as declared, UTF-8 even where it is damaged, or a probable older one."""

import codecs
import re
from bisect import bisect
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

from keywright.core.errors import UnsupportedFormat
from keywright.core.word_lists import read_pairs, read_patterns, read_sections
from keywright.reading.language_identification import language_probabilities

_MARKS: Final = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip  # UTF-16's mark begins one of UTF-32
_CONTROLS: Final = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b")  # controls that texts do not have
REPLACED: Final = "\ufffd"  # character in place of damaged ones
_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)

# All arbitrary, in bytes where nothing else is said.
_SAMPLE: Final = 100_000  # beginning that a guess is made from, and in which a page may declare its encoding
_MOST_CONTROLS: Final = 0.02  # share of controls in a text
_MOST_DAMAGED: Final = 0.1  # share of characters that may be damaged
_WIDE_SAMPLE: Final = 4_000  # beginning that shows UTF-16 and UTF-32
_MOST_PRINTABLE: Final = 0.75  # share of characters of ASCII among the bytes of UTF-16, of which half are zero in Latin
_PRINTABLE: Final = frozenset(range(0x20, 0x7F))  # ASCII
_COMMON, _CONTROL, _CHINESE, _LATIN = -1, -2, -3, -4  # numbers in place of those of blocks
_WITHOUT_BLANKS: Final = (0x0E, 0x0F, 0x10, 0x17)  # Thai and Lao, Tibetan, Burmese, Khmer
_LEAST_COMMON: Final = 0.02  # share of blanks, stops or kana in a text of any script; arbitrary
# Blocks of Unicode, by their first codes; 0 where each stretch of 256 codes counts as one.
_STARTS: Final = (0, 0x7F, 0xA0, 0x250, 0x2000, 0x2070, 0x3000, 0x3100, 0x3400, 0xA000, 0xAC00, 0xD7B0, 0xFF00, 0x10000)
_BLOCKS: Final = (_COMMON, _CONTROL, _LATIN, 0, _COMMON, 0, _COMMON, 0, _CHINESE, 0, 0xAC, 0, _COMMON, 0)
_OF_A_SCRIPT: Final = 0.95  # share of characters of one script, of two or of all in a text


class Decoded(NamedTuple):
    """A text, and what people should know of its encoding; nothing where it is certain."""

    text: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, name: str, declared: str | None = None) -> Decoded:
    """Return the text of bytes: by mark, UTF-8, as declared, damaged or older; or ``UnsupportedFormat``."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(encoding, data, name)
    sample, nulls = data[:_SAMPLE], data.count(0)
    declared = declared or next((encoding for sign, encoding in _ESCAPES.items() if sign in data), None)
    controls = max(nulls, sum(map(_CONTROLS.__contains__, sample)))
    if controls and (wide := _find_wide(data)):
        return _decode_as(wide, data, name)
    if controls > max(1, _MOST_CONTROLS * len(sample)) and declared not in _ESCAPES.values():
        raise _not_text(name, "it holds control characters")
    if nulls:
        text, notes = decode(data.replace(b"\0", b""), name, declared)
        return Decoded(text, (*notes, f"left out: {nulls:,} null character{'s' * (nulls > 1)}"))
    meant = None  # the encoding that browsers take for a label
    label = (declared or ("hz" if _HZ.search(data) else "")).lower()
    for alias in (label, label.removeprefix("x-")):
        with suppress(LookupError):
            encoding = codecs.lookup(_MEANT.get(alias, alias)).name
            meant = _MEANT.get(encoding, encoding)
    for encoding in filter(None, (meant if meant in _IN_ASCII else None, "utf-8", meant)):
        try:
            return _mend_mojibake(Decoded(data.decode(encoding)))
        except (UnicodeError, LookupError):  # not valid in it, or not an encoding of texts
            continue
    replaced = data.decode("utf-8", errors="replace")
    invalid = replaced.count(REPLACED) - data.count(REPLACED.encode())
    if len(_BEYOND_ASCII.findall(replaced)) - invalid > invalid:  # in older encodings hardly any is valid
        return _decode_as("utf-8", data, name)
    older = older_encoding(data)
    text, notes = _decode_as(older, data, name)
    return _mend_mojibake(Decoded(text, (f"it is not UTF-8 and was read as {older}", *notes)))


_BYTES: Final = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0x100)}
_TO_BYTES: Final = {ord(sign): byte for byte, character in _BYTES.items() for sign in (character, chr(byte))}
_NEXT: Final = "".join(re.escape(_BYTES[byte]) for byte in range(0x80, 0xC0)) + "\x80-\x9f"
_MOJIBAKE: Final = re.compile(rf"[\xc2-\xdf][{_NEXT}]|[\xe0-\xef][{_NEXT}]{{2}}|[\xf0-\xf4][{_NEXT}]{{3}}")
_FEWEST, _LEAST_SHARE = 3, 0.3  # such letters, and their share of those beyond ASCII; arbitrary


def _mend_mojibake(decoded: Decoded) -> Decoded:
    """Return a text with letters such as Ã¤, which are UTF-8 taken for Windows-1252, as they were, and a note."""
    text, notes = decoded
    if "Ã" not in text and "â€" not in text:
        return decoded
    letters = sum(map(len, (broken := _MOJIBAKE.findall(text))))
    if len(broken) < _FEWEST or letters < _LEAST_SHARE * len(_BEYOND_ASCII.findall(text)):
        return decoded
    mended = _MOJIBAKE.sub(lambda match: bytes(_TO_BYTES[ord(c)] for c in match[0]).decode("utf-8", "replace"), text)
    note = f"{len(broken):,} letters such as {broken[0]} were UTF-8 read wrongly, and are mended"
    return Decoded(mended, (*notes, note))


def declared_encoding(page: bytes) -> str | None:
    """Return the encoding that a page declares in a ``meta`` element; None without one."""
    first, *comments = page[:_SAMPLE].split(b"<!--")
    label = _CHARSET.search(first + b"".join(comment.partition(b"-->")[2] for comment in comments))
    return label[1].decode("ascii") if label else None


_MEANT: Final = read_pairs("reading/file_types.txt", "MEANT")
_IN_ASCII: Final = frozenset({"iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_kr", "hz", "utf-7"})
"""Encodings of mail that write all letters in bytes of ASCII."""
_HZ: Final = re.compile(rb"~\{(?:[!-w][!-~]){2,}~\}")  # Chinese in two bytes of ASCII: RFC 1843
_ESCAPES: Final = {b"\x1b$B": "iso2022_jp", b"\x1b$@": "iso2022_jp", b"\x1b$)C": "iso2022_kr"}

_C1: Final = re.compile(r"[\x80-\x84\x86-\x9f]")  # controls that no text has, but for the end of a line
_ODD: Final = re.compile(read_patterns("reading/patterns.txt")["ODD_SIGNS"])
_NEVER_TOGETHER: Final = re.compile("[ąęłśźż]"), re.compile("[čěľřšťůž]")  # Polish, and other letters of its neighbours
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
# Set on the texts of tools/checks/encoding_report.py, and on no others.
_COST: Final = 3.0  # weight of the share of odd characters among those beyond ASCII
# By how much a less usual encoding must be more probable, or one of old computers.
_MARGINS: Final = {"": 0.02, "OLD": 0.3}
_GUESSED: Final = 4_000  # bytes that the encoding of a text is guessed from, whose language is that of 2,000 characters
_LEAST: Final = 0.2  # probability below which the most usual encoding is taken
_MOST_VALID: Final = 0.99  # share of the bytes that are characters of an encoding


def older_encoding(data: bytes) -> str:
    """Return the encoding in which a text that is not UTF-8 is most probably in a language that is written in it.

    *enseñanza* read as Windows-1250 is still Spanish, which nobody writes in that code page. Signs and capitals where
    texts have none count against an encoding.
    """
    first = _HIGH.search(data)
    sample = data[max(0, first.start() - _GUESSED // 20 if first else 0) :][:_GUESSED]
    best, highest = "cp1252", _LEAST
    listed = read_sections("reading/encodings.txt", "\n")
    for line, margin in [(line, margin) for age, margin in _MARGINS.items() for line in listed[age].splitlines()]:
        encoding, *languages = line.split()
        text = sample.decode(encoding, errors="ignore")
        if len(text.encode(encoding, errors="ignore")) >= _MOST_VALID * len(sample) and not _C1.search(text):
            of_languages = language_probabilities(text)
            probability = sum(of_languages.get(language, 0.0) for language in languages)
            odd = min(len(letters.findall(text)) for letters in _NEVER_TOGETHER) if "pl" in languages else 0
            odd += sum(second > "\x7f" and second.isupper() and first.islower() for first, second in pairwise(text))
            odd += len(_ODD.findall(text))
            probability *= 1 - min(1.0, _COST * odd / max(1, len(_BEYOND_ASCII.findall(text))))
            if probability > highest + margin:
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


def _find_wide(data: bytes) -> str | None:
    """Return UTF-32 or UTF-16 where a text without a mark has the letters of a script in it; else None."""
    sample = data[:_WIDE_SAMPLE]
    texts = {}
    if sum(map(_PRINTABLE.__contains__, sample)) <= _MOST_PRINTABLE * len(sample):
        for encoding, size in {"utf-32-le": 4, "utf-32-be": 4, "utf-16-le": 2, "utf-16-be": 2}.items():
            if len(data) % size == 0:
                with suppress(UnicodeDecodeError):
                    texts[encoding] = codecs.getincrementaldecoder(encoding)().decode(sample)
    usual = [encoding for encoding, text in texts.items() if _is_of_a_script(text)]
    return max(usual, key=lambda encoding: sum(map(str.isascii, texts[encoding])) / len(texts[encoding]), default=None)


def _is_of_a_script(text: str) -> bool:
    """Return whether nearly all characters are Latin, common signs, or of the two blocks that have most of them."""
    blocks = Counter(map(_find_block, text))
    usual, controls = blocks.pop(_COMMON, 0), blocks.pop(_CONTROL, 0)
    if usual < _LEAST_COMMON * len(text) and blocks.keys().isdisjoint(_WITHOUT_BLANKS):
        return False  # pairs of bytes of an older encoding, which are letters of Chinese
    usual += sum(count for _, count in blocks.most_common(2))
    return len(text) > 1 and controls <= _MOST_CONTROLS * len(text) and usual >= _OF_A_SCRIPT * len(text)


def _find_block(character: str) -> int:
    """Return the number of a block of Unicode: one for Latin and signs of all scripts, Chinese, Hangul, controls."""
    code = ord(character)
    return _CONTROL if code in _CONTROLS else _BLOCKS[bisect(_STARTS, code) - 1] or code >> 8
