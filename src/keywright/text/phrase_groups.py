"""Near repeats in a ranked list: phrases that nest in a better one or say the same, merged before the list is cut.

Two phrases **nearly repeat** each other if they have the same stems, whatever their order and the words that join
them (*sensor calibration*, *calibration of sensors*); if they differ in hyphens, blanks, accents or British and
American spelling only (*low-cost*, *low cost*; *colour*, *color*); or if they are the two forms of one acronym.
Small edit distances are not enough: *adsorption* and *absorption*, or *type 1* and *type 2*, differ by one letter.

A phrase **nests** in a longer one if its words are a run of the other's words, and

* it has at least two words and the same head: *sensor network* in *low-cost sensor network*; or
* the longer one is ranked better, and the text mentions it only as a part of that: *York*, within *New York*.

So *calibration* nests in *sensor calibration* only where the text never uses it alone, *New York* is not merged with
*New York Times* where both are topics, and one general word does not collect all phrases that end with it. Cases of one
word that stems or lemmas keep apart are the same (``cut_case_ending``).
"""

import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from keywright.core.keyphrases import Keyphrase
from keywright.text.stems import cut_case_ending, stemmer, stopwords

_WORDS: Final = re.compile(r"[^\W_]+[+#]*")
"""Words, with the signs of names such as C++ and C#."""
_SPELLINGS: Final = (
    (re.compile(r"[ao]e"), "e"),  # anaemia, oedema
    (re.compile(r"(?<=[^\W_]{2})our"), "or"),  # colour, but not four
    (re.compile(r"(?<=[iy])z"), "s"),  # organize, analyze
    (re.compile(r"(?<=[bt])re(?=s?$)"), "er"),  # centre, fibre
)
"""British and American spellings, made one."""
_HEAD_FIRST: Final = frozenset({"ar", "ca", "es", "fa", "fr", "he", "id", "it", "pt", "ro", "vi"})
"""Languages whose noun phrases begin with the head: *réseau de capteurs*."""
_JOINING: Final = frozenset(
    "a an the of for in on to by with from and or between under over via per without against into as at s".split()
)
"""English words that join the parts of a phrase; stop words such as *new* and *second* make a difference."""
_CODE: Final = re.compile(r"\S*(?:\d|[A-Z]\S*[A-Z]|[+#])\S*")
"""Terms such as IL-6, EU and C#, which stay beside any longer phrase."""
_MENTIONS: Final = 1000  # the first ones are looked at; arbitrary
_SAME_HEAD: Final = 2
"""Minimum words of a phrase that nests by its head: one word alone is the head of unlike phrases; arbitrary."""


def merge_near_repeats(
    keyphrases: Sequence[Keyphrase], language: str | None = "en", most: int | None = None
) -> tuple[Keyphrase, ...]:
    """Return the first phrases that do not nearly repeat, or nest with, a better one that stays; all concepts."""
    remaining: list[Keyphrase] = []
    forms: dict[object, list[_Form]] = {}
    for keyphrase in keyphrases:
        if most is not None and len(remaining) >= most:
            break
        form = _form(keyphrase, language or "en")
        others = (other for key in form.list_sought_keys() for other in forms.get(key, ()))
        if keyphrase.concept is None and any(_belong_together(other, form) for other in others):
            continue
        remaining.append(keyphrase)
        for key in form.list_keys():
            forms.setdefault(key, []).append(form)
    return tuple(remaining)


@dataclass(frozen=True, slots=True)
class _Form:
    """A phrase as it is compared.

    Attributes:
        stems: of its words, in order; reversed in languages whose heads come first, so that the head is last.
        content: its stems without joining words, sorted.
        functional: whether each word of ``stems`` is a joining word.
        joined: its words written together, in one spelling.
    """

    keyphrase: Keyphrase
    stems: tuple[str, ...]
    content: tuple[str, ...]
    functional: tuple[bool, ...]
    joined: str

    # Phrases that belong together have a key in common: only those are compared, so that lists of any length are quick.

    def list_keys(self) -> Iterator[object]:
        """Yield the keys under which later phrases find this one: each run of its words among them."""
        yield from (self.content, self.joined, self.keyphrase.acronym, ("whole", self.stems))
        size = len(self.stems)
        yield from {("run", self.stems[at:end]) for at in range(size) for end in range(at + 1, size + 1)}

    def list_sought_keys(self) -> Iterator[object]:
        """Yield the keys under which this one finds earlier phrases: as a run of their words, or them at its end."""
        yield from (self.content, self.joined, ("run", self.stems))
        yield from (("whole", self.stems[at:]) for at in range(1, len(self.stems)))
        if self.keyphrase.acronym is not None:
            yield self.keyphrase.acronym


def _form(keyphrase: Keyphrase, language: str) -> _Form:
    stem = stemmer(language)
    words = _WORDS.findall(keyphrase.text.casefold())
    stems = tuple(cut_case_ending(stem(word), language) for word in words)
    joining = _JOINING if language == "en" else stopwords(language)
    functional = tuple(word in joining for word in words)
    content = tuple(sorted(form for form, function in zip(stems, functional, strict=True) if not function))
    if language in _HEAD_FIRST:
        stems, functional = stems[::-1], functional[::-1]
    return _Form(keyphrase, stems, content, functional, stem(_one_spelling(words)))


def _one_spelling(words: Sequence[str]) -> str:
    """Return words written together, without accents, in one of the usual spellings; numbers stay apart."""
    return re.sub(r"(?<!\d) | (?!\d)", "", " ".join(map(_spell, words)))


@lru_cache(maxsize=1 << 14)
def _spell(word: str) -> str:
    """Return a word without accents, in one of the usual spellings; words come again in list after list."""
    text = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
    for pattern, spelling in _SPELLINGS:
        text = " ".join(pattern.sub(spelling, part) for part in text.split())
    return text


def _belong_together(better: _Form, form: _Form) -> bool:
    if _repeats(better, form) or _has_same_head(form, better) or _has_same_head(better, form):
        return True
    # A longer phrase behind a word that is only part of it says more: *shareholders' meeting* behind *shareholders*.
    is_part = _is_run_of(form, better) and not _CODE.fullmatch(form.keyphrase.text)
    return is_part and _is_only_inside(form.keyphrase, better.keyphrase)


def _repeats(first: _Form, second: _Form) -> bool:
    acronym = first.keyphrase.acronym
    same_words = bool(first.content) and first.content == second.content
    same_letters = bool(first.joined) and first.joined == second.joined
    return same_words or same_letters or (acronym is not None and acronym == second.keyphrase.acronym)


def _has_same_head(short: _Form, long: _Form) -> bool:
    size, extra = len(short.stems), len(long.stems) - len(short.stems)
    return size >= _SAME_HEAD and extra > 0 and long.stems[extra:] == short.stems and not any(long.functional[:extra])


def _is_run_of(short: _Form, long: _Form) -> bool:
    size, extra = len(short.stems), len(long.stems) - len(short.stems)
    return size > 0 < extra and any(long.stems[at : at + size] == short.stems for at in range(extra + 1))


def _is_only_inside(short: Keyphrase, long: Keyphrase) -> bool:
    """Return whether the text has the shorter phrase, and only inside mentions of the longer one."""
    for start, end in short.spans[:_MENTIONS]:
        at = bisect_right(long.spans, (start, sys.maxsize)) - 1  # spans are in reading order
        if at < 0 or long.spans[at][1] < end:
            return False
    return bool(short.spans)
