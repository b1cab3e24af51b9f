"""The Arabic treebank UD PUD, and taggers that are trained and tested on its documents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.errors import MissingData
from keywright.core.interfaces import Progress
from keywright.core.zstandard import zstd
from keywright.datasets.files import mirror_folder
from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.spelling import FOLDED
from keywright.text.arabic.tagger import BEFORE, BEHIND, HERE, NO_WORD, Tagger, WordFeatures, word_features
from keywright.text.tokens import cut, normal_form

FILE: Final = "arabic/ud_pud_ar.conllu.zst"
SENTENCES: Final = 1000  # sentences of the treebank

CONTENT: Final = frozenset("NOUN PROPN ADJ VERB ADV NUM".split())  # tags of content words, whose lemmas are compared

_TAG_OF_WORD: Final = CONTENT | {"AUX", "SYM", "X"}
PUNCTUATION: Final = "PUNCT"
_CONJUNCTION: Final = "CCONJ"
_DOCUMENT: Final = "# newdoc id = "
_NO_SPACE: Final = "SpaceAfter=No"
_FORM, _LEMMA, _TAG, _OTHER = 1, 2, 3, 9  # columns of CoNLL-U


class Piece(NamedTuple):
    """A word of the treebank, a clitic or what they are attached to."""

    form: str
    lemma: str
    tag: str
    glued: bool


class Word(NamedTuple):
    """A written word.

    Attributes:
        text: as written.
        tag: universal part of speech.
        lemma: folded lemma of its content word; nothing where it has none or several.
        pieces: the treebank's words in it.
    """

    text: str
    tag: str
    lemma: str
    pieces: tuple[Piece, ...]


class Sentence(NamedTuple):
    """A sentence and the number of its document."""

    document: int
    words: tuple[Word, ...]


@lru_cache(maxsize=1)
def treebank(mirror: Path | None = None) -> tuple[Sentence, ...]:
    """Return all sentences.

    Raises:
        MissingData: the file is not in the mirror.
    """
    folder = mirror or mirror_folder()
    path = folder / FILE if folder else None
    if path is None or not path.is_file():
        raise MissingData(f"no treebank at {path or FILE}", "name the folder of collections with KEYWRIGHT_MIRROR")
    with zstd.open(path, "rt", encoding="utf-8") as file:
        return sentences_of(file.read())


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a CoNLL-U file; documents are numbered in the order of their first sentences."""
    documents: dict[str, int] = {}
    number = 0
    sentences = []
    for block in text.split("\n\n"):
        pieces = []
        for line in block.splitlines():
            if line.startswith(_DOCUMENT):
                number = documents.setdefault(line.removeprefix(_DOCUMENT), len(documents))
            columns = line.split("\t")
            if columns[0].isdigit():
                glued = _NO_SPACE in columns[_OTHER]
                pieces.append(Piece(columns[_FORM], columns[_LEMMA], columns[_TAG], glued))
        if pieces:
            sentences.append(Sentence(number, tuple(_words(pieces))))
    return tuple(sentences)


def _words(pieces: Sequence[Piece]) -> Iterator[Word]:
    """Yield the tokens of a sentence, each with the pieces that it has characters of."""
    begin = 0
    for end, piece in enumerate(pieces, 1):
        if piece.glued and end < len(pieces):
            continue
        chunk = pieces[begin:end]
        borders = [0]
        for part in chunk:
            borders.append(borders[-1] + len(part.form))
        for text, first, *_ in cut("".join(part.form for part in chunk)):
            last = first + len(text)
            inside = tuple(
                part
                for part, start, stop in zip(chunk, borders, borders[1:], strict=False)
                if start < last and stop > first
            )
            yield Word(text, tag_of(inside), _lemma_of(inside), inside)
        begin = end


def tag_of(pieces: Sequence[Piece]) -> str:
    """Return the tag of a written word: the content word's, the longest of several, else the first function word's."""
    content = [piece for piece in pieces if piece.tag in _TAG_OF_WORD]
    if content:
        return max(content, key=lambda piece: len(piece.form)).tag
    function = [piece for piece in pieces if piece.tag != PUNCTUATION]
    return next((piece.tag for piece in function if piece.tag != _CONJUNCTION), (*function, *pieces)[0].tag)


def _lemma_of(pieces: Sequence[Piece]) -> str:
    content = [piece for piece in pieces if piece.tag in CONTENT]
    return FOLDED(normal_form(content[0].lemma)) if len(content) == 1 else ""


FOLDS: Final = 10  # the usual number
LEAST: Final = 2  # words that a feature needs; arbitrary
STRENGTH: Final = 0.3
"""Inverse weight of the penalty on squares of weights; tried 0.1, 0.3 and 1 on two folds, which differ by .003."""
TOLERANCE: Final = 3e-4
"""Slope at which the optimiser stops; a third of it doubles the time and moves one word in a thousand."""
ROUNDS: Final = 300  # largest number of iterations, which the tolerance leaves far behind
NOMINAL: Final = frozenset({"NOUN", "ADJ"})
MERGED: Final = {"PROPN": "NOUN"}


class Accuracy(NamedTuple):
    """Accuracy over words without signs.

    Attributes:
        words: number of words.
        all: share with the right tag.
        merged: the same with names and nouns as one.
        nominal: share of nouns and adjectives with the right tag.
    """

    words: int
    all: float
    merged: float
    nominal: float


@cache
def features_of(text: str) -> WordFeatures:
    """Return the features of a word, once for each."""
    return word_features(text, lemmatiser())


def rows_of(sentences: Sequence[Sentence]) -> tuple[list[list[str]], list[str]]:
    """Return the features of each token with the beginnings of their places, and its tag."""
    rows, tags = [], []
    for sentence in sentences:
        described = [features_of(word.text) for word in sentence.words]
        beside = [NO_WORD, *(features.beside for features in described), NO_WORD]
        for at, (word, features) in enumerate(zip(sentence.words, described, strict=True)):
            places = ((HERE, features.here), (BEFORE, beside[at]), (BEHIND, beside[at + 2]))
            rows.append([place + name for place, names in places for name in names])
            tags.append(word.tag)
    return rows, tags


def fit(sentences: Sequence[Sentence], **card: Any) -> Tagger:
    """Return a tagger trained on some sentences."""
    rows, tags = rows_of(sentences)
    counts = Counter(name for row in rows for name in row)
    columns = {name: column for column, name in enumerate(sorted(name for name in counts if counts[name] >= LEAST))}
    places = [[columns[name] for name in row if name in columns] for row in rows]
    ends = np.cumsum([0, *map(len, places)])
    from scipy import sparse  # noqa: PLC0415  (only training needs both)
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    matrix = sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(places), ends), shape=(len(rows), len(columns)))
    model = LogisticRegression(C=STRENGTH, tol=TOLERANCE, max_iter=ROUNDS).fit(matrix, tags)
    return Tagger.of(list(columns), model.coef_.T, model.classes_.tolist(), model.intercept_, **card)


def predicted(model: Tagger, sentences: Sequence[Sentence]) -> list[str]:
    """Return the tag of each token."""
    words = [word.text for sentence in sentences for word in sentence.words]
    number = np.repeat(np.arange(len(sentences)), [len(sentence.words) for sentence in sentences])
    return [model.tags[tag] for tag in model.tag(words, number).tolist()]


def accuracy(pairs: Sequence[tuple[str, str]]) -> Accuracy:
    """Return the accuracy of pairs of a right tag and a predicted one; signs do not count."""
    words = [pair for pair in pairs if pair[0] != PUNCTUATION]
    nominal = [right == tag for right, tag in words if right in NOMINAL]
    return Accuracy(
        len(words),
        sum(right == tag for right, tag in words) / len(words),
        sum(MERGED.get(right, right) == MERGED.get(tag, tag) for right, tag in words) / len(words),
        sum(nominal) / max(1, len(nominal)),
    )


def cross_validated(sentences: Sequence[Sentence], progress: Progress | None = None) -> list[tuple[str, str]]:
    """Return the right tag and the predicted one of each token, all folds one after the other."""
    pairs: list[tuple[str, str]] = []
    for fold in range(FOLDS):
        held_out = [sentence for sentence in sentences if sentence.document % FOLDS == fold]
        model = fit([sentence for sentence in sentences if sentence.document % FOLDS != fold])
        right = (word.tag for sentence in held_out for word in sentence.words)
        pairs.extend(zip(right, predicted(model, held_out), strict=True))
        if progress is not None:
            progress(fold + 1, FOLDS)
    return pairs
