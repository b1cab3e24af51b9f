"""Grades: how near each candidate of a training document comes to a keyphrase, for learners of rankings."""

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

_HALF: Final = 0.5


def grades(candidates: Candidates, document: AnalysedDocument, gold: tuple[GoldKeyphrase, ...]) -> Ints:
    """2 for keyphrases, 1 for what resembles one, 0 for the rest, (candidates,).

    A candidate resembles a keyphrase that ends in the same word, or that has at least half of the candidate's words.
    Words are compared by their stems; gold that is stemmed already is taken as it is, too.

    Args:
        candidates: of one document.
        document: the document.
        gold: its keyphrases, of every kind that is to count.
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
        known = np.isin(words, phrase[phrase > 0]).sum(axis=1)
        resembles |= np.isin(last, phrase[-1:]) | (known >= _HALF * candidates.length)
    return np.where(labels(candidates, gold, language), 2, resembles.astype(int))


def graded_rows(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
) -> tuple[Floats, Ints, Ints]:
    """Features and grades of all candidates of all documents, one below the other; and whose they are.

    Args:
        labelled: documents with gold; gold of every kind counts.
        candidates_of: candidates of a document.
        features_of: their features, (candidates, features). Statistics that a training document went into must leave
            it out.

    Returns:
        Features (rows, features), grades (rows,), number of the document from 0 on (rows,), not decreasing.

    Raises:
        BadParameter: there is no document.
    """
    parts = rows_of_documents(
        labelled,
        candidates_of,
        features_of,
        lambda candidates, example: grades(candidates, example.document, example.gold),
    )
    rows, found = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(found), np.repeat(np.arange(len(found)), list(map(len, found)))


def _words(candidates: Candidates, document: AnalysedDocument) -> Keys:
    """Keys of the words of each candidate's first mention, 0 after its last word, (candidates, longest)."""
    places = np.arange(int(candidates.length.max(initial=1)))
    there = places < candidates.length[:, None]
    position = np.where(there, candidates.first[:, None] + places, 0)
    if not len(document):
        return np.zeros((len(candidates), len(places)), np.uint64)
    return np.where(there, document.word_key[document.word[position]], np.uint64(0))
