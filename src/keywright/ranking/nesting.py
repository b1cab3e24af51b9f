"""Phrases inside phrases: which of the best candidates hold which others."""

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined


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


def nested_pairs(document: AnalysedDocument, candidates: Candidates) -> tuple[Ints, Ints]:
    """All pairs of candidates of which one is a proper run of the other's words.

    The words of a candidate are those of its first mention.

    Args:
        document: the document.
        candidates: its candidates.

    Returns:
        Index of the shorter and of the longer candidate, each (pairs,); a pair is there once.
    """
    whole, key, width = runs_inside(document, candidates)
    by_key = np.argsort(candidates.key)
    sorted_key = candidates.key[by_key]
    place = np.minimum(np.searchsorted(sorted_key, key), len(candidates) - 1)
    # Signs have no part in a key, so that a proper run can have that of the whole.
    found = (sorted_key[place] == key) & (width < candidates.length[whole]) & (by_key[place] != whole)
    pairs = np.unique(np.stack((by_key[place[found]], whole[found])), axis=1)
    return pairs[0], pairs[1]


def runs_inside(document: AnalysedDocument, candidates: Candidates) -> tuple[Ints, Keys, Ints]:
    """All runs of the words of each candidate's first mention, the whole of it included.

    Args:
        document: the document.
        candidates: its candidates.

    Returns:
        Index of the candidate, key of the run, and its tokens, each (runs,).
    """
    wholes, keys, widths = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    longest = int(candidates.length.max(initial=0))
    for start in range(longest):
        key = np.zeros(len(candidates), np.uint64)
        for width in range(1, longest - start + 1):
            whole = np.flatnonzero(candidates.length >= start + width)
            word = document.word[candidates.first[whole] + start + width - 1]
            key[whole] = joined(key[whole], document.word_key[word], document.word_parts[word])
            wholes.append(whole)
            keys.append(key[whole])
            widths.append(np.full(len(whole), width))
    return np.concatenate(wholes), np.concatenate(keys), np.concatenate(widths)


def _words(document: AnalysedDocument, candidates: Candidates, index: int) -> tuple[int, ...]:
    """Keys of the words of a candidate's first occurrence."""
    first = int(candidates.first[index])
    keys = document.word_key[document.word[first : first + int(candidates.length[index])]]
    return tuple(np.asarray(keys).tolist())


def _inside(short: tuple[int, ...], longer: tuple[int, ...]) -> bool:
    """Whether a proper run of the longer sequence equals the shorter one."""
    size = len(short)
    return size < len(longer) and any(longer[at : at + size] == short for at in range(len(longer) - size + 1))
