"""Train ``src/keywright/models/tags_ar.npz``: the Arabic tagger, on the treebank UD Arabic-PUD.

    KEYWRIGHT_MIRROR=... python -m tools.train.arabic_tagger            cross-validation, then training on all
    KEYWRIGHT_MIRROR=... python -m tools.train.arabic_tagger --check    cross-validation alone

Needs the extra ``arabic``; two minutes with OMP_NUM_THREADS=1. Ten folds over documents: document ``d`` is in fold
``d % 10``, so no document is in training and in test. The unit is the written word, as in
``studies/arabic_text/treebank.py``;
accuracies count words without signs. The same data and the same scikit-learn give the same file.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from keywright.text.arabic.features import WordFeatures, word_features
from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.tagger import BEFORE, BEHIND, FILE, HERE, NO_WORD, Tagger
from studies.arabic_text.treebank import PUNCTUATION, Sentence, treebank

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models" / FILE
FOLDS: Final = 10
LEAST: Final = 2
"""Words that a feature needs; arbitrary."""
STRENGTH: Final = 0.3
"""Inverse weight of the penalty on squares of weights; tried 0.1, 0.3 and 1 on two folds, which differ by .003."""
TOLERANCE: Final = 3e-4
"""Slope at which the optimiser stops; a third of it doubles the time and moves one word in a thousand."""
ROUNDS: Final = 300
"""Largest number of iterations, which the tolerance leaves far behind."""
MERGED: Final = {"PROPN": "NOUN"}
CARD: Final = {
    "name": "tags_ar",
    "what": "weights of a logistic regression for universal parts of speech of Arabic words, 64-bit keys of features "
    "and 8-bit weights, no text",
    "sources": [
        "Universal Dependencies, Arabic-PUD, commit be733f45d21f42d506c62930f806ed2182a5ee3d, all 1,000 sentences"
    ],
    "licence": "CC BY-SA 3.0, as the treebank's",
    "unit": "words between blanks, with their clitics; the tag is that of the content word",
    "checked_by": "ten-fold cross-validation over documents, words without signs",
    "made_by": "tools/train/arabic_tagger.py",
    "date": "2026-11-22",
}


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


def fit(sentences: Sequence[Sentence], **card: object) -> Tagger:
    """Return a tagger trained on some sentences."""
    rows, tags = rows_of(sentences)
    counts = Counter(name for row in rows for name in row)
    columns = {name: column for column, name in enumerate(sorted(name for name in counts if counts[name] >= LEAST))}
    places = [[columns[name] for name in row if name in columns] for row in rows]
    ends = np.cumsum([0, *map(len, places)])
    matrix = sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(places), ends), shape=(len(rows), len(columns)))
    model = LogisticRegression(C=STRENGTH, tol=TOLERANCE, max_iter=ROUNDS).fit(matrix, tags)
    return Tagger.of(list(columns), model.coef_.T, model.classes_.tolist(), model.intercept_, **card)


def predicted(model: Tagger, sentences: Sequence[Sentence]) -> list[str]:
    """Return the tag of each token."""
    words = [word.text for sentence in sentences for word in sentence.words]
    number = np.repeat(np.arange(len(sentences)), [len(sentence.words) for sentence in sentences])
    return [model.tags[tag] for tag in model.tag(words, number).tolist()]


def cross_validated() -> tuple[float, float, int]:
    """Return accuracy, accuracy with names and nouns as one, and the number of words, all folds together."""
    right = merged = total = 0
    for fold in range(FOLDS):
        train = [sentence for sentence in treebank() if sentence.document % FOLDS != fold]
        held_out = [sentence for sentence in treebank() if sentence.document % FOLDS == fold]
        tags = predicted(fit(train), held_out)
        gold = [word.tag for sentence in held_out for word in sentence.words]
        pairs = [pair for pair in zip(gold, tags, strict=True) if pair[0] != PUNCTUATION]
        hits = sum(expected == tag for expected, tag in pairs)
        merged_hits = sum(MERGED.get(expected, expected) == MERGED.get(tag, tag) for expected, tag in pairs)
        right, merged, total = right + hits, merged + merged_hits, total + len(pairs)
        print(
            f"fold {fold}: {len(pairs)} words, {hits / len(pairs):.4f}, merged {merged_hits / len(pairs):.4f}",
            flush=True,
        )
    return right / total, merged / total, total


def main() -> None:
    """Measure, train and write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="cross-validation only, no file is written")
    check = arguments.parse_args().check
    accuracy, merged, words = cross_validated()
    print(f"all {words} words: {accuracy:.4f}, with PROPN and NOUN as one {merged:.4f}")
    if not check:
        checked = {"upos": round(accuracy, 4), "upos_nouns_merged": round(merged, 4), "words": words}
        model = fit(treebank(), **CARD, accuracy=checked)
        model.save(TARGET)
        print(f"{TARGET.name}: {len(model.keys)} features, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
