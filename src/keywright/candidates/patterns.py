"""Phrases whose word classes or tags, one letter per token, match a regular expression, and noun chunks."""

import re
from typing import Final

import numpy as np

from keywright.candidates.grouping import grouped
from keywright.candidates.ngrams import ngram_occurrences
from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import BARRIER, tag_classes


def class_phrases(
    document: AnalysedDocument, classes: str, pattern: str, longest: int, *, maximal: bool = False, unnamed: str = ""
) -> Candidates:
    """Return runs of tokens inside a sentence whose classes match a pattern.

    Args:
        document: the analysed document.
        classes: one ASCII letter per token, (tokens,); a run never contains an X, even where the pattern allows it.
        pattern: a regular expression over these letters, which a whole run must match.
        longest: maximum tokens of a run, without those of ``unnamed`` classes.
        maximal: whether only runs that do not overlap are returned: from the left, the longest run, then the longest
            after its end, and so on. Else all runs.
        unnamed: letters of inner tokens that are matched by the pattern but are not part of the key: *quality of the
            service* is then *quality of service*.
    """
    letters = np.frombuffer(classes.encode("ascii"), np.uint8)
    skipped = np.isin(letters, np.frombuffer(unnamed.encode("ascii"), np.uint8))
    inside = letters != ord(BARRIER)
    key, position, width = ngram_occurrences(document, longest, lambda _: inside, None, lambda _: skipped)
    matches = _matches(letters, position, width, re.compile(pattern))
    if maximal:
        matches[matches] = _leftmost_longest(position[matches], width[matches])
    return grouped(key[matches], position[matches], width[matches])


def _matches(letters: Ints, position: Ints, width: Ints, pattern: re.Pattern[str]) -> Bools:
    """Return whether each run matches, (runs,)."""
    # Few runs are distinct: those of one width become fixed-width strings, and the pattern sees each of them once.
    matches = np.zeros(len(position), bool)
    for tokens in np.unique(width).tolist():
        these = np.flatnonzero(width == tokens)
        runs = letters[position[these, None] + np.arange(tokens)].view(f"S{tokens}").ravel()
        distinct, which = np.unique(runs, return_inverse=True)
        fits = np.array([pattern.fullmatch(run.decode("ascii")) is not None for run in distinct.tolist()], bool)
        matches[these] = fits[which]
    return matches


def _leftmost_longest(position: Ints, width: Ints) -> Bools:
    """Return whether each run, ascending, remains when earlier, then longer runs exclude overlapping ones, (runs,)."""
    remains = np.zeros(len(position), bool)
    longest = np.flatnonzero(np.diff(position, append=-1) != 0)
    end = 0
    # Each decision depends on the previous one, so this is a loop; it only sees the few matching runs.
    for run, start, tokens in zip(longest.tolist(), position[longest].tolist(), width[longest].tolist(), strict=True):
        if start >= end:
            remains[run] = True
            end = start + tokens
    return remains


_NOUN_CHUNK: Final = "[JNG]*N"


def tag_phrases(
    document: AnalysedDocument, pattern: str, longest: int, *, maximal: bool = False, allowed: Bools | None = None
) -> Candidates:
    """Return runs of tokens inside a sentence whose classes match a pattern.

    The pattern is over the letters of ``tag_classes``; ``allowed`` are tokens of runs, (tokens,), all when None.
    """
    classes = tag_classes(document)
    if allowed is not None:
        letters = np.frombuffer(classes.encode("ascii"), "S1")
        classes = np.where(allowed, letters, BARRIER.encode("ascii")).tobytes().decode("ascii")
    return class_phrases(document, classes, pattern, longest, maximal=maximal)


def noun_chunks(document: AnalysedDocument, longest: int) -> Candidates:
    """Return nouns with all adjectives, participles and nouns before them, without determiners.

    A chunk of more than ``longest`` tokens is split, from the left.
    """
    return tag_phrases(document, _NOUN_CHUNK, longest, maximal=True)
