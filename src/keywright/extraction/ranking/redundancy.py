"""Phrases inside longer phrases, near repetitions by words or spelling, and their removal."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import join_keys


def containing(document: AnalysedDocument, candidates: Candidates, chosen: Ints) -> list[list[int]]:
    """Return for each chosen candidate the indices, into ``chosen``, of others that contain its words as a run."""
    words = []
    for first, length in zip(candidates.first[chosen].tolist(), candidates.length[chosen].tolist(), strict=True):
        words.append(tuple(document.word_key[document.word[first : first + length]].tolist()))

    def is_inside(short: tuple[int, ...], longer: tuple[int, ...]) -> bool:
        size = len(short)
        return size < len(longer) and any(longer[at : at + size] == short for at in range(len(longer) - size + 1))

    return [[place for place, longer in enumerate(words) if is_inside(short, longer)] for short in words]


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
            key[whole] = join_keys(key[whole], document.word_key[word], document.word_parts[word])
            wholes.append(whole)
            keys.append(key[whole])
            widths.append(np.full(len(whole), width))
    return np.concatenate(wholes), np.concatenate(keys), np.concatenate(widths)


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


_ROUNDING: Final = 1e-9  # excess over the threshold that is a rounding error


def without_near_repetitions(words: Sequence[Collection[str]], diversity: float) -> Ints:
    """Return the indices of phrases that do not nearly repeat a better one, in order, (remaining,).

    The later of two is removed if their Dice coefficient of stems exceeds 1 minus ``diversity``, 0 to 1: *sensor
    networks* has 0.8 with *wireless sensor networks*, 0.67 with *networks*. A phrase without words stays.
    """
    if diversity <= 0:
        return np.arange(len(words))
    remaining: list[int] = []
    phrases_with: dict[str, list[int]] = {}  # inverted index: only phrases with a common word are compared
    distinct = [set(phrase) for phrase in words]
    for index, phrase in enumerate(distinct):
        common = Counter(other for word in phrase for other in phrases_with.get(word, ()))
        dice = (2 * count / (len(phrase) + len(distinct[other])) for other, count in common.items())
        if any(value > 1 - diversity + _ROUNDING for value in dice):
            continue
        remaining.append(index)
        for word in phrase:
            phrases_with.setdefault(word, []).append(index)
    return np.array(remaining, np.int64)


_BINS: Final = 64  # bins of characters; arbitrary: sharing a bin only weakens the bound on the distance


def without_similar(texts: Sequence[str], threshold: float, most: int | None = None) -> Ints:
    """Return indices of phrases, in order, not above the threshold of similarity to a better one, (remaining,)."""
    if threshold >= 1:
        return np.arange(len(texts))[:most]
    counts = np.zeros((len(texts), _BINS), np.int32)
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    remaining: list[int] = []
    for index, text in enumerate(texts):
        if most is not None and len(remaining) >= most:
            break
        counts[index] = np.bincount([ord(letter) % _BINS for letter in text], minlength=_BINS)
        close = np.array(remaining, np.int64)
        longer = np.maximum(length[close], length[index])
        close = close[np.minimum(length[close], length[index]) > threshold * longer]  # else the lengths differ too much
        difference = counts[close] - counts[index]
        # Bag distance: an edit removes at most one surplus and one missing letter, so the distance is at least either.
        # The bound excludes nearly all pairs without computing their distance.
        least = np.maximum(np.maximum(difference, 0).sum(axis=1), np.maximum(-difference, 0).sum(axis=1))
        close = close[1 - least / np.maximum(length[close], length[index]) > threshold]
        if not any(similarity(text, texts[other]) > threshold for other in close.tolist()):
            remaining.append(index)
    return np.array(remaining, np.int64)


def similarity(left: str, right: str) -> float:
    """Return 1 minus the Levenshtein distance over the longer length, 0 to 1; 1 for two empty texts."""
    longer = max(len(left), len(right))
    return 1 - distance(left, right) / longer if longer else 1.0


def distance(left: str, right: str) -> int:
    """Return the minimum number of insertions, deletions and replacements between two texts (Levenshtein 1966)."""
    row = list(range(len(right) + 1))
    for above, letter in enumerate(left, 1):
        diagonal, row[0] = row[0], above
        for at, other in enumerate(right, 1):
            diagonal, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, diagonal + (letter != other))
    return row[-1]
