"""Keys of forms: the same for the forms of one phrase over documents, and for no two phrases.

Over a whole collection a stemmer joins too much: *physics* and *physical*, *statics* and *static*. Forms in English are
compared by inflection alone: number, British and American spelling, hyphens and blanks, possessives, *and* and *of*
(*dynamics of vehicles*), as words of Latin letters in a language without stemmer; others by their stems.

Forms that an encoder finds to mean the same are merged as well. It takes for near what only belongs to one field:
*discourse analysis* and *discourse structure*, *4bit* and *16bit*. In 260 pairs of keywords judged by hand
(``studies/collection/meaning_pairs.tsv``), 52 of 130 with a cosine of .88 or more are not the same; 34 of these 52 have
other numbers, or all words of one are in the other. Pairs so are left out; the thresholds are from what remains. It
merges 68 pairs of other collections, and 65 are the same.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import to_units
from keywright.text.abbreviations import find_definitions
from keywright.text.encoders import Encode
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
Forms: TypeAlias = Mapping[int, list[tuple[str, int]]]  # forms of each phrase, with their documents
_SAME: Final = 0.94  # least cosine of phrases that are merged: 23 of 25 judged pairs are the same
_SUGGESTED: Final = 0.88  # least cosine of those that are suggested: 57 of 75
_ROWS: Final = 512  # phrases that are compared with all others at once; arbitrary, 10 MB for 5,000 phrases
_NUMBERS: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_OTHER_LETTERS: Final = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")  # letters that are not Latin


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


@dataclass(frozen=True, slots=True)
class Merged:
    """A form that is counted under a phrase that is written otherwise; ``reason``: why."""

    form: str
    phrase: str
    documents: int
    reason: str


def list_merges(texts: list[str], forms: Forms, reasons: Mapping[str, str]) -> Iterator[Merged]:
    """Yield the forms that are counted under a phrase written otherwise, and why; ``reasons``: those by form."""
    for place, of_phrase in forms.items():
        shown = texts[place]
        for text, documents in of_phrase[1:]:
            if text == shown:  # it was named, and is written so
                continue
            if text.casefold() in reasons:
                reason = reasons[text.casefold()]
            elif text.casefold() == shown.casefold():
                reason = "capitals"
            elif is_short_form(text) and form_key(text, None) != form_key(shown, None):
                reason = "acronym"
            else:
                reason = "inflection, spelling or hyphens"
            yield Merged(text, shown, documents, reason)


def join_meanings(forms: Forms, chosen: AbstractSet[str], encode: Encode) -> tuple[list[Merged], list[Merged]]:
    """Return forms that are merged by meaning and those that may be; ``chosen``: forms that the user placed.

    An encoder with ``languages``, such as the shipped one, compares phrases in Latin letters only.
    """
    is_limited = getattr(encode, "languages", None) is not None  # it knows Latin letters only, and others are alike
    free = [
        place for place in sorted(forms)
        if chosen.isdisjoint(text.casefold() for text, _ in forms[place])
        and not (is_limited and _OTHER_LETTERS.search(forms[place][0][0]))
    ]  # fmt: skip
    same, suggestions = list[Merged](), list[Merged]()
    for index, other, cosine in _find_meanings([forms[place][0][0] for place in free], encode):
        shown, merges = forms[free[other]][0][0], same if cosine >= _SAME else suggestions
        merges += (Merged(text, shown, documents, f"meaning, {cosine:.2f}") for text, documents in forms[free[index]])
    return same, suggestions


def _find_meanings(texts: Sequence[str], encode: Encode) -> Iterator[tuple[int, int, float]]:
    """Yield phrases, by index, with an earlier one that may mean the same, and their cosine of ``_SUGGESTED`` or more.

    ``texts``: the most frequent phrase first. Each phrase has its nearest partner, which is itself without one, so that
    no chain joins what is far apart. Nothing for fewer than two phrases; errors are those of the encoder.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return
    units = to_units(np.asarray(encode(texts))).astype(np.float32)
    joined: set[int] = set()
    for start in range(0, len(texts), _ROWS):
        cosines = units[start : start + _ROWS] @ units[: start + _ROWS].T
        for row, index in enumerate(range(start, min(start + _ROWS, len(texts)))):
            near = cosines[row, :index]
            for other in np.argsort(-near, kind="stable")[: int((near >= _SUGGESTED).sum())]:
                if other not in joined and _may_be_same(texts[index], texts[other]):
                    joined.add(index)
                    yield index, int(other), float(near[other])
                    break


def _may_be_same(first: str, second: str) -> bool:
    """Return whether phrases have the same numbers, and neither has all words of the other and more."""
    words, others = (set(_LETTERS.findall(text.casefold())) for text in (first, second))
    return set(_NUMBERS.findall(first)) == set(_NUMBERS.findall(second)) and not (words < others or others < words)
