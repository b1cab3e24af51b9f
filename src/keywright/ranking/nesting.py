"""Phrases inside longer phrases, and their removal where they are redundant."""

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined


def containing(document: AnalysedDocument, candidates: Candidates, chosen: Ints) -> list[list[int]]:
    """Return for each chosen candidate the indices, into ``chosen``, of others that contain its words as a run."""
    words = [_words(document, candidates, int(index)) for index in chosen]
    return [[place for place, longer in enumerate(words) if _inside(short, longer)] for short in words]


def nested_pairs(document: AnalysedDocument, candidates: Candidates) -> tuple[Ints, Ints]:
    """Return the shorter and the longer one of all pairs, one a proper run of the other's words, (pairs,) each."""
    whole, key, width = runs_inside(document, candidates)
    # Look-up by hash: every inner run is searched in the sorted keys, instead of comparing each two candidates.
    by_key = np.argsort(candidates.key)
    sorted_key = candidates.key[by_key]
    place = np.minimum(np.searchsorted(sorted_key, key), len(candidates) - 1)
    # Keys do not include signs, so a proper run can have the key of the whole.
    proper = (sorted_key[place] == key) & (width < candidates.length[whole]) & (by_key[place] != whole)
    pairs = np.unique(np.stack((by_key[place[proper]], whole[proper])), axis=1)
    return pairs[0], pairs[1]


def runs_inside(document: AnalysedDocument, candidates: Candidates) -> tuple[Ints, Keys, Ints]:
    """Return candidate, key and tokens of all runs of words of first mentions, wholes included, (runs,) each."""
    wholes, keys, widths = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    # Rolling hash: for each start, the keys of all candidates grow by one token per step.
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
    first = int(candidates.first[index])
    keys = document.word_key[document.word[first : first + int(candidates.length[index])]]
    return tuple(np.asarray(keys).tolist())


def _inside(short: tuple[int, ...], longer: tuple[int, ...]) -> bool:
    """Return whether a proper run of the longer sequence equals the shorter one."""
    size = len(short)
    return size < len(longer) and any(longer[at : at + size] == short for at in range(len(longer) - size + 1))


def redundant(
    document: AnalysedDocument,
    candidates: Candidates,
    scores: Floats,
    *,
    advantage: float = 1.0,
    equally_often: bool = False,
) -> Bools:
    """Return whether each candidate is part of a longer one that is not worse and not redundant itself, (candidates,).

    With the defaults this is KEA's rule (Witten et al. 1999): no phrase is listed behind one that contains it. A part
    stays if its score exceeds the longer one's by the factor ``advantage`` (above 1 scores must not be negative). If
    ``equally_often``, only parts with no more mentions than the longer one are redundant.
    """
    part, whole = nested_pairs(document, candidates)
    worse = scores[part] <= advantage * scores[whole]
    if equally_often:
        worse &= candidates.frequency[part] <= candidates.frequency[whole]
    part, whole = part[worse], whole[worse]
    removed = np.zeros(len(candidates), bool)
    # Longest first, as only candidates that stay make others redundant; each length is decided at once.
    for length in np.unique(candidates.length[part])[::-1].tolist():
        of_length = (candidates.length[part] == length) & ~removed[whole]
        removed[part[of_length]] = True
    return removed
