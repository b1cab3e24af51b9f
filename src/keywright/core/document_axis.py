"""The document axis of a single analysed document: that of ``document_batches.DocumentBatch``, with one entry."""

from typing import TYPE_CHECKING, cast

import numpy as np

from keywright.core.arrays import Ints

if TYPE_CHECKING:
    from keywright.core.documents import AnalysedDocument, Document


class OneDocument:
    """Mixin that makes an analysed document a batch of one."""

    __slots__ = ()
    source: "Document"
    words: tuple[str, ...]
    word: Ints

    @property
    def documents(self) -> "tuple[AnalysedDocument, ...]":
        """The document itself."""
        return (cast("AnalysedDocument", self),)

    @property
    def language(self) -> str | None:
        """Language of the source."""
        return self.source.language

    @property
    def bounds(self) -> Ints:
        """First token, and the number of tokens, (2,)."""
        return np.array([0, len(self.word)])

    @property
    def word_bounds(self) -> Ints:
        """First word, and the number of words, (2,)."""
        return np.array([0, len(self.words)])

    @property
    def first_sentences(self) -> Ints:
        """Number of the first sentence, (1,)."""
        return np.zeros(1, np.int64)

    def numbers(self, tokens: Ints) -> Ints:
        """Return the index of each token's document, which is 0, (some tokens,)."""
        return np.zeros(len(tokens), np.int64)
