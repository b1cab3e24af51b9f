"""Positions of a phrase in the document, and its mentions by section."""

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, share_before
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind


def first_mention(candidates: Candidates, document: Analysed) -> Floats:
    """Return the share of the document before each candidate's first mention, 0 to below 1, (candidates,)."""
    return share_before(candidates.first, document)


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the standard deviation of the mentions' positions, 0 for a single one, at most 0.5, (candidates,)."""
    positions = candidates.positions / max(1, len(document))
    owner, number = candidates.owner, len(candidates)
    mean = np.bincount(owner, positions, number) / candidates.frequency
    squares = np.bincount(owner, (positions - mean[owner]) ** 2, number)
    return np.asarray(np.sqrt(squares / candidates.frequency))


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Return the mentions of each candidate in sections of these kinds, (candidates,)."""
    wanted = np.zeros(len(SECTION_KINDS), bool)
    wanted[[kind.code for kind in kinds]] = True
    there = wanted[document.section[candidates.positions]]
    return np.asarray(np.bincount(candidates.owner, weights=there, minlength=len(candidates)), float)


def by_kind(candidates: Candidates, document: Analysed) -> Ints:
    """Return the mentions of each candidate in sections of each kind, (candidates, kinds)."""
    # A two-dimensional count by one ``bincount``: candidate and kind packed into one integer.
    kinds = len(SECTION_KINDS)
    cells = candidates.owner * kinds + document.section[candidates.positions]
    return np.bincount(cells, minlength=len(candidates) * kinds).reshape(-1, kinds)


def section_tf_idf(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return TF×IDF among the sections of one document, (candidates, kinds); 0 where there is no such section.

    Mentions per token of the section, times log2 of the number of sections over that of sections with the candidate.
    Berend and Farkas (2010).
    """
    sizes = np.bincount(document.section, minlength=len(SECTION_KINDS))
    mentions = by_kind(candidates, document)
    rarity = np.log2(np.count_nonzero(sizes) / np.maximum((mentions > 0).sum(axis=1), 1))
    return np.asarray(mentions / np.maximum(1, sizes) * rarity[:, None])
