"""Length and spelling of a phrase."""

import re
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Case, WordFlag

_THRICE: Final = re.compile(r"([^\W\d_])\1\1")


def words(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Return the tokens of each candidate, at least 1, (candidates,)."""
    return candidates.length.astype(np.float64)


def characters(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the characters of the first mention, with blanks, (candidates,)."""
    ends = document.end[candidates.first + candidates.length - 1]
    return np.asarray(ends - document.start[candidates.first], float)


def acronym_share(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of mentions that are one token with inner capitals (*DNS*, *HyARM*), 0 to 1, (candidates,)."""
    odd = (document.case[candidates.positions] >= Case.UPPER) & (candidates.widths == 1)
    return _share(candidates, odd)


def capital_share(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of mentions without an all-lower-case word, as in names and titles, 0 to 1, (candidates,)."""
    small = document.case == Case.LOWER
    return _share(candidates, ~_any(candidates, small))


def special_characters(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where a mention has a hyphen, slash, digit, or capital inside a word, else 0, (candidates,).

    Eichler and Neumann (2010).
    """
    marks = document.flags & (WordFlag.COMPOUND | WordFlag.DIGIT) > 0
    return (_share(candidates, _any(candidates, marks | (document.case >= Case.UPPER))) > 0).astype(np.float64)


def odd_spelling(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where a mention has a word of mixed case or a letter three times in a row, else 0, (candidates,).

    Unusual orthography in Berend and Farkas (2010).
    """
    repeated = np.fromiter((bool(_THRICE.search(word)) for word in document.words), bool, len(document.words))
    odd = (document.case == Case.MIXED) | repeated[document.word]
    return (_share(candidates, _any(candidates, odd)) > 0).astype(np.float64)


def holds_stop_word(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention contains a stop word, (candidates,)."""
    before = np.concatenate(([0], np.cumsum(document.flags & WordFlag.STOP > 0)))
    return np.asarray(before[candidates.first + candidates.length] > before[candidates.first])


def _any(candidates: Candidates, tokens: Bools) -> Bools:
    """Return whether each mention contains a token of a mask (tokens,), (occurrences,)."""
    # Prefix sums: a span contains a marked token where the cumulative counts at its ends differ.
    before = np.concatenate(([0], np.cumsum(tokens)))
    return np.asarray(before[candidates.positions + candidates.widths] > before[candidates.positions])


def _share(candidates: Candidates, mentions: Bools) -> Floats:
    """Return the share of each candidate's mentions that a mask (occurrences,) marks, (candidates,)."""
    marked = np.bincount(candidates.owner, weights=mentions, minlength=len(candidates))
    return np.asarray(marked / np.maximum(candidates.frequency, 1))
