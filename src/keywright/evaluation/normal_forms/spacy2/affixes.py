"""Prefixes, suffixes and infixes at which spaCy 2.0.11 splits a chunk.

The order of the alternatives matters: the first that matches wins, so that three dots are one sign but two straight
apostrophes are split off one by one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from keywright.evaluation.normal_forms.spacy2.characters import letters, lower, symbols, upper

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


@dataclass(frozen=True, slots=True)
class Affixes:
    """Patterns of affixes.

    Attributes:
        prefix: for ``match`` at the start.
        suffix: for ``search``; anchored at the end, and the leftmost start wins, so the longest ending.
        infix: for ``finditer`` in the remaining core.
    """

    prefix: re.Pattern[str]
    suffix: re.Pattern[str]
    infix: re.Pattern[str]


@lru_cache(maxsize=1)
def affixes() -> Affixes:
    """Build the patterns on first use."""
    signs = [*_literally(_MARKS), *_DOTS, *_literally(_QUOTES)]
    prefixes = [*_literally("§%=+"), *signs, *_literally(_CURRENCY), f"[{symbols()}]"]
    # Besides letters and digits, these signs and those of quotation marks may precede a full stop that is split off.
    # Brackets, colons and bars are among them because the reference put a group inside a character class.
    before_stop = re.escape("%²-)]+(?:|" + "".join(_QUOTES))
    suffixes = [
        *signs,
        f"[{symbols()}]",
        "['’][sS]",
        r"(?<=[0-9])\+",
        r"(?<=°[FfCcKk])\.",
        f"(?<=[0-9])(?:{_any(_CURRENCY)})",
        f"(?<=[0-9])(?:{_any(_UNITS)})",
        rf"(?<=[0-9{lower()}{before_stop}])\.",
        rf"(?<=[{upper()}][{upper()}])\.",
    ]
    infixes = [
        *_DOTS,
        f"[{symbols()}]",
        r"(?<=[0-9])[-+*^](?=[0-9-])",
        rf"(?<=[{lower()}])\.(?=[{upper()}])",
        f"(?<=[{letters()}]),(?=[{letters()}])",
        f'(?<=[{letters()}])[?";:=,.]*(?:{_any(_HYPHENS)})(?=[{letters()}])',
        f'(?<=[{letters()}"])[:<>=/](?=[{letters()}])',
    ]
    suffix = rf"(?:{'|'.join(suffixes)})\Z"
    return Affixes(*map(re.compile, ("|".join(prefixes), suffix, "|".join(infixes))))


def _literally(signs: Sequence[str]) -> list[str]:
    return [re.escape(sign) for sign in signs]


def _any(signs: Sequence[str]) -> str:
    return "|".join(_literally(signs))
