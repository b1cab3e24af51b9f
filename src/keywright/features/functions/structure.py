"""In which sections a phrase occurs (zoning). All stretches of one kind together are one section here."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Mentions of each candidate in sections of these kinds, (candidates,); 0 where there is no such section."""
    wanted = np.zeros(len(SECTION_KINDS), bool)
    wanted[[kind.code for kind in kinds]] = True
    there = wanted[document.section[candidates.positions]]
    return np.asarray(np.bincount(candidates.owner, weights=there, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True)
class MentionsIn:
    """Mentions of each candidate in sections of these kinds, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return mentions_in(candidates, document, *self.kinds)


@dataclass(frozen=True, slots=True)
class SeenIn:
    """1 where a section of these kinds mentions the candidate, else 0, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return (mentions_in(candidates, document, *self.kinds) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class ShareIn:
    """Share of each candidate's mentions that sections of these kinds hold, 0 to 1, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return mentions_in(candidates, document, *self.kinds) / candidates.frequency


def sections_with(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Number of kinds of sections that mention each candidate, at least 1, (candidates,); body is one of them."""
    return np.asarray((by_kind(candidates, document) > 0).sum(axis=1), float)


@dataclass(frozen=True, slots=True)
class SectionTfIdf:
    """TF×IDF among the sections of one document, for one kind, (candidates,).

    Mentions in the section for each of its tokens, times the logarithm (base 2) of the document's number of sections
    over the number of those with the candidate. 0 where there is no such section. Berend and Farkas (2010).
    """

    kind: SectionKind

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        sizes = np.bincount(document.section, minlength=len(SECTION_KINDS))
        mentions = by_kind(candidates, document)
        rarity = np.log2(np.count_nonzero(sizes) / np.maximum((mentions > 0).sum(axis=1), 1))
        return np.asarray(mentions[:, self.kind.code] / max(1, int(sizes[self.kind.code])) * rarity)


def by_kind(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Mentions of each candidate in sections of each kind, (candidates, kinds)."""
    kinds = len(SECTION_KINDS)
    cells = candidates.owner * kinds + document.section[candidates.positions]
    return np.bincount(cells, minlength=len(candidates) * kinds).reshape(-1, kinds)
