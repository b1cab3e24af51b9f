"""Several analysed documents as one set of columns, so that numpy is called once for all of them."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys, count_rows, sum_segments
from keywright.core.documents import AnalysedDocument


@dataclass(frozen=True, slots=True, eq=False)
class DocumentBatch:
    """The columns of documents in one language, one behind the other, as in ``AnalysedDocument``.

    Words and sentences are numbered from document to document; offsets are in a token's document. Tokens of document
    ``i`` are ``bounds[i]:bounds[i + 1]``, (documents + 1,), words by ``word_bounds``; ``first_sentences``: number of
    its sentence 0, (documents,); ``number``: of each token's document, (tokens,).
    """

    documents: tuple[AnalysedDocument, ...]
    words: tuple[str, ...]
    word_flags: Ints
    word_key: Keys
    word_parts: Ints
    word: Ints
    start: Ints
    end: Ints
    sentence: Ints
    section: Ints
    case: Ints
    bounds: Ints
    word_bounds: Ints
    first_sentences: Ints
    number: Ints

    def __len__(self) -> int:
        return len(self.word)

    @property
    def language(self) -> str | None:
        """Language of all documents."""
        return self.documents[0].language

    @property
    def has_terms(self) -> bool:
        """True if terms with inner signs are one token in all documents."""
        return all(document.has_terms for document in self.documents)

    @property
    def flags(self) -> Ints:
        """Bits of ``WordFlag``, (tokens,)."""
        return np.asarray(self.word_flags[self.word])

    def numbers(self, tokens: Ints) -> Ints:
        """Return the index of each token's document, (some tokens,)."""
        return np.asarray(self.number[tokens])


def group_documents(documents: Sequence[AnalysedDocument], most: int) -> Iterator[Sequence[AnalysedDocument]]:
    """Yield adjacent documents of at most ``most`` tokens together; a longer one is a group of its own."""
    begin, tokens = 0, 0
    for end, document in enumerate(documents):
        tokens += len(document)
        if tokens > most and end > begin:
            yield documents[begin:end]
            begin, tokens = end, len(document)
    if begin < len(documents):
        yield documents[begin:]


Analysed: TypeAlias = AnalysedDocument | DocumentBatch  # one analysed document, or several as one


def join_documents(documents: Sequence[AnalysedDocument]) -> DocumentBatch:
    """Return documents of one language, at least one, as one."""
    tokens = np.array([len(document) for document in documents])
    bounds, word_bounds = _find_bounds(tokens), _find_bounds(np.array([len(document.words) for document in documents]))
    sentences = np.array([int(document.sentence[-1]) + 1 if len(document) else 0 for document in documents])
    first_sentences = _find_bounds(sentences)[:-1]

    def column(name: str, added: Ints | None = None) -> Any:
        """Return a column, with a number of each document added; that of a single one is shared."""
        parts = [getattr(document, name) for document in documents]
        if len(parts) == 1:
            return parts[0]
        joined = np.concatenate(parts)
        return joined if added is None else joined + np.repeat(added, tokens)

    return DocumentBatch(
        documents=tuple(documents),
        words=tuple(itertools.chain.from_iterable(document.words for document in documents)),
        **{name: column(name) for name in ("word_flags", "word_key", "word_parts", "start", "end", "section", "case")},
        word=column("word", word_bounds[:-1]),
        sentence=column("sentence", first_sentences),
        bounds=bounds,
        word_bounds=word_bounds,
        first_sentences=first_sentences,
        number=np.repeat(np.arange(len(documents)), tokens),
    )


def _find_bounds(sizes: Ints) -> Ints:
    """Return where each segment begins, and where the last one ends, (segments + 1,)."""
    return np.concatenate(([0], np.cumsum(sizes)))


def count_tokens(document: Analysed) -> Ints:
    """Return the tokens of each document, (documents,)."""
    return count_rows(document.bounds)


def share_before(tokens: Ints, document: Analysed) -> Floats:
    """Return the share of its own document before each token, 0 to below 1, (some tokens,)."""
    number = document.numbers(tokens)
    return np.asarray((tokens - document.bounds[number]) / np.maximum(1, count_tokens(document)[number]))


def count_marked(tokens: Bools, document: Analysed) -> Ints:
    """Return the tokens of each document that a mask, (tokens,), marks, (documents,)."""
    return sum_segments(tokens, document.bounds)
