"""Writings of a phrase: *rain garden* and *rain gardens* are one candidate, and two writings of it."""

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def writings(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Number of each occurrence's writing, case aside, (occurrences,): equal where the same words stand, from 0."""
    positions, widths = candidates.positions, candidates.widths
    number = np.zeros(len(positions), np.int64)
    for step in range(int(widths.max(initial=0))):
        longer = widths > step
        word = np.zeros(len(positions), np.int64)
        word[longer] = document.word[positions[longer] + step] + 1
        number = np.unique(number * (len(document.words) + 1) + word, return_inverse=True)[1].reshape(-1)
    return number


def mentions_as_written(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """How often each occurrence's writing stands in the document, (occurrences,)."""
    number = writings(candidates, document)
    return np.bincount(number, minlength=1)[number]


def best_writing(candidates: Candidates, scores: Floats) -> Ints:
    """Of each candidate the occurrence with the highest of ``scores``, (occurrences,); the earliest of equals.

    Returns:
        Indices of occurrences, (candidates,).
    """
    order = np.lexsort((np.arange(len(scores)), -scores, candidates.owner))
    return np.asarray(order[candidates.offsets[:-1]])


def written(candidates: Candidates, document: AnalysedDocument, occurrences: Ints) -> list[str]:
    """How some occurrences are written: their tokens in lower case, with blanks between."""
    starts, words = candidates.positions[occurrences], document.words
    ends = starts + candidates.widths[occurrences]
    tokens = document.word.tolist()
    return [
        " ".join([words[word] for word in tokens[start:end]])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
