"""Phrases inside phrases: which of the best candidates hold which others."""

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def containing(document: AnalysedDocument, candidates: Candidates, chosen: Ints) -> list[list[int]]:
    """For each chosen candidate, the other chosen ones that hold its words as a run.

    Args:
        document: the document.
        candidates: its candidates.
        chosen: indices of candidates, (chosen,).

    Returns:
        One list for each entry of ``chosen``: places in ``chosen`` of longer phrases that contain it.
    """
    words = [_words(document, candidates, int(index)) for index in chosen]
    return [[place for place, longer in enumerate(words) if _inside(short, longer)] for short in words]


def _words(document: AnalysedDocument, candidates: Candidates, index: int) -> tuple[int, ...]:
    """Keys of the words of a candidate's first occurrence."""
    first = int(candidates.first[index])
    keys = document.word_key[document.word[first : first + int(candidates.length[index])]]
    return tuple(np.asarray(keys).tolist())


def _inside(short: tuple[int, ...], longer: tuple[int, ...]) -> bool:
    """Whether a proper run of the longer sequence equals the shorter one."""
    size = len(short)
    return size < len(longer) and any(longer[at : at + size] == short for at in range(len(longer) - size + 1))
