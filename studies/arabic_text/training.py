"""Training of the Arabic tagger, and its accuracy by cross-validation over documents.

Ten folds: document ``d`` is in fold ``d % 10``, so no document is in training and in test.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.interfaces import Progress
from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.tagger import BEFORE, BEHIND, HERE, NO_WORD, Tagger, WordFeatures, word_features
from studies.arabic_text.treebank import PUNCTUATION, Sentence

FOLDS: Final = 10
"""The usual number."""
LEAST: Final = 2
"""Words that a feature needs; arbitrary."""
STRENGTH: Final = 0.3
"""Inverse weight of the penalty on squares of weights; tried 0.1, 0.3 and 1 on two folds, which differ by .003."""
TOLERANCE: Final = 3e-4
"""Slope at which the optimiser stops; a third of it doubles the time and moves one word in a thousand."""
ROUNDS: Final = 300
"""Largest number of iterations, which the tolerance leaves far behind."""
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
