"""Stems in which labels of vocabularies and texts meet: number and spelling are made one before a word is stemmed.

Stemmers leave apart what English borrowed (*virus* / *viruses*, *bacterium* / *bacteria*, *leaf* / *leaves*) and what
people spell in several ways: *colour* / *color*, *São Paulo* / *Sao Paulo*, *e-mail* / *email*, *β-catenin* /
*beta-catenin*. Thesauri write plurals and one spelling, texts others. Systems and scorers compare stems alone.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import Stemmer

from keywright.core.word_lists import read_replacements
from keywright.text.keys import hash_of, key_of, parts_of
from keywright.text.stems import LEMMAS, has_lemmas, list_stemmer, look_up_lemma, stopwords
from keywright.text.tokens import normal_form
from keywright.text.word_borders import cache_words

_GREEK: Final = {letter: unicodedata.name(letter).split()[-1].lower() for letter in "αβγδεζηθικμνξοπρσςτυφχψω"}
_GREEK["λ"] = "lambda"  # Unicode spells it otherwise
_GREEK_WORD: Final = re.compile("[\u0370-\u03ff]{2,}")
_OWN_LETTERS: Final = {
    "da": "æøå", "de": "äöü", "et": "äöüõ", "fi": "äöå", "hu": "áéíóöőúüű", "is": "áéíóúýþæö", "no": "æøå",
    "sv": "åäö", "tr": "çğıöşü",
}  # fmt: skip
"""Letters with marks that are letters of their own, by language: Swedish *får* (sheep) is not *far* (father)."""
_WITHOUT_PARTS: Final = {"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
"""Latin letters that Unicode does not take apart."""
_END_OF_LATIN: Final = 0x2000  # code after the last Latin letters with marks
_VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": (), "es": ("ar", "er", "ir"), "fi": (), "fr": ("er", "ir", "re"), "it": ("are", "ere", "ire"), "nl": ("en",),
    "pt": ("ar", "er", "ir"), "ru": ("ть",), "sv": (),
}  # fmt: skip
"""Endings of verbs of the languages whose labels have lemmas before stems (*Museen*, *Museum*), without German, which
does not write them with a capital. With verbs the lemma of *estado* (state) would be *estar*, and of *estados* not."""
_LONGEST_ARTICLE: Final = 3  # letters: French *les* is not *la*; longer words of stop lists are nouns as well (*veces*)
_PREFIXES: Final = "non", "anti", "multi"
_PREFIX: Final = re.compile(f"^({'|'.join(_PREFIXES)})(?=[a-z]{{4}})")
_UNUSUAL: Final = re.compile("our|is[eai]|ys[ei]|ogue|[ao]e")  # letters of the rules of British spellings
_ENGLISH: Final = Stemmer.Stemmer("english", 0).stemWords  # Porter's second, which joins more plurals; uncached
_list_stemmer: Final = cache(list_stemmer)


def label_key(text: str, language: str) -> int:
    """Return the key by which a text is looked up among labels; 0 when it has neither letter nor digit."""
    return key_of(list_label_stems(text, language))


def list_label_stems(text: str, language: str) -> list[str]:
    """Return the stems of a text in order, by which it is compared with labels; none without letter or digit."""
    stems_of = label_stemmer(language)
    return [stem for part in parts_of(normal_form(join_capitals(text))) for stem in stems_of(part)]


# Classes come first, so that the search jumps to capitals.
PLURAL_CAPITALS: Final = re.compile(r"([A-Z][A-Z](?<!\w[A-Z][A-Z])[A-Z]*)s\b")
"""A plural of an acronym. Only its small *s* tells it from an acronym of one letter more: *GPs* are not *GPS*."""


def join_capitals(text: str) -> str:
    """Return a text with its acronyms in the singular: *GPs without GPS* is *GP without GPS*."""
    return text if text.islower() or text.istitle() else PLURAL_CAPITALS.sub(r"\1", text)


def word_keys(words: Sequence[str], language: str) -> tuple[list[int], list[int]]:
    """Return the key of each word in normal form, of a sign its own, and the number of its stems, (words,) both."""
    keys = list(map(_word_keyer(language), words))
    return [key for key, _ in keys], [number for _, number in keys]


@cache
def _word_keyer(language: str) -> Callable[[str], tuple[int, int]]:
    def key(word: str) -> tuple[int, int]:
        stems = list_label_stems(word, language)
        return (key_of(stems), len(stems)) if stems else (hash_of(word), 0)

    return cache_words(key)


@cache
def label_stemmer(language: str) -> Callable[[str], tuple[str, ...]]:
    """Return the function from a part of a word to its stems: one for most, two for *nonlinear* as *non-linear*."""
    return cache_words(lambda part: tuple(stem_parts([part], language)[0]))


def stem_parts(parts: Iterable[str], language: str) -> tuple[list[str], list[int]]:
    """Return the stems of parts one behind the other, and how many each part has, by one call of the stemmer."""
    spelled = spell_parts(parts, language)
    pieces = "-".join(spelled).split("-") if spelled else []
    stem_all = list if language in LEMMAS else _ENGLISH if language == "en" else _list_stemmer(language)
    return stem_all(pieces), [part.count("-") + 1 for part in spelled]


def spell_parts(parts: Iterable[str], language: str) -> list[str]:
    """Return each part before it is stemmed, with hyphens: irregular plurals and spellings are made one."""
    if has_label_lemmas(language):
        parts = (_noun_lemma(part, language) for part in parts)
    folded = [part if part.isascii() else fold_marks(part, language) for part in parts]
    if language != "en":
        return folded
    words, ends = _list_irregular()
    return [
        _spell_english(part)
        if part in words or part[-3:] in ends or part.startswith(_PREFIXES) or _UNUSUAL.search(part)
        else part
        for part in folded
    ]


def _spell_english(part: str) -> str:
    """Return an English word that is or may be irregular in American spelling, the singular and with its hyphen."""
    spellings = read_replacements("text/spellings_en.txt")
    pieces = "-".join([spellings.get(piece, piece) for piece in _PREFIX.sub(r"\1-", part).split("-")]).split("-")
    american = "-".join([spellings.get(piece, piece) for piece in map(_singular, pieces)])
    for pattern, ending in read_replacements("text/british_en.txt").items() if _UNUSUAL.search(american) else ():
        american = "-".join([re.sub(pattern, ending, piece) for piece in american.split("-")])
    return american


def has_label_lemmas(language: str) -> bool:
    """Return whether words of a language have their lemmas before they are stemmed, which depends on an extra."""
    return (language in _VERBS or language in LEMMAS) and has_lemmas()


def _noun_lemma(part: str, language: str) -> str:
    """Return the dictionary's lemma of a word that is neither a verb nor an article, else the word."""
    lemma = look_up_lemma(part.capitalize() if language == "de" else part, language)
    ends = () if part.startswith(lemma) else _VERBS.get(language, ())  # the plural of a noun: *mujeres*, *lettres*
    is_verb = lemma.islower() if language == "de" else lemma.endswith(ends)
    return part if is_verb or (len(part) <= _LONGEST_ARTICLE and part in stopwords(language)) else lemma.lower()


def fold_marks(part: str, language: str) -> str:
    """Return a word with Greek letters among Latin ones by their names, and Latin letters without marks."""
    return part if _GREEK_WORD.fullmatch(part) else part.translate(_fold_letters(language))


@cache
def _fold_letters(language: str) -> Sequence[str]:
    """Return what each letter is folded to, by its code; letters after the Latin ones stay, whose marks may be vowels.

    A list: strings are translated by it several times as fast as by a dictionary, whose every gap is an exception.
    """
    unchanged = dict(zip(*[_OWN_LETTERS.get(language, "")] * 2, strict=True))
    bases = ((letter, unicodedata.normalize("NFD", letter)[0]) for letter in map(chr, range(_END_OF_LATIN)))
    folded = {letter: base if base.isascii() else letter for letter, base in bases}
    return list((folded | _WITHOUT_PARTS | _GREEK | unchanged).values())


def _singular(part: str) -> str:
    """Return the singular of an irregular English plural; other words as they are, whose plurals stemmers join."""
    plurals = read_replacements("text/plurals_en.txt")
    ends = (f"-{part[at:]}" for at in range(len(part) - 1))  # the longest first
    if part in plurals or not (end := next(filter(plurals.__contains__, ends), "")):
        return plurals.get(part, part)
    return part[: 1 - len(end)] + plurals[end][1:]


@cache
def _list_irregular() -> tuple[frozenset[str], frozenset[str]]:
    """Return irregular words, and the last three letters of irregular ends: look-ups spare most words the search."""
    plurals = read_replacements("text/plurals_en.txt")
    ends = frozenset(plural[-3:] for plural in plurals if plural[0] == "-")
    return frozenset([*plurals, *read_replacements("text/spellings_en.txt")]), ends
