"""Near repeats in a ranked list: phrases that nest in a better one or say the same, merged before the list is cut.

Two phrases **nearly repeat** each other if they have the same stems, whatever their order and the words that join them
(*calibration of sensors*, *sensor calibration*); if they differ in hyphens, blanks, accents or British and American
spelling only; or if they are the two forms of one acronym. Small edit distances are not enough: *adsorption* and
*absorption*, or *type 1* and *type 2*, differ by one letter.

A phrase **nests** in a longer one if its words are a run of the other's words, and it has at least two words and the
same head (*sensor network* in *low-cost sensor network*), or the longer one is ranked better, and the text mentions it
only as a part of that (*York*, within *New York*). So *New York* is not merged with *New York Times* where both are
topics, and one general word does not collect all phrases that end with it. Cases of one word that stems or lemmas keep
apart are the same (``cut_case_ending``).
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import compress
from operator import not_
from typing import Final, NamedTuple

from keywright.core.keyphrases import Keyphrase
from keywright.text.stems import cut_case_ending, list_stemmer, stemmer, stopwords, strip_accents
from keywright.text.word_borders import cache_words

_WORDS: Final = re.compile(r"[^\W_]+[+#]*")  # words, with the signs of names such as C++ and C#
_SPELLINGS: Final = (
    ("e", re.compile(r"[ao]e"), "e"),  # anaemia, oedema
    ("our", re.compile(r"(?<=[^\W_]{2})our"), "or"),  # colour, but not four
    ("z", re.compile(r"(?<=[iy])z"), "s"),  # organize, analyze
    ("re", re.compile(r"(?<=[bt])re(?=s?$)"), "er"),  # centre, fibre
)
"""British and American spellings, made one, each with letters that it has."""
_NOT_BETWEEN_DIGITS: Final = re.compile(r"(?<!\d) | (?!\d)")  # blanks that are left out where words are joined
_HEAD_FIRST: Final = frozenset({"ar", "ca", "es", "fa", "fr", "he", "id", "it", "pt", "ro", "vi"})
"""Languages whose noun phrases begin with the head: *réseau de capteurs*."""
_JOINING: Final = frozenset(
    "a an the of for in on to by with from and or between under over via per without against into as at s".split()
)
"""English words that join the parts of a phrase; stop words such as *new* and *second* make a difference."""
_CODE: Final = re.compile(r"\S*(?:\d|[A-Z]\S*[A-Z]|[+#])\S*")  # terms such as IL-6, EU and C#, which stay
_MENTIONS: Final = 1000  # the first ones are looked at; arbitrary
_SAME_HEAD: Final = 2
"""Minimum words of a phrase that nests by its head: one word alone is the head of unlike phrases; arbitrary."""


def merge_near_repeats(
    keyphrases: Iterable[Keyphrase], language: str | None = "en", most: int | None = None
) -> tuple[Keyphrase, ...]:
    """Return the first phrases that do not nearly repeat, or nest with, a better one that stays; all concepts."""
    remaining: list[Keyphrase] = []
    better: dict[object, list[_Form]] = {}  # forms that remain, by all that later ones may have in common with them
    for form in _forms_of(keyphrases if most != 0 else (), language or "en"):
        keyphrase, stems, content, _, joined = form
        size = len(stems)
        # A phrase may repeat one with its content, letters or acronym, with a run of its words, or that is its end.
        common = {content, joined, keyphrase.acronym or joined}
        shared = common.union([stems], [("", *stems[at:]) for at in range(1, size)])
        if keyphrase.concept is None and not better.keys().isdisjoint(shared):  # most have nothing in common
            alike = (other for key in shared if key for other in better.get(key, ()))
            if any(_belong_together(other, form) for other in alike):
                continue
        remaining.append(keyphrase)
        runs = [stems[at:end] for at in range(size) for end in range(at + 1, size + 1)]
        for key in common.union(runs, [("", *stems)]):
            better.setdefault(key, []).append(form)
        if len(remaining) == most:
            break
    return tuple(remaining)


class _Form(NamedTuple):
    """A phrase as it is compared.

    ``stems``: of its words in order, the head last in all languages; ``content``: without joining words, sorted;
    ``functional``: whether each of ``stems`` is of a joining word; ``joined``: its words together, in one spelling.
    """

    keyphrase: Keyphrase
    stems: tuple[str, ...]
    content: tuple[str, ...]
    functional: tuple[bool, ...]
    joined: str


def _forms_of(keyphrases: Iterable[Keyphrase], language: str) -> Iterator[_Form]:
    """Yield phrases as they are compared."""
    compare, stem, step = _word_comparer(language), list_stemmer(language), -1 if language in _HEAD_FIRST else 1
    for keyphrase in keyphrases:
        text = keyphrase.text.casefold()
        words = text.split() if text.replace(" ", "").isalpha() else _WORDS.findall(text)
        stems, functional, spelled = zip(*map(compare, words[::step]), strict=True) if words else ((), (), ())
        joined = "".join(spelled[::step])
        if not joined.isalpha():  # few phrases have a digit
            joined = _NOT_BETWEEN_DIGITS.sub("", " ".join(spelled[::step]))
        content = compress(stems, map(not_, functional)) if True in functional else stems
        yield _Form(keyphrase, stems, tuple(sorted(content)), functional, stem([joined])[0] if joined else "")


@cache
def _word_comparer(language: str) -> Callable[[str], tuple[str, bool, str]]:
    """Return the function to a word's stem, whether it joins others, and it in a usual spelling, without accents."""
    stem, joining = stemmer(language), _JOINING if language == "en" else stopwords(language)

    def compare(word: str) -> tuple[str, bool, str]:
        text = word if word.isascii() else " ".join(strip_accents(word, "NFKD").split())
        for sign, pattern, spelling in _SPELLINGS:
            if sign in text:  # few words have it
                text = " ".join([pattern.sub(spelling, part) for part in text.split()])
        return cut_case_ending(stem(word), language), word in joining, text

    return cache_words(compare)


def _belong_together(better: _Form, form: _Form) -> bool:
    has_same_words = form.content == better.content != () or form.joined == better.joined != ""
    has_same_acronym = form.keyphrase.acronym == better.keyphrase.acronym is not None
    if has_same_words or has_same_acronym or _has_same_head(form, better) or _has_same_head(better, form):
        return True
    # A longer phrase behind a word that is only part of it says more: *shareholders' meeting* behind *shareholders*.
    size, extra = len(form.stems), len(better.stems) - len(form.stems)
    is_run = size > 0 < extra and any(better.stems[at : at + size] == form.stems for at in range(extra + 1))
    if not is_run or _CODE.fullmatch(form.keyphrase.text):
        return False
    # The text must have the shorter phrase only inside mentions of the longer one.
    spans = better.keyphrase.spans
    for start, end in form.keyphrase.spans[:_MENTIONS]:
        at = bisect_right(spans, (start, sys.maxsize)) - 1  # spans are in reading order
        if at < 0 or spans[at][1] < end:
            return False
    return bool(form.keyphrase.spans)


def _has_same_head(short: _Form, long: _Form) -> bool:
    size, extra = len(short.stems), len(long.stems) - len(short.stems)
    return size >= _SAME_HEAD and extra > 0 and long.stems[extra:] == short.stems and not any(long.functional[:extra])
