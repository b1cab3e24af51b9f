"""Positions of a phrase in the document, as shares of its length in tokens, among other candidates, and by section."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, share_before
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind
from keywright.core.interfaces import Feature


def first_mention(candidates: Candidates, document: Analysed) -> Floats:
    """Return the share of the document before each candidate's first mention, 0 to below 1, (candidates,)."""
    return share_before(candidates.first, document)


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def spread(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document between first and last mention, 0 for a single one, (candidates,)."""
    return (candidates.last - candidates.first) / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the standard deviation of the mentions' positions, 0 for a single one, at most 0.5, (candidates,)."""
    positions = candidates.positions / max(1, len(document))
    mean = _sums(candidates, positions) / candidates.frequency
    return np.asarray(np.sqrt(_sums(candidates, (positions - mean[candidates.owner]) ** 2) / candidates.frequency))


def _sums(candidates: Candidates, numbers: Floats) -> Floats:
    """Return the sum of a column (occurrences,) over each candidate's occurrences, (candidates,)."""
    return np.asarray(np.bincount(candidates.owner, weights=numbers, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """A feature scaled to the range 0 to 1 in each document; all 0 where the values are equal."""

    feature: Feature

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        values = self.feature(candidates, document)
        if not len(values) or values.max() == values.min():
            return np.zeros(len(values))
        return np.asarray((values - values.min()) / (values.max() - values.min()))


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Return the mentions of each candidate in sections of these kinds, (candidates,)."""
    wanted = np.zeros(len(SECTION_KINDS), bool)
    wanted[[kind.code for kind in kinds]] = True
    there = wanted[document.section[candidates.positions]]
    return np.asarray(np.bincount(candidates.owner, weights=there, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True)
class MentionsIn:
    """Mentions of each candidate in sections of these kinds, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return mentions_in(candidates, document, *self.kinds)


@dataclass(frozen=True, slots=True)
class SeenIn:
    """1 where a section of these kinds mentions the candidate, else 0, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return (mentions_in(candidates, document, *self.kinds) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class SectionTfIdf:
    """TF×IDF among the sections of one document, for one kind, (candidates,); 0 where there is no such section.

    Mentions per token of the section, times log2 of the number of sections over that of sections with the candidate.
    Berend and Farkas (2010).
    """

    kind: SectionKind

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        sizes = np.bincount(document.section, minlength=len(SECTION_KINDS))
        mentions = by_kind(candidates, document)
        rarity = np.log2(np.count_nonzero(sizes) / np.maximum((mentions > 0).sum(axis=1), 1))
        return np.asarray(mentions[:, self.kind.code] / max(1, int(sizes[self.kind.code])) * rarity)


def by_kind(candidates: Candidates, document: Analysed) -> Ints:
    """Return the mentions of each candidate in sections of each kind, (candidates, kinds)."""
    # A two-dimensional count by one ``bincount``: candidate and kind packed into one integer.
    kinds = len(SECTION_KINDS)
    cells = candidates.owner * kinds + document.section[candidates.positions]
    return np.bincount(cells, minlength=len(candidates) * kinds).reshape(-1, kinds)
