"""Parts of speech of a phrase and of what stands beside it; documents need tags.

Classes are the letters of ``text/tag_classes.py``: N noun, J adjective, G participle, V other verb, I preposition ...
Every feature here but ``after_opening`` raises ``NeedsUnmet`` for a document without tags.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import BARRIER, tag_classes

_OPENING: Final = frozenset("( [ { \" “ « ‘ ' `` „".split())


@dataclass(frozen=True, slots=True)
class ClassCount:
    """Tokens of some classes in the most frequent pattern of classes of each candidate, (candidates,)."""

    classes: str

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        before = np.concatenate(([0], np.cumsum(_of_classes(document, self.classes))))
        usual, _ = _usual_mentions(candidates, document)
        begins = candidates.positions[usual]
        return np.asarray(before[begins + candidates.widths[usual]] - before[begins], float)


@dataclass(frozen=True, slots=True)
class BeginsWith:
    """1 where the most frequent pattern of each candidate begins with one of some classes, else 0, (candidates,)."""

    classes: str

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        usual, _ = _usual_mentions(candidates, document)
        return np.asarray(_of_classes(document, self.classes)[candidates.positions[usual]], float)


@dataclass(frozen=True, slots=True)
class EndsWith:
    """1 where the most frequent pattern of each candidate ends with one of some classes, else 0, (candidates,)."""

    classes: str

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        usual, _ = _usual_mentions(candidates, document)
        ends = candidates.positions[usual] + candidates.widths[usual] - 1
        return np.asarray(_of_classes(document, self.classes)[ends], float)


def patterns(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Number of different patterns of classes that each candidate is tagged with, at least 1, (candidates,)."""
    _, number = _usual_mentions(candidates, document)
    return np.asarray(number, float)


@dataclass(frozen=True, slots=True)
class LeftClass:
    """Share of mentions with a token of some classes right before them in the sentence, 0 to 1, (candidates,)."""

    classes: str

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return _beside(candidates, document, _of_classes(document, self.classes), left=True)


@dataclass(frozen=True, slots=True)
class RightClass:
    """Share of mentions with a token of some classes right behind them in the sentence, 0 to 1, (candidates,)."""

    classes: str

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return _beside(candidates, document, _of_classes(document, self.classes), left=False)


def after_opening(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of mentions right behind an opening bracket or a quotation mark, 0 to 1, (candidates,); needs no tags."""
    opening = np.array([word in _OPENING for word in document.words], bool)
    return _beside(candidates, document, opening[document.word], left=True)


def _codes(document: AnalysedDocument) -> Ints:
    """Class of each token as a code of its letter, (tokens,)."""
    return np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)


def _of_classes(document: AnalysedDocument, classes: str) -> Bools:
    """Which tokens are of some classes, (tokens,)."""
    return np.isin(_codes(document), np.frombuffer(classes.encode("ascii"), np.uint8))


def _usual_mentions(candidates: Candidates, document: AnalysedDocument) -> tuple[Ints, Ints]:
    """Of each candidate the first mention with its most frequent pattern, and its number of patterns, (candidates,)."""
    if not len(candidates):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    widths, widest = candidates.widths, int(candidates.widths.max())
    padded = np.append(_codes(document), np.full(widest, ord(BARRIER), np.uint8))
    runs = padded[candidates.positions[:, None] + np.arange(widest)]
    runs[np.arange(widest) >= widths[:, None]] = 0
    _, pattern = np.unique(np.ascontiguousarray(runs).view(f"S{widest}").ravel(), return_inverse=True)
    pairs, first, count = np.unique(
        candidates.owner * (int(pattern.max()) + 1) + pattern, return_index=True, return_counts=True
    )
    owner = pairs // (int(pattern.max()) + 1)
    order = np.lexsort((first, -count, owner))  # most frequent first, of equals the earliest
    heads = np.searchsorted(owner[order], np.arange(len(candidates)))
    return first[order][heads], np.bincount(owner, minlength=len(candidates))


def _beside(candidates: Candidates, document: AnalysedDocument, tokens: Bools, *, left: bool) -> Floats:
    """Share of mentions with one of some tokens, a mask (tokens,), beside them in the sentence, (candidates,)."""
    here = candidates.positions if left else candidates.positions + candidates.widths - 1
    there = here - 1 if left else here + 1
    exists = (there >= 0) & (there < len(document))
    there = np.where(exists, there, here)
    marked = exists & tokens[there] & (document.sentence[there] == document.sentence[here])
    return np.asarray(np.bincount(candidates.owner, marked, len(candidates)) / np.maximum(candidates.frequency, 1))
