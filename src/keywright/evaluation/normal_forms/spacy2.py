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
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.core.saving import MODELS
from keywright.core.word_lists import read_sections
from keywright.core.zstandard import zstd

FILE: Final = "spacy2_english.json.zst"
_LISTS: Final = "evaluation/normal_forms/spacy2_characters.txt"
_MARKS: Final = "… …… , : ; ! ? ¿ ؟ ¡ ( ) [ ] { } < > _ # * & 。 ？ ！ ， 、 ； ： ～ · । ، ؛ ٪".split()
_QUOTES: Final = "' '' \" ” “ `` ` ‘ ´ ‘‘ ’’ ‚ , „ » « 「 」 『 』 （ ） 〔 〕 【 】 《 》 〈 〉".split()
_CURRENCY: Final = "$ £ € ¥ ฿ US$ C$ A$ ₽ ﷼".split()
_HYPHENS: Final = "- – — -- --- —— ~".split()
_DOTS: Final = (r"\.\.+", "…")
_PROTOCOL: Final = re.compile(r"(?:https?|ftp|mailto)://")
_HOST: Final = re.compile(r"(?:[a-z0-9-]*[a-z0-9]\.)+[a-z]{2}")
_PUBLIC: Final = re.compile(
    r"(?!(?:10|127)(?:\.\d{1,3}){3}|(?:169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})"
    r"(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}\.[1-9]"
)

Token: TypeAlias = tuple[str, str]  # A token's text and its lemma, in the case of the table
_CHUNKS: Final = re.compile(r"\s+|\S+")
_WINDOW: Final = 16
"""Characters at an end of a core that are searched first: more than any affix has, but a run of dots."""


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
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or ord(character) in _read_characters("CIRCLED")


@cache
def _read_characters(name: str) -> frozenset[int]:
    """Return the code points of a class of characters."""
    ends = (span.partition("-") for span in read_sections(_LISTS, " ")[name].split())
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
    latin, caseless = _read_characters("LATIN"), _read_characters("CASELESS")
    small, capital = ({point for point in latin if unicodedata.category(chr(point)) == kind} for kind in ("Ll", "Lu"))
    lower = _character_class(small | _read_characters("RUSSIAN_LOWER") | caseless)
    upper = _character_class(capital | _read_characters("RUSSIAN_UPPER") | caseless)
    letter = _character_class(latin | _read_characters("RUSSIAN_LOWER") | _read_characters("RUSSIAN_UPPER") | caseless)
    symbol = f"[{_character_class(_read_characters('SYMBOLS'))}]"
    currency, units, hyphens = (
        "|".join(map(re.escape, signs)) for signs in (_CURRENCY, read_sections(_LISTS, " ")["UNITS"].split(), _HYPHENS)
    )
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
    packed = (MODELS / FILE).read_bytes()
    tables: dict[str, Any] = json.loads(zstd.decompress(packed))
    return tables
