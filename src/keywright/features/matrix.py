"""Features side by side."""

from collections.abc import Sequence

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.interfaces import Feature


def matrix(columns: Sequence[Feature], candidates: Candidates, document: AnalysedDocument) -> Floats:
    """All features of all candidates, (candidates, features), also for no candidates or no features."""
    rows = np.empty((len(candidates), len(columns)))
    for at, feature in enumerate(columns):
        rows[:, at] = feature(candidates, document)
    return rows
