"""Stems and stop words by language: of Snowball, of Porter's algorithm as the SemEval-2010 gold has it, lemmas.

The answer files of SemEval-2010 Task 5 hold Martin Porter's own later variant of his 1980 algorithm, applied to every
run of ASCII letters by itself: ``grid-enabling`` becomes ``grid-enabl``. It differs in three places: ``logi`` becomes
``log``, ``bli`` becomes ``ble``, words of one or two letters stay. This module turns PyStemmer's answer into it, and
agrees with ``MARTIN_EXTENSIONS`` of NLTK on the 42,603 words of Snowball's Porter vocabulary.

Stop words carry no topic. English has our own list of function words: the library's, a union of many, holds *computer*,
*interest* and country codes, which cost keyphrases (docs/decisions/0007-stop-lists.md). Other languages have those of
``stop-words`` and ``stopwordsiso``, completed where one of the thirty commonest words was missing.
"""

import importlib.util
import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final, Literal

import Stemmer

from keywright.core.word_lists import read_pairs, read_words
from keywright.text.arabic.word_forms import WordForm, lemmas_of, word_form
from keywright.text.tokens import normal_form
from keywright.text.word_borders import cache_words

SNOWBALL: Final = read_pairs("text/stemmers.txt", "SNOWBALL")
"""Snowball's stemmer of each language but English, by ISO 639-1 code."""
LEMMAS: Final = read_pairs("text/stemmers.txt", "LEMMAS")
"""Dictionary of lemmas of languages without a stemmer, by ISO 639-1 code; the extra ``lemmas`` brings them."""


@cache
def has_lemmas() -> bool:
    """Return whether dictionaries of lemmas are installed, without loading them."""
    return importlib.util.find_spec("simplemma") is not None


def find_forms(language: str) -> str:
    """Return how forms of a word are joined on this machine: by ``stems``, ``lemmas``, or ``none``."""
    if language == "ar" and word_form() is not WordForm.STEM:
        return "lemmas"
    if language == "en" or language in SNOWBALL:
        return "stems"
    return "lemmas" if language in LEMMAS and has_lemmas() else "none"


_LETTERS: Final = re.compile(r"[a-z]+")
_SHORT: Final = 2  # letters of words that stay as they are: the variant
_VARYING: Final = ("logi", "bli")  # endings of Porter's stems that the variant may change
_MEASURE: Final = re.compile("[aeiou][^aeiou]|[^aeiou]y[^aeiouy]")  # where Porter's measure is above zero
_porter = Stemmer.Stemmer("porter", 0)


@cache_words
def martin_stem(word: str) -> str:
    """Return the stem of one run of lower-case ASCII letters, by Martin Porter's later variant."""
    if len(word) <= _SHORT:
        return word
    stem: str = _porter.stemWord(word)
    if word.endswith("ie"):  # step 5 removed the e, after step 2
        return stem
    if stem.endswith("logi") and _MEASURE.search(stem[:-4]):
        return stem[:-1]
    if stem.endswith("bli") and _MEASURE.search(stem[:-3]):
        # Step 2 of the variant makes it "ble", before steps 3 to 5; steps 1 and 2 do not change "ble" again.
        again: str = _porter.stemWord(stem[:-1] + "e")
        return again
    return stem


def semeval_stem(phrase: str) -> str:
    """Return a phrase as in the SemEval-2010 answer files: lower case, each run of ASCII letters stemmed by itself.

    >>> semeval_stem("Grid-enabling Ontologies")
    'grid-enabl ontolog'
    """
    return _LETTERS.sub(lambda run: martin_stem(run.group()), phrase.lower())


def _english_stem(word: str) -> str:
    """Return ``semeval_stem`` of a lower-case word, faster where it is one run of letters."""
    return martin_stem(word) if word.isascii() and word.isalpha() else semeval_stem(word)


def _english_stems(words: list[str]) -> list[str]:
    """Return ``_english_stem`` of each word: one call of the stemmer for all, and a second look at the few others."""
    return [
        stem
        if len(word) > _SHORT and word.isascii() and word.isalpha() and not stem.endswith(_VARYING)
        else _english_stem(word)
        for word, stem in zip(words, _porter.stemWords(words), strict=True)
    ]


def look_up_lemma(word: str, language: str) -> str:
    """Return the lemma of a word in the dictionary of its language, of the extra ``lemmas``."""
    from simplemma import lemmatize  # noqa: PLC0415  (an extra)

    # Packed: Polish takes 64 MB, not 371; a word takes 40 µs, not 7, and callers remember words.
    return lemmatize(word, LEMMAS.get(language, language), low_memory=True)


def stemmer(language: str, arabic: str = "") -> Callable[[str], str]:
    """Return the stemmer of a language for one lower-case word: by Snowball, else by lemmas, else the identity.

    Arabic words have their lemmas where a package for these is installed, ``MissingExtra`` where the environment names
    one that is not; ``arabic``: a ``WordForm`` for them, the one of this process when empty.
    """
    if language == "en":
        return _english_stem
    if language == "ar" and (form := WordForm(arabic or word_form())) is not WordForm.STEM:
        return lemmas_of(form)
    if language in SNOWBALL:
        stem: Callable[[str], str] = Stemmer.Stemmer(SNOWBALL[language]).stemWord
        return stem
    return (lambda word: look_up_lemma(word, language).lower()) if find_forms(language) == "lemmas" else str


_LEAST_STEM: Final = 4  # least letters before such an ending; arbitrary: of shorter words unlike ones would be one


def cut_case_ending(word: str, language: str) -> str:
    """Return a word without accents and its longest ending of a case, to be shown, in languages with many cases."""
    endings = _list_case_endings(language)
    if not endings:
        return word
    plain = strip_accents(word)
    most = len(plain) - _LEAST_STEM
    ending = next((each for each in endings if len(each) <= most and plain.endswith(each)), "")
    return plain.removesuffix(ending)


@cache
def _list_case_endings(language: str) -> tuple[str, ...]:
    """Return the endings of a language, longest first."""
    return tuple(sorted(map(strip_accents, read_words("text/case_endings.txt", language)), key=len, reverse=True))


def strip_accents(text: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """Return a text without the accents of its letters, decomposed in a form of Unicode."""
    return "".join(letter for letter in unicodedata.normalize(form, text) if not unicodedata.combining(letter))


def list_stemmer(language: str, arabic: str = "") -> Callable[[list[str]], list[str]]:
    """Return a function to the stems of several words, equal to ``stemmer`` of each, and faster."""
    if language == "en":
        return _english_stems
    stem = stemmer(language, arabic)
    return lambda words: list(map(stem, words))


# Without Greek: the package's list is of ancient Greek, and not one of its words is written so today.
_LIBRARY_CODES = "ar bg ca cs da nl en fi fr de gu he hi hu id ms it no pl pt ro ru sk es sv tr uk vi fa zh ja ko"
_LIBRARY_NAMES = {"no": "norwegian"}  # the package's own code for it is nb
_ISO_CODES = "af bn br el eo et eu ga gl ha hr hy ku la lt lv mr sl so st sw th tl ur yo zu"
_BOTH_CODES = "ca da fi hu id ja nl ro sv tr uk zh"
"""Languages whose list is that of ``stopwordsiso``, alone or beside that of ``stop-words``, which has gaps."""
_OWN_CODES = "is ta"
_SAME_LIST = {"bs": "hr", "sr": "hr", "sh": "hr", "nb": "no", "nn": "no"}  # Serbian in Latin letters
_NOT_LATIN = frozenset("ar bg bn el fa gu he hi ja ko mr ru ta th uk ur zh".split())
_ENGLISH_INSIDE = frozenset("the of and from with that this".split())
"""English function words, which titles and names inside texts of other languages have; texts without
Latin letters have the whole English list, and French ones, whose trees were trained without them, none of it."""
_DEBRIS = '"”…,\ufeff'  # on words in some of the package's files, on every Hebrew one
STOP_LISTS: tuple[str, ...] = tuple(sorted({*f"{_LIBRARY_CODES} {_ISO_CODES} {_OWN_CODES} bs sr".split()}))
"""ISO 639-1 codes of the languages with a stop list."""


@lru_cache(maxsize=64)  # more than there are lists
def stopwords(language: str) -> frozenset[str]:
    """Return the stop words of a language in normal form; empty for a language without a list.

    ``en-library`` names the stop-words package's own English list, for comparison. Greek words count with and without
    accents.
    """
    if language == "en":
        return read_words("text/function_words_en.txt")
    code = language.removesuffix("-library")
    if code not in STOP_LISTS:
        return frozenset()
    code = _SAME_LIST.get(code, code)
    words = set(read_words("text/function_words.txt", code))
    words |= stopwords("en") if code in _NOT_LATIN else _ENGLISH_INSIDE if code != "fr" else set()
    if code in _LIBRARY_CODES.split():
        from stop_words import get_stop_words  # noqa: PLC0415  (only documents in other languages need it)

        words |= {word.strip(_DEBRIS) for word in get_stop_words(_LIBRARY_NAMES.get(code, code))}
    if code in (*_ISO_CODES.split(), *_BOTH_CODES.split()):
        import stopwordsiso  # noqa: PLC0415  (as above)

        # A Chinese character alone is as often part of a term.
        words |= {word for word in stopwordsiso.stopwords(code) if "," not in word and (len(word) > 1 or code != "zh")}
    listed = {normal_form(form) for word in words for form in (word, *_list_variants(word, code))}
    listed = {word for word in listed if any(map(str.isalpha, word))}
    return frozenset(listed | _arabic_stopwords() if language == "ar" else listed)


def _list_variants(word: str, code: str) -> list[str]:
    """Return other spellings of a listed word: Greek with each accent, as most lists have none, and Romanian commas."""
    if code == "ro":
        return [word.translate({0x15F: 0x219, 0x163: 0x21B})]  # commas below, which most texts have
    vowels = [at for at, letter in enumerate(word) if letter in "αεηιουω"] if code == "el" else []
    return [unicodedata.normalize("NFC", f"{word[: at + 1]}\u0301{word[at + 1 :]}") for at in vowels]


def _arabic_stopwords() -> frozenset[str]:
    """Return our Arabic function words in both spellings, with and without a conjunction before them."""
    from keywright.text.arabic.spelling import CONJUNCTIONS, FOLDED  # noqa: PLC0415 - only Arabic texts need it

    words = read_words("text/function_words_ar.txt")
    spellings = words | set(map(FOLDED, words))
    return frozenset(conjunction + word for conjunction in CONJUNCTIONS for word in spellings)
