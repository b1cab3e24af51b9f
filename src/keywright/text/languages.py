"""Languages: which one a text is in, and each document analysed in its own."""

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
from keywright.text.analysers.tagged import TaggedAnalyser
from keywright.text.stopwords import LANGUAGES, stopwords

_SAMPLE: Final = 20_000
"""Characters looked at: more do not change the answer."""

_LEAST_HITS: Final = 3
_LEAST_SHARE: Final = 0.1
_LEAST_SHARE_OF_OTHERS: Final = 0.2
"""Running text has a third to a half of stop words; titles and lists have fewer. Below this nothing is claimed."""

_OVER_ENGLISH: Final = 1.5
_OVER_OTHERS: Final = 1.2
"""How far a language has to be ahead of English, in stop words, and of each other one, in what these are worth."""

_WORD: Final = re.compile(r"\b[^\W\d_]'|[^\W\d_]+")
"""Words, and elided ones with their apostrophe: French *l'* tells more than the letter l of a formula."""

_SCRIPTS: Final = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
}
_ANY_SCRIPT: Final = re.compile("[\u3040-\u30ff\uac00-\ud7af\u4e00-\u9fff]")
_LEAST_OF_SCRIPT: Final = {"ja": 0.1, "ko": 0.3, "zh": 0.3}  # Japanese mixes its own letters with Chinese ones
_ALPHABETS: Final = {
    "ar": re.compile("[\u0621-\u064a]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u05d0-\u05ea]"),
}
"""Alphabets that nearly always mean one language; asked when stop words do not tell, as in short texts."""

_LEAST_OF_ALPHABET: Final = 0.9  # Persian and Urdu write a tenth and more of their letters otherwise than Arabic
_CODE: Final = re.compile("[a-z]{2,3}")


def detect(text: str) -> str | None:
    """ISO 639-1 code of the language a text is in; None when no language is clearly ahead of all others.

    Chinese, Japanese and Korean are told by their letters, languages with a stop list by their stop words. A stop word
    of several languages is worth less, and English is what remains in doubt: another language is claimed only for three
    different stop words at least and well more of them than English ones, so that programs, bibliographies and damaged
    text are not taken for it.
    """
    sample = text[:_SAMPLE]
    return _by_script(sample) or _by_stop_words(sample) or _by_alphabet(sample)


def _by_script(sample: str) -> str | None:
    if not _ANY_SCRIPT.search(sample):  # one quick scan settles nearly all texts in alphabets
        return None
    letters = sum(map(str.isalpha, sample))
    least = {code: share * letters for code, share in _LEAST_OF_SCRIPT.items() if letters}
    return next((code for code, few in least.items() if len(_SCRIPTS[code].findall(sample)) >= few), None)


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
    worth: defaultdict[str, float] = defaultdict(float)
    for languages, times in stop_words:
        for language in languages:
            worth[language] += times / len(languages)
    best = max(worth, key=worth.__getitem__, default="")
    next_best = max((value for language, value in worth.items() if language != best), default=0.0)
    clear = worth[best] >= _OVER_OTHERS * next_best and hits[best] >= _OVER_ENGLISH * english
    enough = hits[best] >= _LEAST_SHARE_OF_OTHERS * total and different[best] >= _LEAST_HITS
    return best if clear and enough else None


def _by_alphabet(sample: str) -> str | None:
    letters = sum(map(str.isalpha, sample))
    found = (code for code, own in _ALPHABETS.items() if len(own.findall(sample)) > _LEAST_OF_ALPHABET * letters)
    return next(found, None)


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    """Languages that have each stop word, of those written with blanks.

    Norwegian is left out: nearly all its stop words are Danish ones as well. So are single Latin letters, which
    stand in formulas, programs and for first names, but for the English ones.
    """
    found: dict[str, tuple[str, ...]] = {}
    for language in sorted(set(LANGUAGES) - set(_SCRIPTS) - {"no"}):
        for word in stopwords(language):
            if len(word) > 1 or language == "en" or not word.isascii():
                found[word] = (*found.get(word, ()), language)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ByLanguage:
    """Analyses each document in its language: the one set here, else the document's own, else the one detected.

    The document that comes back as ``source`` has its ``language`` filled in; where none could be told, a warning says
    which was taken. Not for use by several threads at once.

    Attributes:
        language: ISO 639-1 code for all documents; None lets each have its own.
        otherwise: taken where no language can be told.
        tagged: whether documents get part-of-speech tags, which takes the extra ``tags`` and a language with a tagger.

    Raises:
        BadParameter: a language that is no such code.
    """

    language: str | None = None
    otherwise: str = "en"
    tagged: bool = False
    _analysers: dict[str, Analyser] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse names of languages, which would silently go without stop list and stemmer."""
        for code in (self.language, self.otherwise):
            if code is not None and not _CODE.fullmatch(code):
                raise BadParameter(f"{code!r} is no language", "expected an ISO 639-1 code, such as en, fr or ar")

    def analyse(self, document: Document) -> AnalysedDocument:
        """Columns of one document.

        Raises:
            NeedsUnmet: tags are wanted, and there is no tagger for its language.
            MissingExtra: tags are wanted, and the tagger is not installed.
        """
        language = self.language or document.language or detect(document.text)
        warnings = document.warnings
        if language is None and document.text.strip():
            warnings = (*warnings, f"the language could not be told; read as {self.otherwise!r}")
        language = language or self.otherwise
        if language not in self._analysers:
            plain = TextAnalyser(language)
            self._analysers[language] = TaggedAnalyser(plain) if self.tagged else plain
        analysed = self._analysers[language].analyse(replace(document, language=language, warnings=warnings))
        return replace(analysed, analyser=self.signature)

    @property
    def signature(self) -> str:
        """Identity of what this analyser does, whatever the language of a document."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without what was learnt: a worker builds its own."""
        return type(self), (self.language, self.otherwise, self.tagged)
