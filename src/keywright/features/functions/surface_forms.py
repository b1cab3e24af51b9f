"""Surface forms of a phrase: *rain garden* and *rain gardens* are one candidate with two surface forms."""

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def surface_form_numbers(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return a number from 0 for each occurrence, the same for the same words regardless of case, (occurrences,)."""
    positions, widths = candidates.positions, candidates.widths
    number = np.zeros(len(positions), np.int64)
    # Prefix numbering: the number of the words so far and the next word, packed into one integer and renumbered, give
    # the number of the longer prefix. Renumbering keeps the integers small, whatever the length.
    for step in range(int(widths.max(initial=0))):
        longer = widths > step
        word = np.zeros(len(positions), np.int64)
        word[longer] = document.word[positions[longer] + step] + 1
        number = np.unique(number * (len(document.words) + 1) + word, return_inverse=True)[1].reshape(-1)
    return number


def surface_form_counts(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return how often the surface form of each occurrence occurs in the document, (occurrences,)."""
    number = surface_form_numbers(candidates, document)
    return np.bincount(number, minlength=1)[number]


def best_occurrences(candidates: Candidates, scores: Floats) -> Ints:
    """Return the index of each candidate's occurrence with the highest score, the earliest of equals, (candidates,).

    Args:
        candidates: of a document.
        scores: higher is better, (occurrences,).
    """
    order = np.lexsort((np.arange(len(scores)), -scores, candidates.owner))
    return np.asarray(order[candidates.offsets[:-1]])


def surface_forms(candidates: Candidates, document: AnalysedDocument, occurrences: Ints) -> list[str]:
    """Return the tokens of some occurrences in lower case, joined by blanks."""
    starts, words = candidates.positions[occurrences], document.words
    ends = starts + candidates.widths[occurrences]
    tokens = document.word.tolist()
    return [
        " ".join([words[word] for word in tokens[start:end]])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
