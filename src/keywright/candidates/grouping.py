"""Occurrences to candidates: phrases with equal keys, or keys of variants, become one."""

from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.segments import sorted_in_segments
from keywright.text.keys import joined


def grouped(key: Keys, position: Ints, width: Ints, bounds: Ints | None = None) -> Candidates:
    """Return candidates in the order of their first occurrence.

    Occurrences have a key, a first token, ascending, and a number of tokens, (occurrences,) each. Equal keys of
    two documents are two candidates: ``bounds`` of the documents among the tokens, (documents + 1,), None for one.
    """
    # Run-length encoding of the sorted keys: each run of equal keys of a document is a candidate.
    of_documents = np.array([0, len(key)]) if bounds is None else position.searchsorted(bounds)
    order, begins = sorted_in_segments(key, of_documents)
    sorted_key = key[order]
    heads = np.flatnonzero(begins)
    counts = np.diff(np.append(heads, len(key)))
    # The fast sort leaves equal keys in any order; sorting (run, occurrence), packed into one integer, restores reading
    # order at less than the cost of a stable sort of the keys.
    group = (np.cumsum(begins) - 1) * len(key)
    order = np.sort(group + order) - group
    # Each run now begins with the candidate's first occurrence: sort the runs by it, then gather them (ragged ranges).
    by_first = np.argsort(order[heads], kind="stable")
    frequency = counts[by_first]
    offsets = np.concatenate(([0], np.cumsum(frequency)))
    source = np.repeat(heads[by_first] - offsets[:-1], frequency) + np.arange(len(key))
    positions, widths = position[order[source]], width[order[source]]
    return Candidates(
        key=sorted_key[heads[by_first]],
        length=widths[offsets[:-1]],
        frequency=frequency,
        first=positions[offsets[:-1]],
        last=positions[offsets[1:] - 1],
        offsets=offsets,
        positions=positions,
        widths=widths,
    )


def regrouped(key: Keys, position: Ints, width: Ints) -> Candidates:
    """Return candidates like ``grouped``, from occurrences in any order, each (occurrences,)."""
    order = np.lexsort((width, position))
    return grouped(key[order], position[order], width[order])


_NOUN_OF_NOUN: Final = 3
"""Tokens of *recognition of speech*."""


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Return candidates in which *recognition of speech* counts as *speech recognition*.

    Only three tokens with *of* in the middle are turned; phrases with articles or more words are not.
    """
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    of = np.array([word == "of" for word in document.words], bool)
    three = np.flatnonzero(width == _NOUN_OF_NOUN)
    turned = three[of[document.word[position[three] + 1]]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = joined(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regrouped(key, position, width)
