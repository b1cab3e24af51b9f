"""Languages: which one a text is in, and each document analysed in its own."""

import re
from collections import Counter
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

_LEAST_SHARE: Final = 0.1
_LEAST_HITS: Final = 3
"""Running text has a third to a half of stop words; titles and lists have fewer. Below this nothing is claimed."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_SCRIPTS: Final = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
}
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
    """ISO 639-1 code of the language whose stop words the text holds most; None when too little speaks for any.

    Chinese, Japanese and Korean are told by their letters. Only languages with a stop list are found.
    """
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    for language, script in _SCRIPTS.items():
        if letters and len(script.findall(sample)) >= _LEAST_OF_SCRIPT[language] * letters:
            return language
    words = Counter(_WORD.findall(sample.lower()))
    total = sum(words.values())
    hits = {
        language: sum(count for word, count in words.items() if word in known)
        for language, known in _stop_lists().items()
    }
    best = max(hits, key=hits.__getitem__)
    if hits[best] >= max(_LEAST_HITS, _LEAST_SHARE * total):
        return best
    shares = {language: len(alphabet.findall(sample)) for language, alphabet in _ALPHABETS.items()}
    return next((language for language, own in shares.items() if own > _LEAST_OF_ALPHABET * letters), None)


@cache
def _stop_lists() -> dict[str, frozenset[str]]:
    """Stop lists of all languages written with blanks, English first so that it wins ties.

    Norwegian is left out: nearly all its stop words are Danish ones as well.
    """
    names = sorted(set(LANGUAGES) - set(_SCRIPTS) - {"no"}, key=lambda language: (language != "en", language))
    return {language: stopwords(language) for language in names}


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
