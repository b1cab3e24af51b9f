"""Words that systems leave out before they count: citations, addresses, equations."""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.core.word_lists import read_patterns
from keywright.extraction.candidates.ngrams import WordRule

Removal: TypeAlias = Literal["citations", "addresses", "equations"]  # kinds of text that can be removed
_CITATION: Final = re.compile(read_patterns("extraction/candidates/citations.txt")["CITATION"])
_ADDRESS: Final = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+|\S+@[\w-]+(?:\.[\w-]+)+")
_RELATIONS: Final = frozenset("= ≠ ≤ ≥ < > ≈ ≡ ∈ ∉ ⊂ ⊆ → ⇒ ∝ := == <= >= != ≪ ≫".split())
_NAME: Final = 2  # maximum characters of a variable's name; arbitrary


def _inside(document: AnalysedDocument, pattern: re.Pattern[str]) -> Bools:
    """Return whether each token begins inside a match of a pattern in the text, (tokens,)."""
    spans = np.array([match.span() for match in pattern.finditer(document.source.text)], np.int64).reshape(-1, 2)
    # Spans are sorted and disjoint: a token is inside one where more spans have begun than have ended.
    begun = np.searchsorted(spans[:, 0], document.start, "right")
    return np.asarray(begun > np.searchsorted(spans[:, 1], document.start, "right"), bool)


def equations(document: AnalysedDocument) -> Bools:
    """Return whether each token is in an equation, a run of signs and short names with a relation, (tokens,)."""
    form = [len(word) <= _NAME for word in document.words]
    short = np.array(form, bool) & (document.word_flags & WordFlag.STOP == 0)
    odd = document.word_flags & (WordFlag.PUNCTUATION | WordFlag.SYMBOLIC | WordFlag.LONE | WordFlag.DIGIT) > 0
    relation = np.fromiter(map(_RELATIONS.__contains__, document.words), bool, len(document.words))
    mathematical = (short | odd)[document.word]
    # Run-length encoding: tokens of one run share a number, and a run is an equation where it holds a relation.
    run = np.cumsum(np.diff(mathematical, prepend=False))
    holds = np.bincount(run, relation[document.word], int(run.max(initial=0)) + 1) > 0
    return np.asarray(mathematical & holds[run], bool)


REMOVALS: Final[Mapping[Removal, WordRule]] = {
    "citations": partial(_inside, pattern=_CITATION),
    "addresses": partial(_inside, pattern=_ADDRESS),
    "equations": equations,
}


def remaining(document: AnalysedDocument, removed: Iterable[Removal]) -> Bools:
    """Return the tokens outside of what is removed, (tokens,); all where nothing is."""
    stays = np.ones(len(document), bool)
    for kind in removed:
        stays &= ~REMOVALS[kind](document)
    return stays
