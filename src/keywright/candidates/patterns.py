"""Phrases whose tokens' classes, one letter each, match a regular expression."""

import re

import numpy as np

from keywright.candidates.grouping import grouped
from keywright.candidates.ngrams import ngram_occurrences
from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import BARRIER


def class_phrases(
    document: AnalysedDocument,
    classes: str,
    pattern: str,
    longest: int,
    *,
    maximal: bool = False,
    unnamed: str = "",
) -> Candidates:
    """Runs of tokens inside a sentence whose classes match a pattern; an empty document gives none.

    Args:
        document: the analysed document.
        classes: one ASCII letter per token, (tokens,); X stands in no run, whatever the pattern says.
        pattern: a regular expression over these letters, which a whole run must match.
        longest: most tokens of a run, those of ``unnamed`` classes not counted.
        maximal: only runs that do not overlap: from the left, the longest that begins there, and so on behind its end.
            All runs otherwise.
        unnamed: letters of tokens that a run may hold, inside, without becoming part of its key: *quality of the
            service* is then *quality of service*. The pattern does see them.
    """
    letters = np.frombuffer(classes.encode("ascii"), np.uint8)
    skipped = np.isin(letters, np.frombuffer(unnamed.encode("ascii"), np.uint8))
    inside = letters != ord(BARRIER)
    key, position, width = ngram_occurrences(document, longest, lambda _: inside, None, lambda _: skipped)
    kept = _matches(letters, position, width, re.compile(pattern))
    if maximal:
        kept[kept] = _leftmost_longest(position[kept], width[kept])
    return grouped(key[kept], position[kept], width[kept])


def _matches(letters: Ints, position: Ints, width: Ints, pattern: re.Pattern[str]) -> Bools:
    """Which runs match, (runs,). A document has few distinct runs of classes, so each is matched once."""
    kept = np.zeros(len(position), bool)
    for tokens in np.unique(width).tolist():
        these = np.flatnonzero(width == tokens)
        runs = letters[position[these, None] + np.arange(tokens)].view(f"S{tokens}").ravel()
        distinct, which = np.unique(runs, return_inverse=True)
        fits = np.array([pattern.fullmatch(run.decode("ascii")) is not None for run in distinct.tolist()], bool)
        kept[these] = fits[which]
    return kept


def _leftmost_longest(position: Ints, width: Ints) -> Bools:
    """Which runs remain when each takes its tokens from those that begin inside it, (runs,).

    Args:
        position: ascending, (runs,).
        width: ascending within equal positions, (runs,).
    """
    kept = np.zeros(len(position), bool)
    longest = np.flatnonzero(np.diff(position, append=-1) != 0)
    behind = 0
    # Whether a run remains depends on the one before it, so they are taken one by one; only matching runs come here.
    for run, start, tokens in zip(longest.tolist(), position[longest].tolist(), width[longest].tolist(), strict=True):
        if start >= behind:
            kept[run] = True
            behind = start + tokens
    return kept
