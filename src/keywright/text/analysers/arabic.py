"""Universal part-of-speech tags of Arabic by our own tagger (extra ``arabic``)."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import NeedsUnmet
from keywright.core.signatures import signature
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.tagger import Tagger, tagger

LANGUAGE: Final = "ar"


@dataclass(frozen=True, slots=True, eq=False)
class ArabicTaggedAnalyser:
    """A ``TextAnalyser`` for Arabic whose documents also have tags of Universal Dependencies.

    Tokens and sentences are those of ``inner``. A word with clitics has the tag of the word that they are attached to.

    Attributes:
        inner: analyser of all other columns.
        tagger: weights of the tags.

    Raises:
        NeedsUnmet: the language is not Arabic.
    """

    inner: TextAnalyser = field(default_factory=lambda: TextAnalyser(LANGUAGE))
    tagger: Tagger = field(default_factory=tagger)

    def __post_init__(self) -> None:
        """Raise for other languages before any document is read."""
        if self.inner.language != LANGUAGE:
            raise NeedsUnmet(f"the Arabic tagger cannot tag language {self.inner.language!r}", "use a TaggedAnalyser")

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, with tags.

        Raises:
            MissingExtra: simplemma is not installed.
        """
        analysed = self.inner.analyse(document)
        text = document.text
        places = zip(analysed.start.tolist(), analysed.end.tolist(), strict=True)
        tag = self.tagger.tag([text[start:end] for start, end in places], analysed.sentence)
        numbers, tag = np.unique(tag, return_inverse=True)
        names = tuple(self.tagger.tags[number] for number in numbers.tolist())
        return replace(analysed, analyser=self.signature, tag=tag.astype(np.int16).reshape(-1), tags=names)

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle both parts without their caches."""
        return type(self), (self.inner, self.tagger)
