"""The stems of NLTK 3.2.5's Porter stemmer in its default mode.

The algorithm is Porter's (*An algorithm for suffix stripping*, Program 14, 1980). NLTK departs from it: a table of
irregular words, looked up case-sensitively; words of one or two characters are unchanged;
``ies`` and ``ied`` keep an e in words of four letters; y becomes i only after a consonant that is not the first letter;
``bli``, ``fulli`` and ``logi`` in step 2; a vowel and a consonant alone count as consonant-vowel-consonant.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

Rules: TypeAlias = Mapping[str, Mapping[str, str]]
"""Ending to its replacement, by the ending's last letter."""


def _group_by_last_letter(endings: Mapping[str, str]) -> Rules:
    """Group rules by the last letter of the ending, order kept."""
    letters = dict.fromkeys(ending[-1] for ending in endings)
    return MappingProxyType(
        {last: {ending: other for ending, other in endings.items() if ending[-1] == last} for last in letters}
    )


_IRREGULAR: Final = MappingProxyType(
    {
        "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
        "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
        "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
    }
)  # fmt: skip
_STEP_2: Final = _group_by_last_letter(
    {
        "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
        "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
        "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
        "fulli": "ful",
    }
)  # fmt: skip
_STEP_3: Final = _group_by_last_letter(
    {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
)
_STEP_4: Final = tuple(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()  # the first that fits
)
_KINDS: Final = str.maketrans({letter: "v" if letter in "aeiou" else "c" for letter in map(chr, range(128))})
_SHORT: Final = 2
"""Length up to which NLTK leaves a word as it is."""
_SHORT_IE: Final = 4
"""Length of the words (``dies``, ``died``) whose ``ie`` NLTK keeps."""


@lru_cache(maxsize=1 << 16)
def nltk_stem(word: str) -> str:
    """Return the stem of a token.

    >>> nltk_stem("Relational"), nltk_stem("News"), nltk_stem("news"), nltk_stem("IT")
    ('relat', 'new', 'news', 'IT')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= _SHORT:
        return word
    stem = _strip_past(_strip_plural(word.lower()))
    if stem.endswith("y") and len(stem) > _SHORT and letter_shape(stem)[-2] == "c":
        stem = stem[:-1] + "i"
    stem = _replace_ending(_step_2(stem), _STEP_3)
    return _tidy_end(_step_4(stem))


def _strip_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == _SHORT_IE else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    """Apply step 1b."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == _SHORT_IE else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if porter_measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and "v" in letter_shape(stem):
            return _complete_stem(stem)
    return word


def _complete_stem(stem: str) -> str:
    """Apply the end of step 1b: repair a stem after ``ed`` or ``ing`` was removed."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and letter_shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    if stem.endswith("*d"):  # Porter's sign for a doubled consonant, which NLTK also reads as a literal ending
        return stem[:-2] + "d"
    return stem + "e" if porter_measure(stem) == 1 and _ends_short(stem) else stem


def _step_2(word: str) -> str:
    """Apply step 2; ``alli`` may expose another ending, and the stem before ``logi`` is measured with its l."""
    if word.endswith("alli") and porter_measure(word[:-4]):
        word = word[:-2]
    if word.endswith("logi"):
        return word[:-1] if porter_measure(word[:-3]) else word
    return _replace_ending(word, _STEP_2)


def _step_4(word: str) -> str:
    """Apply step 4: remove the first ending of the list that the word has, if the stem before it is long enough."""
    ending = next(filter(word.endswith, _STEP_4), "")
    stem = word.removesuffix(ending)
    if porter_measure(stem) > 1 and (ending != "ion" or stem[-1] in "st"):
        return stem
    return word


def _tidy_end(word: str) -> str:
    """Apply steps 5a and 5b: remove a final e, and one of two final l."""
    if word.endswith("e"):
        count = porter_measure(word[:-1])
        if count > 1 or (count == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and porter_measure(word[:-1]) > 1 else word


def _replace_ending(word: str, rules: Rules) -> str:
    """Replace the first ending of the rules that the word has, if a vowel and a consonant precede it."""
    for ending, other in rules.get(word[-1:], {}).items():
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            return stem + other if porter_measure(stem) else word
    return word


def letter_shape(word: str) -> str:
    """Map each character to ``v`` (vowel) or ``c``; y is a vowel after a consonant."""
    if "y" not in word and word.isascii():
        return word.translate(_KINDS)
    kinds: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == ["c"])
        kinds.append("v" if vowel else "c")
    return "".join(kinds)


def porter_measure(word: str) -> int:
    """Count how often a consonant follows a vowel."""
    return letter_shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Check whether a word ends in consonant, vowel, consonant other than w, x, y, or is a vowel and a consonant."""
    shape = letter_shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
