"""Grades: similarity of each candidate of a training document to a keyphrase, for learners of rankings."""

import itertools
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.learners.labels import labels, rows_of_documents
from keywright.text.keys import phrase_key
from keywright.text.normal import normal_form
from keywright.text.stems import stemmer

_SHARE_OF_WORDS: Final = 0.5
"""Minimum share of a candidate's words in a keyphrase that it resembles; arbitrary, as no paper defines it."""


def grades(candidates: Candidates, document: AnalysedDocument, gold: tuple[GoldKeyphrase, ...]) -> Ints:
    """Return 2 for keyphrases, 1 for candidates that resemble one, 0 for the rest, (candidates,).

    A candidate resembles a keyphrase that ends in the same word, or that has at least half of the candidate's words.
    Words are compared by their stems; gold is read both as text and as stems.

    Args:
        candidates: of one document.
        document: the document.
        gold: its keyphrases, of every kind that counts.
    """
    language = document.source.language
    stem = stemmer(language or "en")
    forms = sorted({normal_form(form) for keyphrase in gold for form in keyphrase.forms})
    resembles = np.zeros(len(candidates), bool)
    words = _words(candidates, document)
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
    """Return features and grades of all candidates of all documents, concatenated, and the document of each.

    Args:
        labelled: documents with gold; gold of every kind counts.
        candidates_of: candidates of a document.
        features_of: their features, (candidates, features). Statistics that include a training document must leave it
            out.

    Returns:
        Features (rows, features), grades (rows,), number of the document from 0 (rows,), not decreasing.
    """
    parts = rows_of_documents(
        labelled,
        candidates_of,
        features_of,
        lambda candidates, example: grades(candidates, example.document, example.gold),
    )
    rows, graded = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(graded), np.repeat(np.arange(len(graded)), list(map(len, graded)))


def _words(candidates: Candidates, document: AnalysedDocument) -> Keys:
    """Return the keys of the words of each candidate's first mention, 0 after the last word, (candidates, longest)."""
    places = np.arange(int(candidates.length.max(initial=1)))
    present = places < candidates.length[:, None]
    position = np.where(present, candidates.first[:, None] + places, 0)
    if not len(document):
        return np.zeros((len(candidates), len(places)), np.uint64)
    return np.where(present, document.word_key[document.word[position]], np.uint64(0))
