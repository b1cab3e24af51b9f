"""Characters that spaCy 2.0.11 takes for letters and symbols: those of Unicode 9, of five scripts.

Its letters are cased Latin letters, Russian Cyrillic, and the letters of Bengali, Hebrew and Arabic, which have no case
and count as both. Greek and the rest of Cyrillic are not letters there.
"""

import unicodedata
from functools import lru_cache
from typing import Final

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


@lru_cache(maxsize=1)
def lower() -> str:
    """Return lower-case letters and those without case, as the inside of a character class."""
    return _class(_cased("Ll"), _points(_RUSSIAN_LOWER), _points(_CASELESS))


@lru_cache(maxsize=1)
def upper() -> str:
    """Return upper-case letters and those without case, as the inside of a character class."""
    return _class(_cased("Lu"), _points(_RUSSIAN_UPPER), _points(_CASELESS))


@lru_cache(maxsize=1)
def letters() -> str:
    """Return all letters, as the inside of a character class."""
    return _class(*map(_points, (_LATIN, _RUSSIAN_LOWER, _RUSSIAN_UPPER, _CASELESS)))


@lru_cache(maxsize=1)
def symbols() -> str:
    """Return symbols, as the inside of a character class."""
    return _class(_points(_SYMBOLS))


@lru_cache(maxsize=1 << 12)
def is_word_character(character: str) -> bool:
    """Check for a letter, mark, digit or connector, of any script."""
    kind = unicodedata.category(character)
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or ord(character) in _points(_CIRCLED)


def _cased(kind: str) -> frozenset[int]:
    return frozenset(point for point in _points(_LATIN) if unicodedata.category(chr(point)) == kind)


def _points(ranges: str) -> frozenset[int]:
    """Parse ranges of code points in base 16."""
    ends = (span.partition("-") for span in ranges.split())
    return frozenset(point for first, _, last in ends for point in range(int(first, 16), int(last or first, 16) + 1))


def _class(*sets: frozenset[int]) -> str:
    """Return the union as ranges of characters."""
    points = sorted(frozenset[int]().union(*sets))
    starts = [at for at, point in enumerate(points) if not at or points[at - 1] != point - 1]
    ends = [*(at - 1 for at in starts[1:]), len(points) - 1]
    # None of the characters is special inside a character class, so none needs escaping.
    return "".join(f"{chr(points[a])}-{chr(points[b])}" for a, b in zip(starts, ends, strict=True))
