"""Ranking by a support vector machine over pairs of rows, graded by similarity to a keyphrase."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.learners.examples import labels, rows_of_documents
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer
from keywright.text.tokens import normal_form

_SHARE_OF_WORDS: Final = 0.5
"""Minimum share of a candidate's words in a keyphrase that it resembles; arbitrary, as no paper defines it."""


def grades(candidates: Candidates, document: AnalysedDocument, gold: tuple[GoldKeyphrase, ...]) -> Ints:
    """Return 2 for keyphrases, 1 for candidates that resemble one, 0 for the rest, (candidates,).

    A candidate resembles a keyphrase of the same last stem, or with half of its stems; gold is read as text and as
    stems.
    """
    language = document.source.language
    stem = stemmer(language or "en")
    forms = sorted({normal_form(form) for keyphrase in gold for form in keyphrase.forms})
    resembles = np.zeros(len(candidates), bool)
    # Keys of the words of each first mention, 0 behind the last one, (candidates, longest).
    places = np.arange(int(candidates.length.max(initial=1)))
    present = places < candidates.length[:, None]
    words = np.zeros(present.shape, np.uint64)
    words[present] = document.word_key[document.word[(candidates.first[:, None] + places)[present]]]
    last = words[np.arange(len(candidates)), candidates.length - 1]
    readings: tuple[Callable[[str], str], ...] = (stem, str)
    for form, reading in itertools.product(forms, readings):
        phrase = np.array([phrase_key(word, reading) for word in form.split()], np.uint64)
        common = np.isin(words, phrase[phrase > 0]).sum(axis=1)
        resembles |= np.isin(last, phrase[-1:]) | (common >= _SHARE_OF_WORDS * candidates.length)
    return np.where(labels(candidates, gold, language), 2, resembles.astype(int))


def graded_rows(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
) -> tuple[Floats, Ints, Ints]:
    """Return features (rows, features), grades (rows,) and document numbers of all candidates, without own labels."""
    parts = rows_of_documents(
        labelled,
        candidates_of,
        features_of,
        lambda candidates, example: grades(candidates, example.document, example.gold),
    )
    rows, graded = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(graded), np.repeat(np.arange(len(graded)), list(map(len, graded)))


@dataclass(frozen=True, slots=True, eq=False)
class RankingSVM:
    """A weighted sum of features, divided by ``scale``, that ranks the better of two rows of a document higher.

    Joachims (2002); Herbrich, Graepel and Obermayer (2000): a linear support vector machine learns the sign of
    differences.
    """

    scale: Floats
    weight: Floats

    @classmethod
    def fit(
        cls, rows: Floats, grades: Ints, documents: Ints, *, strength: float = 1.0, pairs: int = 50, seed: int = 1
    ) -> Self:
        """Learn from features (rows, features), grades and documents; ``pairs`` of each lower grade at most."""
        with needs_extra("train", "training a ranking SVM needs scikit-learn"):
            from sklearn import svm  # noqa: PLC0415  (seconds to import, and only training needs it)

        better, worse = _pairs(grades, documents, pairs, np.random.default_rng(seed))
        if not len(better):
            message = "a ranking needs a document with rows of different grades"
            raise BadParameter(message, "do gold keyphrases occur in the documents?")
        scale = rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        differences = (rows[better] - rows[worse]) / scale
        differences = np.resize(differences, (max(2, len(better)), rows.shape[1]))  # the solver needs both signs
        signs = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
        # Without an intercept, as differences have none; 10,000 rounds are ten times the default, to converge.
        model = svm.LinearSVC(C=strength, dual=False, fit_intercept=False, max_iter=10_000)
        model.fit(differences * signs[:, None], signs)
        return cls(scale, model.coef_[0] if len(better) > 1 else differences[0])

    def scores(self, rows: Floats) -> Floats:
        """Return scores, higher is better, comparable within a document, (rows,)."""
        return np.asarray((rows / self.scale) @ self.weight)


def _pairs(grades: Ints, documents: Ints, pairs: int, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the better and the worse row of each pair, each (pairs,)."""
    better, worse = [np.zeros(0, int)], [np.zeros(0, int)]
    for document in np.unique(documents).tolist():
        rows = np.flatnonzero(documents == document)
        levels = np.unique(grades[rows]).tolist()
        for low, high in ((low, high) for low in levels for high in levels if low < high):
            below, above = rows[grades[rows] == low], rows[grades[rows] == high]
            for row in above.tolist():
                drawn = random.permutation(below)[:pairs]
                better.append(np.full(len(drawn), row))
                worse.append(drawn)
    return np.concatenate(better), np.concatenate(worse)
