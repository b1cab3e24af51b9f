"""Language detection, and the analysis of each document in its language."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature
from keywright.text.analyser import TextAnalyser
from keywright.text.analysers.arabic import LANGUAGE as ARABIC
from keywright.text.analysers.arabic import ArabicTaggedAnalyser
from keywright.text.analysers.tagged import TaggedAnalyser
from keywright.text.arabic.lexicon import HINT
from keywright.text.arabic.word_forms import WordForm, word_form
from keywright.text.stopwords import LANGUAGES, stopwords

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

_CODE: Final = re.compile("[a-z]{2,3}")


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
    for language in sorted(set(LANGUAGES) - set(_SCRIPTS) - {"no"}):
        for word in stopwords(language):
            if len(word) > 1 or language == "en" or not word.isascii():
                languages[word] = (*languages.get(word, ()), language)
    return languages


@dataclass(frozen=True, slots=True, eq=False)
class ByLanguage:
    """Analyser of each document in its language: the one set here, else the document's own, else the one detected.

    The resulting ``source`` has its ``language`` filled in, with a warning if none was detected. Not for use by several
    threads at once.

    Attributes:
        language: ISO 639-1 code for all documents; None lets each have its own.
        otherwise: language of documents without a detected one.
        tagged: whether documents get part-of-speech tags, which needs the extra ``tags`` (English) or ``arabic``.
        arabic: form in which Arabic words are compared; the one of this process when empty, see ``word_forms``.

    Raises:
        BadParameter: a language that is not a code.
    """

    language: str | None = None
    otherwise: str = "en"
    tagged: bool = False
    arabic: str = field(default="", metadata={"signed": "if set"})
    _analysers: dict[str, Analyser] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise for names of languages, which would silently have neither stop list nor stemmer."""
        for code in (self.language, self.otherwise):
            if code is not None and not _CODE.fullmatch(code):
                raise BadParameter(
                    f"{code!r} is not the code of a language", "expected an ISO 639-1 code, such as en, fr or ar"
                )
        if self.language in {None, ARABIC} and not self.arabic:
            object.__setattr__(self, "arabic", str(word_form()))

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document.

        Raises:
            NeedsUnmet: tags are needed, and there is no tagger for its language.
            MissingExtra: tags are needed, and the tagger is not installed.
        """
        language = self.language or document.language or detect(document.text)
        warnings = document.warnings
        if language is None and document.text.strip():
            warnings = (*warnings, f"the language could not be told; read as {self.otherwise!r}")
        language = language or self.otherwise
        if language == ARABIC and self.arabic == WordForm.STEM:
            warnings = (*warnings, f"Arabic words are compared by stems, not by lemmas; for lemmas: {HINT}")
        if language not in self._analysers:
            plain = TextAnalyser(language, arabic=self.arabic if language == ARABIC else "")
            self._analysers[language] = _tagged(plain) if self.tagged else plain
        analysed = self._analysers[language].analyse(replace(document, language=language, warnings=warnings))
        return replace(analysed, analyser=self.signature)

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results, the same for documents in any language."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the analysers: a worker builds its own."""
        return type(self), (self.language, self.otherwise, self.tagged, self.arabic)


def _tagged(plain: TextAnalyser) -> Analyser:
    """Return the analyser with tags around one without.

    Raises:
        NeedsUnmet: there is no tagger for its language.
    """
    return ArabicTaggedAnalyser(plain) if plain.language == ARABIC else TaggedAnalyser(plain)
