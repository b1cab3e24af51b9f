"""What a phrase looks like."""

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Case, WordFlag


def acronym_share(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of mentions that are one token with capitals inside, as *DNS* and *HyARM*, 0 to 1, (candidates,)."""
    odd = (document.case[candidates.positions] >= Case.UPPER) & (candidates.widths == 1)
    return np.bincount(candidates.owner, weights=odd, minlength=len(candidates)) / np.maximum(candidates.frequency, 1)


def holds_stop_word(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Whether the first mention has a stop word in it, (candidates,)."""
    before = np.concatenate(([0], np.cumsum(document.flags & WordFlag.STOP > 0)))
    return np.asarray(before[candidates.first + candidates.length] > before[candidates.first])
