"""Memory of analysers: the vocabularies of all languages together, bounded in bytes."""

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.text.chunks import Chunks
from keywright.text.vocabulary import Words

MOST_BYTES: Final = 64_000_000
"""Bytes of all vocabularies, above which they start afresh.

A new word of an abstract takes some 600 bytes. Over 20,000 abstracts in which every tenth word is new, analysis takes
as long as without a bound, within the 5 % that measurements vary, and a tenth longer with half of these bytes: the
words that most texts share are learnt again within some hundred documents.
"""


class FirstPlaces:
    """A table for numbering the distinct values of a document, used again for the next one.

    Its entries are never cleared: each document writes those that it reads, so that the cost does not depend on how
    many values there are in all.
    """

    def __init__(self) -> None:
        """Begin without entries."""
        self._table = np.empty(0, np.int32)

    def distinct(self, numbers: Ints, most: int) -> tuple[Ints, Ints]:
        """Return distinct values by first occurrence, and the place of each number among them; all are below ``most``.

        The numbers depend on the documents analysed before, the order of first occurrence does not.
        """
        if most > len(self._table):
            self._table = np.empty(2 * most, np.int32)
        place = np.arange(len(numbers), dtype=np.int32)
        self._table[numbers[::-1]] = place[::-1]  # backwards, because the last write stays: the first occurrence
        first = self._table[numbers]
        is_first = first == place
        return numbers[is_first], (np.cumsum(is_first, dtype=np.int32) - 1)[first]

    @property
    def size(self) -> int:
        """Bytes of the table."""
        return int(self._table.nbytes)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words and chunks of one language, with the tables that number them in a document."""

    words: Words
    chunks: Chunks
    word_places: FirstPlaces = field(default_factory=FirstPlaces)
    stem_places: FirstPlaces = field(default_factory=FirstPlaces)

    @property
    def size(self) -> int:
        """Approximate bytes in memory."""
        tables = self.chunks, *vars(self.words).values(), *vars(self.chunks).values()
        strings = self.words.strings + self.chunks.strings
        return strings + sum(map(sys.getsizeof, tables)) + self.word_places.size + self.stem_places.size


class VocabularyMemory:
    """The vocabularies of one analyser, or of the analysers of several languages; not for several threads at once.

    Between documents all start afresh when they have grown above ``MOST_BYTES`` together. Columns of documents are the
    same whatever is in memory.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._vocabularies: dict[Hashable, Vocabulary] = {}
        self._sizes: dict[Hashable, int] = {}

    def of(self, language: Hashable, begin: Callable[[], Words]) -> Vocabulary:
        """Return the vocabulary of a language, begun on first use and after everything was forgotten."""
        vocabulary = self._vocabularies.get(language)
        if vocabulary is not None:
            self._sizes[language] = vocabulary.size
            if self.size <= MOST_BYTES:
                return vocabulary
            del vocabulary  # gone before another one grows
            self._vocabularies.clear()
            self._sizes.clear()
        words = begin()
        self._vocabularies[language] = Vocabulary(words, Chunks(words))
        return self._vocabularies[language]

    @property
    def size(self) -> int:
        """Approximate bytes of all vocabularies, each as it was when its last document began."""
        return sum(self._sizes.values())
