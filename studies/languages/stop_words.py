"""The former rule of the default, for comparison: letters of scripts, and most stop words."""

import re
from collections import Counter, defaultdict
from functools import cache
from typing import Final

from keywright.text.stems import STOP_LISTS, stopwords

# Arbitrary each; docs/decisions/0015-languages-of-the-default.md measures the errors that they lead to together.
_SAMPLE: Final = 20_000  # characters of a text that are read; more do not change the answer
_LEAST_HITS: Final = 3  # stop words of English, or different ones of another language
_LEAST_SHARE, _LEAST_SHARE_OF_OTHERS = 0.1, 0.2  # stop words among all words, for English and for others
_OVER_ENGLISH: Final = 1.5  # stop words of a language as a multiple of English ones, at least
_OVER_OTHERS: Final = 1.2  # their weight as a multiple of that of each other language
_LEAST_OF_SCRIPT: Final = {"ja": 0.1, "ko": 0.3, "zh": 0.3}  # share of letters; Japanese also has Chinese ones
_LEAST_OF_ALPHABET: Final = 0.9  # share of letters; Persian and Urdu have a tenth and more that are not Arabic

_WORD: Final = re.compile(r"\b[^\W\d_]'|[^\W\d_]+")
"""Words, and elided ones with their apostrophe: French *l'* is evidence, the letter l of a formula is not."""

_SCRIPTS: Final = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
}
_ANY_SCRIPT: Final = re.compile("[\u3040-\u30ff\uac00-\ud7af\u4e00-\u9fff]")
_ALPHABETS: Final = {
    "ar": re.compile("[\u0621-\u064a]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u05d0-\u05ea]"),
}
"""Alphabets that nearly always mean one language; used where stop words do not decide, as in short texts."""


def detect(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language; None when no language is clearly ahead of all others.

    Chinese, Japanese and Korean are recognised by their letters, languages with a stop list by their stop words. A stop
    word of several languages has less weight, and English wins in doubt: another language needs at least three
    different stop words and well more of them than English ones, so that programs, bibliographies and damaged text are
    not taken for it.
    """
    sample = text[:_SAMPLE]
    return _by_script(sample) or _by_stop_words(sample) or _by_alphabet(sample)


def _by_script(sample: str) -> str | None:
    if not _ANY_SCRIPT.search(sample):  # one quick scan settles nearly all texts in alphabets
        return None
    letters = sum(map(str.isalpha, sample))
    least = {code: share * letters for code, share in _LEAST_OF_SCRIPT.items() if letters}
    return next((code for code, number in least.items() if len(_SCRIPTS[code].findall(sample)) >= number), None)


def _by_stop_words(sample: str) -> str | None:
    words = Counter(_WORD.findall(sample.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    total = sum(words.values())
    languages_of = _languages_of()
    stop_words = [(languages_of[word], times) for word, times in words.items() if word in languages_of]
    hits = Counter[str]()
    for languages, times in stop_words:
        for language in languages:
            hits[language] += times
    english = hits["en"]
    if english >= max(_LEAST_HITS, _LEAST_SHARE * total, *hits.values()):
        return "en"
    different = Counter(language for languages, _ in stop_words for language in languages)
    weight: defaultdict[str, float] = defaultdict(float)
    for languages, times in stop_words:
        for language in languages:
            weight[language] += times / len(languages)
    best = max(weight, key=weight.__getitem__, default="")
    next_best = max((value for language, value in weight.items() if language != best), default=0.0)
    clear = weight[best] >= _OVER_OTHERS * next_best and hits[best] >= _OVER_ENGLISH * english
    enough = hits[best] >= _LEAST_SHARE_OF_OTHERS * total and different[best] >= _LEAST_HITS
    return best if clear and enough else None


def _by_alphabet(sample: str) -> str | None:
    letters = sum(map(str.isalpha, sample))
    least = _LEAST_OF_ALPHABET * letters
    return next((code for code, letter in _ALPHABETS.items() if len(letter.findall(sample)) > least), None)


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    """Return the languages that have each stop word, of those written with blanks.

    Norwegian is left out: nearly all its stop words are Danish ones as well. So are single Latin letters, which occur
    in formulas, programs and for first names, except the English ones.
    """
    languages: dict[str, tuple[str, ...]] = {}
    for language in sorted(set(STOP_LISTS) - set(_SCRIPTS) - {"no"}):
        for word in stopwords(language):
            if len(word) > 1 or language == "en" or not word.isascii():
                languages[word] = (*languages.get(word, ()), language)
    return languages
