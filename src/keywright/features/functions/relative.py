"""Features relative to the other candidates of the document."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.interfaces import Feature


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
