"""Keys of forms: the same for the forms of one phrase over documents, and for no two phrases.

Over a whole collection a stemmer joins too much: *physics* and *physical*, *statics* and *static*. Forms in English are
compared by inflection alone: number, British and American spelling, hyphens and blanks, possessives, *and* and *of*
(*dynamics of vehicles*), as words of Latin letters in a language without stemmer; others by their stems.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from keywright.text.abbreviations import find_definitions
from keywright.text.label_stems import PLURAL_CAPITALS, fold_marks, join_capitals, spell_parts
from keywright.text.stems import SNOWBALL, stemmer, stopwords
from keywright.text.tokens import normal_form

_WORDS: Final = re.compile(r"[^\W_]+(?:\+\+|[+#](?!\w))?")  # words, with the signs of names such as C++ and C#
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’`´]s\b|(?<=s)['’`´](?!\w)")
_JOINING: Final = frozenset({"and", "the"})
_INVERTED: Final = re.compile(r"([^,]+), ([^,]+)")
_LIKE_OF: Final = re.compile(r"^([^,]+?) of (?:the |an? )?([^,]+)$", re.IGNORECASE)
_OTHER_JOINING: Final = frozenset("of in on for to with by from at and or as between".split())
_NO_PLURALS: Final = frozenset("news means goods arms customs glasses aids savings series".split())
"""Words in *s* that are not the plural of the word without it, or have another meaning than its plural."""
_IN_IC: Final = re.compile(
    r"(?:top|metr|fabr|clin|crit|com|characterist|biot|plast|ceram|cosmet|lyr|mosa|heurist|log|rel|pac)ics$"
)
"""Ends of plurals in *ics*; other words so, such as *physics*, are names of fields."""
_DOUBLED: Final = re.compile(r"([aeiou][^aeiou]+[aeiou])ll(?=(?:ing|ed|er)s?$)")
"""British *ll* in words such as *modelling* and *labelled*."""
_SILENT: Final = re.compile(r"(?<=[sxz])es?$|(?<=[cs]h)es?$")
_SHORTEST: Final = 4  # letters of a word that may be a plural: *gas*, *DNS* and *iOS* are none
_LONGEST_SHORT: Final = 10  # characters of an acronym, as in ``text.abbreviations``
_BRACKETS: Final = re.compile(r"^(.*\S)\s*\(([A-Za-z][\w-]{1,7})\)$")  # a phrase with its acronym behind it


@lru_cache(1 << 16)
def form_key(text: str, language: str | None) -> str:
    """Return the key of a form; empty when it has neither letter nor digit.

    >>> {form_key(text, "en") for text in ("Low-cost sensors", "low cost sensor", "lowcost sensors")}
    {'lowcostsensor'}
    """
    if bracketed := split_definition(text):
        text = bracketed[1]
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    capitals = {word.lower() for word in re.findall(r"\b[A-Z0-9]{2,}\b", PLURAL_CAPITALS.sub(" ", text))}
    small = _POSSESSIVE.sub("", normal_form(join_capitals(text)))
    words, other = _WORDS.findall(small), language if language in SNOWBALL and language != "en" else None
    of = None if other or sum(word in _OTHER_JOINING for word in words) > 1 else _LIKE_OF.match(small)
    if of:  # dynamics of vehicles, in the order of vehicle dynamics
        words = [*_WORDS.findall(of[2]), *_WORDS.findall(of[1])]
    if len(words) > 1:
        words = [word for word in words if word not in _JOINING] or words  # not the letter of *lipid A*
    pieces = [
        word if word in capitals else stemmer(other)(fold_marks(word, other)) if other else _english(word)
        for word in words
    ]
    # Numbers side by side stay apart: version 1.5 is not version 15.
    return re.sub(r"(?<!\d) | (?!\d)", "", " ".join(pieces))


@lru_cache(1 << 16)
def _english(word: str) -> str:
    stem, sign = re.fullmatch(r"(.*?)([+#]*)", word).groups()  # type: ignore[union-attr]  # it always matches
    return "".join(map(_singular, spell_parts([stem], "en")[0].split("-"))) + sign


def _singular(word: str) -> str:
    """Return an English word without the ends of a regular plural."""
    word = _DOUBLED.sub(r"\1l", word)
    is_plural = len(word) >= _SHORTEST and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if is_plural and word not in _NO_PLURALS and (not word.endswith("ics") or _IN_IC.search(word)):
        single = word[:-3] + "y" if word.endswith("ies") else word[:-1]
        word = single if re.search("[aeiouy]", single) else word
    if len(word) >= _SHORTEST and word.endswith("ie"):
        return word[:-2] + "y"  # movie, so that it meets movies
    return _SILENT.sub("", word) if len(word) >= _SHORTEST else word


def turn_heading(text: str) -> str:
    """Return a heading such as *Gulf, Persian* in the order of its words; others, such as *Fargo, N.D.*, turned too."""
    return _INVERTED.sub(r"\2 \1", text) if _INVERTED.fullmatch(text) else text


def split_definition(text: str) -> tuple[str, str] | None:
    """Return short and long form of a phrase that ends with its own acronym, such as *neural networks (NNs)*."""
    match = _BRACKETS.match(" ".join(text.split()))
    return next(find_definitions(f"{match[1]} ({match[2].upper()})"), None) if match else None


def list_definitions(text: str, phrases: Iterable[str], language: str | None) -> Iterator[tuple[str, str]]:
    """Yield the keys of short forms with the long forms by which a text or phrases define them, the first of each."""
    definitions: dict[str, str] = {}
    for short, long in [*find_definitions(text), *filter(None, map(split_definition, phrases))]:
        definitions.setdefault(form_key(short, language), long)
    yield from ((key, long) for key, long in definitions.items() if key and form_key(long, language) not in {"", key})


def is_short_form(text: str) -> bool:
    """Return whether a form is written as an acronym: with two capitals or more, or without a vowel as *svm*."""
    if len(text) > _LONGEST_SHORT:
        return False
    letters = join_capitals(text)
    no_word = text.isalpha() and not re.search("[aeiouy]", text)
    return " " not in text and (no_word or sum(map(str.isupper, letters)) > 1) and text.lower() not in stopwords("en")
