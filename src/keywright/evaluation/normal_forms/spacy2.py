"""The tokens and look-up lemmas of blank English in spaCy 2.0.11, as rules; neither spaCy nor its files are needed.

A text is split at white space; single blanks vanish, longer white space becomes a token. From a chunk that is neither
an exception nor an address, prefixes and suffixes are removed one by one until none is left, or until an exception or
an address remains; the remaining core is split at infixes. The order of a pattern's alternatives matters. Letters are
those of Unicode 9 in five scripts: cased Latin letters, Russian Cyrillic, and Bengali, Hebrew and Arabic, which have no
case and count as both. Callers must not modify the tables of ``models/spacy2_english.json.zst``.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final, NamedTuple, TypeAlias

import zstandard

FILE: Final = "spacy2_english.json.zst"


_LATIN: Final = (
    "41-5A 61-7A C0-D6 D8-F6 F8-1BA 1BC-1BF 1C4 1C6-1C7 1C9-1CA 1CC-1F1 1F3-293 295-2AF 1D00-1D25 1D6B-1D77 "
    "1D79-1D9A 1E00-1EFF 212A-212B 2132 214E 2183-2184 2C60-2C7B 2C7E-2C7F A722-A76F A771-A787 A78B-A78E "
    "A790-A7AE A7B0-A7B7 A7FA AB30-AB5A AB60-AB64 FB00-FB06 FF21-FF3A FF41-FF5A"
)
"""Latin letters that have case, as code points in base 16."""

_RUSSIAN_LOWER: Final = "430-44F 451"
_RUSSIAN_UPPER: Final = "401 410-42F"

_CASELESS: Final = (
    "980 985-98C 98F-990 993-9A8 9AA-9B0 9B2 9B6-9B9 9BD 9CE 9DC-9DD 9DF-9E1 9F0-9F1 5D0-5EA 5F0-5F2 FB1D "
    "FB1F-FB28 FB2A-FB36 FB38-FB3C FB3E FB40-FB41 FB43-FB44 FB46-FB4F 620-63F 641-64A 66E-66F 671-6D3 6D5 6E5-6E6 "
    "6EE-6EF 6FA-6FC 6FF 750-77F 8A0-8B4 8B6-8BD FB50-FBB1 FBD3-FD3D FD50-FD8F FD92-FDC7 FDF0-FDFB FE70-FE74 "
    "FE76-FEFC 1EE00-1EE03 1EE05-1EE1F 1EE21-1EE22 1EE24 1EE27 1EE29-1EE32 1EE34-1EE37 1EE39 1EE3B 1EE42 1EE47 "
    "1EE49 1EE4B 1EE4D-1EE4F 1EE51-1EE52 1EE54 1EE57 1EE59 1EE5B 1EE5D 1EE5F 1EE61-1EE62 1EE64 1EE67-1EE6A "
    "1EE6C-1EE72 1EE74-1EE77 1EE79-1EE7C 1EE7E 1EE80-1EE89 1EE8B-1EE9B 1EEA1-1EEA3 1EEA5-1EEA9 1EEAB-1EEBB"
)
"""Letters of Bengali, Hebrew and Arabic."""

_SYMBOLS: Final = (
    "A6 A9 AE B0 482 58D-58E 60E-60F 6DE 6E9 6FD-6FE 7F6 9FA B70 BF3-BF8 BFA C7F D4F D79 F01-F03 F13 F15-F17 "
    "F1A-F1F F34 F36 F38 FBE-FC5 FC7-FCC FCE-FCF FD5-FD8 109E-109F 1390-1399 1940 19DE-19FF 1B61-1B6A 1B74-1B7C "
    "2100-2101 2103-2106 2108-2109 2114 2116-2117 211E-2123 2125 2127 2129 212E 213A-213B 214A 214C-214D 214F "
    "218A-218B 2195-2199 219C-219F 21A1-21A2 21A4-21A5 21A7-21AD 21AF-21CD 21D0-21D1 21D3 21D5-21F3 2300-2307 "
    "230C-231F 2322-2328 232B-237B 237D-239A 23B4-23DB 23E2-23FE 2400-2426 2440-244A 249C-24E9 2500-25B6 "
    "25B8-25C0 25C2-25F7 2600-266E 2670-2767 2794-27BF 2800-28FF 2B00-2B2F 2B45-2B46 2B4D-2B73 2B76-2B95 "
    "2B98-2BB9 2BBD-2BC8 2BCA-2BD1 2BEC-2BEF 2CE5-2CEA 2E80-2E99 2E9B-2EF3 2F00-2FD5 2FF0-2FFB 3004 3012-3013 "
    "3020 3036-3037 303E-303F 3190-3191 3196-319F 31C0-31E3 3200-321E 322A-3247 3250 3260-327F 328A-32B0 "
    "32C0-32FE 3300-33FF 4DC0-4DFF A490-A4C6 A828-A82B A836-A837 A839 AA77-AA79 FDFD FFE4 FFE8 FFED-FFEE FFFC- "
    "FFFD 10137-1013F 10179-10189 1018C-1018E 10190-1019B 101A0 101D0-101FC 10877-10878 10AC8 1173F 16B3C-16B3F "
    "16B45 1BC9C 1D000-1D0F5 1D100-1D126 1D129-1D164 1D16A-1D16C 1D183-1D184 1D18C-1D1A9 1D1AE-1D1E8 1D200-1D241 "
    "1D245 1D300-1D356 1D800-1D9FF 1DA37-1DA3A 1DA6D-1DA74 1DA76-1DA83 1DA85-1DA86 1F000-1F02B 1F030-1F093 "
    "1F0A0-1F0AE 1F0B1-1F0BF 1F0C1-1F0CF 1F0D1-1F0F5 1F110-1F12E 1F130-1F16B 1F170-1F1AC 1F1E6-1F202 1F210-1F23B "
    "1F240-1F248 1F250-1F251 1F300-1F3FA 1F400-1F6D2 1F6E0-1F6EC 1F6F0-1F6F6 1F700-1F773 1F780-1F7D4 1F800-1F80B "
    "1F810-1F847 1F850-1F859 1F860-1F887 1F890-1F8AD 1F910-1F91E 1F920-1F927 1F930 1F933-1F93E 1F940-1F94B "
    "1F950-1F95E 1F980-1F991 1F9C0"
)
"""Symbols other than signs of currency and of mathematics: Unicode's class So."""

_CIRCLED: Final = "200C-200D 24B6-24E9 1F130-1F149 1F150-1F169 1F170-1F189"
"""Joiners and letters in circles and squares, which are word characters without being letters."""

_MARKS: Final = "… …… , : ; ! ? ¿ ؟ ¡ ( ) [ ] { } < > _ # * & 。 ？ ！ ， 、 ； ： ～ · । ، ؛ ٪".split()
_QUOTES: Final = "' '' \" ” “ `` ` ‘ ´ ‘‘ ’’ ‚ , „ » « 「 」 『 』 （ ） 〔 〕 【 】 《 》 〈 〉".split()
_CURRENCY: Final = "$ £ € ¥ ฿ US$ C$ A$ ₽ ﷼".split()
_UNITS: Final = (
    "km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg µg t lb oz m/s km/h kmh mph hPa Pa "
    "mbar mb MB kb KB gb GB tb TB T G M K % км км² км³ м м² м³ дм дм² дм³ см см² см³ мм мм² мм³ нм кг г мг м/с км/ч "
    "кПа Па мбар Кб КБ кб Мб МБ мб Гб ГБ гб Тб ТБ тб"
).split()
_HYPHENS: Final = "- – — -- --- —— ~".split()
_DOTS: Final = (r"\.\.+", "…")
_PROTOCOL: Final = re.compile(r"(?:https?|ftp|mailto)://")
_HOST: Final = re.compile(r"(?:[a-z0-9-]*[a-z0-9]\.)+[a-z]{2}")
_PUBLIC: Final = re.compile(
    r"(?!(?:10|127)(?:\.\d{1,3}){3})"
    r"(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})"
    r"(?!172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})"
    r"(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}\.[1-9]"
)

Token: TypeAlias = tuple[str, str]  # A token's text and its lemma, in the case of the table
_CHUNKS: Final = re.compile(r"\s+|\S+")
_WINDOW: Final = 16
"""Characters at an end of a core that are searched first: more than any affix has, but a run of dots."""


def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; none for an empty text."""
    return tuple(token for chunk in split_chunks(text) for token in tokenise_chunk(chunk))


@lru_cache(maxsize=1 << 16)
def split_chunks(text: str) -> tuple[str, ...]:
    """Split into runs of white space and of other characters; white space loses the blank that follows a word."""
    words = text.split(" ")
    if words == text.split():
        return tuple(words)
    first, *rest = _CHUNKS.findall(text) or [""]
    return tuple(filter(None, (first, *(chunk.removeprefix(" ") for chunk in rest))))


@lru_cache(maxsize=1 << 16)
def tokenise_chunk(chunk: str) -> tuple[Token, ...]:
    """Return the tokens of one chunk."""
    special = load_exceptions()
    if chunk in special:
        return special[chunk]
    if chunk.isascii() and chunk.isalpha():  # shortcut: no affix consists of ASCII letters
        return (_look_up(chunk),)
    front, core, back = _peel_affixes(chunk)
    if core in special:
        return (*map(_look_up, front), *special[core], *map(_look_up, back))
    pieces, start = [], 0
    for match in () if is_address(core) else build_affixes().infix.finditer(core):
        if match.start():  # an infix at the very start of the core is not split off
            pieces += [core[start : match.start()], match.group()]
            start = match.end()
    return tuple(map(_look_up, filter(None, (*front, *pieces, core[start:], *back))))


def _peel_affixes(chunk: str) -> tuple[list[str], str, list[str]]:
    """Split a chunk into prefixes, core and suffixes; only ends of the core are looked at and copied."""
    front: list[str] = []
    back: list[str] = []
    start, end = 0, len(chunk)
    while (
        start < end
        and not _is_special(chunk, start, end)
        and not (is_word_character(chunk[start]) and is_address(chunk[start:end]))
    ):
        head, tail = _prefix_length(chunk, start, end), _suffix_length(chunk, start, end)
        # If removing one affix leaves an exception, that stays whole: the other end is not touched.
        if head and _is_special(chunk, start + head, end):
            tail = 0
        elif tail and _is_special(chunk, start, end - tail):
            head = 0
        elif head and start + head + tail > end:
            tail = 0
        if not head and not tail:
            break
        front += [chunk[start : start + head]] if head else []
        back += [chunk[end - tail : end]] if tail else []
        start, end = start + head, end - tail
    return front, chunk[start:end], back[::-1]


def _prefix_length(chunk: str, start: int, end: int) -> int:
    for window in (min(end, start + _WINDOW), end):
        match = build_affixes().prefix.match(chunk[start:window])
        length = match.end() if match else 0
        if start + length < window:
            break
    return length


def _suffix_length(chunk: str, start: int, end: int) -> int:
    for window in (max(start, end - _WINDOW), start):
        match = build_affixes().suffix.search(chunk[window:end])
        length = end - window - match.start() if match else 0
        if not match or match.start():
            break
    return length


_LONGEST: Final = 12  # characters of the longest exception in the tables


def _is_special(chunk: str, start: int, end: int) -> bool:
    return end - start <= _LONGEST and chunk[start:end] in load_exceptions()


def _look_up(token: str) -> Token:
    return token, load_lemmas().get(token, token)


def is_address(chunk: str) -> bool:
    """Check whether a chunk without white space is one token as an address; False for an empty one."""
    if "." not in chunk or not is_word_character(chunk[0]):
        return False
    if chunk[-1] != "/" and not is_word_character(chunk[-1]):
        return False
    protocol = _PROTOCOL.match(chunk)
    places = [0, *([protocol.end()] if protocol else []), *(at.end() for at in re.finditer("(?<=.)@", chunk))]
    return any(_HOST.match(chunk, place) or _PUBLIC.match(chunk, place) for place in places)


@lru_cache(maxsize=1 << 12)
def is_word_character(character: str) -> bool:
    """Check for a letter, mark, digit or connector, of any script."""
    kind = unicodedata.category(character)
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or ord(character) in _parse_ranges(_CIRCLED)


def _parse_ranges(ranges: str) -> frozenset[int]:
    ends = (span.partition("-") for span in ranges.split())
    return frozenset(point for first, _, last in ends for point in range(int(first, 16), int(last or first, 16) + 1))


def _character_class(points: Iterable[int]) -> str:
    ordered = sorted(points)
    starts = [at for at, point in enumerate(ordered) if not at or ordered[at - 1] != point - 1]
    ends = [*(at - 1 for at in starts[1:]), len(ordered) - 1]
    # None of the characters is special inside a character class, so none needs escaping.
    return "".join(f"{chr(ordered[a])}-{chr(ordered[b])}" for a, b in zip(starts, ends, strict=True))


class Affixes(NamedTuple):
    """Patterns of affixes."""

    prefix: re.Pattern[str]  # for ``match`` at the start
    suffix: re.Pattern[str]  # for ``search``; anchored at the end, and the leftmost start wins, so the longest ending
    infix: re.Pattern[str]  # for ``finditer`` in the remaining core


@lru_cache(maxsize=1)
def build_affixes() -> Affixes:
    """Build the patterns on first use."""
    latin, caseless = _parse_ranges(_LATIN), _parse_ranges(_CASELESS)
    small, capital = ({point for point in latin if unicodedata.category(chr(point)) == kind} for kind in ("Ll", "Lu"))
    lower = _character_class(small | _parse_ranges(_RUSSIAN_LOWER) | caseless)
    upper = _character_class(capital | _parse_ranges(_RUSSIAN_UPPER) | caseless)
    letter = _character_class(latin | _parse_ranges(_RUSSIAN_LOWER) | _parse_ranges(_RUSSIAN_UPPER) | caseless)
    symbol = f"[{_character_class(_parse_ranges(_SYMBOLS))}]"
    currency, units, hyphens = ("|".join(map(re.escape, signs)) for signs in (_CURRENCY, _UNITS, _HYPHENS))
    signs = [*map(re.escape, _MARKS), *_DOTS, *map(re.escape, _QUOTES)]
    # Besides letters and digits, these signs and those of quotation marks may precede a full stop that is split off.
    # Brackets, colons and bars are among them because the reference put a group inside a character class.
    before_stop = re.escape("%²-)]+(?:|" + "".join(_QUOTES))
    prefixes = ["§", "%", "=", r"\+", *signs, currency, symbol]
    suffixes = [
        *signs,
        symbol,
        "['’][sS]",
        r"(?<=[0-9])\+",
        r"(?<=°[FfCcKk])\.",
        f"(?<=[0-9])(?:{currency})",
        f"(?<=[0-9])(?:{units})",
        rf"(?<=[0-9{lower}{before_stop}])\.",
        rf"(?<=[{upper}][{upper}])\.",
    ]
    infixes = [
        *_DOTS,
        symbol,
        r"(?<=[0-9])[-+*^](?=[0-9-])",
        rf"(?<=[{lower}])\.(?=[{upper}])",
        f"(?<=[{letter}]),(?=[{letter}])",
        f'(?<=[{letter}])[?";:=,.]*(?:{hyphens})(?=[{letter}])',
        f'(?<=[{letter}"])[:<>=/](?=[{letter}])',
    ]
    suffix = rf"(?:{'|'.join(suffixes)})\Z"
    return Affixes(*map(re.compile, ("|".join(prefixes), suffix, "|".join(infixes))))


@lru_cache(maxsize=1)
def load_exceptions() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the chunks with special tokens, each as tokens with their lemmas."""
    return {chunk: tuple((word, lemma) for word, lemma in cut) for chunk, cut in _load_tables()["exceptions"].items()}


@lru_cache(maxsize=1)
def load_lemmas() -> Mapping[str, str]:
    """Return lemmas by word, case-sensitive; a word that is missing is its own lemma."""
    table: dict[str, str] = _load_tables()["lemmas"]
    return table


@lru_cache(maxsize=1)
def _load_tables() -> dict[str, Any]:
    packed = resources.files("keywright").joinpath("models", FILE).read_bytes()
    tables: dict[str, Any] = json.loads(zstandard.decompress(packed))
    return tables
