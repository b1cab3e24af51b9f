"""Analysis of each document in its language."""

import threading
from dataclasses import dataclass, field, replace
from typing import Any, Final

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.extras import installing
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature
from keywright.text.analyser import TextAnalyser
from keywright.text.analysers.tagged import TaggedAnalyser
from keywright.text.arabic.word_forms import WordForm, word_form
from keywright.text.language_codes import is_language_code
from keywright.text.language_identification import detect
from keywright.text.vocabulary_memory import VocabularyMemory

ARABIC: Final = "ar"


class _OfThread(threading.local):
    """The analysers of one thread, by language, with one memory."""

    def __init__(self) -> None:
        """Begin without any, in each thread."""
        self.memory = VocabularyMemory()
        self.analysers: dict[str, Analyser] = {}


@dataclass(frozen=True, slots=True, eq=False)
class ByLanguage:
    """Analyser of each document in its language: the one set here, else the document's own, else the one detected.

    The resulting ``source`` has its ``language`` filled in, with a warning if none was detected. Several threads may
    use one: each has vocabularies of its own.

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
    _of_thread: _OfThread = field(default_factory=_OfThread, init=False, repr=False)
    _signature: list[str] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Raise for names of languages, which would silently have neither stop list nor stemmer."""
        for code in (self.language, self.otherwise):
            if code is not None and not is_language_code(code):
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
            lemmas = f"for lemmas: {installing('arabic')}"
            warnings = (*warnings, f"Arabic words are compared by stems, not by lemmas; {lemmas}")
        analysers, memory = self._of_thread.analysers, self._of_thread.memory
        if language not in analysers:
            plain = TextAnalyser(language, arabic=self.arabic if language == ARABIC else "", memory=memory)
            analysers[language] = _tagged(plain) if self.tagged else plain
        if (language, warnings) != (document.language, document.warnings):
            document = replace(document, language=language, warnings=warnings)
        analysed = analysers[language].analyse(document)
        return replace(analysed, analyser=self.signature)

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results, the same for documents in any language."""
        if not self._signature:
            self._signature.append(signature(self))
        return self._signature[0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the analysers: a worker builds its own."""
        return type(self), (self.language, self.otherwise, self.tagged, self.arabic)


def _tagged(plain: TextAnalyser) -> Analyser:
    """Return the analyser with tags around one without.

    Raises:
        NeedsUnmet: there is no tagger for its language.
    """
    if plain.language != ARABIC:
        return TaggedAnalyser(plain)
    from keywright.text.analysers.arabic import ArabicTaggedAnalyser  # noqa: PLC0415 - only Arabic texts need it

    return ArabicTaggedAnalyser(plain)
