"""In which sections a phrase occurs (zoning)."""

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, SectionKind


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Mentions of each candidate in sections of these kinds, (candidates,); 0 where there is no such section."""
    there = np.isin(document.section[candidates.positions], [kind.code for kind in kinds])
    return np.asarray(np.bincount(candidates.owner, weights=there, minlength=len(candidates)), float)
