"""Features of a candidate among the other candidates of its document."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.interfaces import Feature


@dataclass(frozen=True, slots=True, eq=False)
class RankOf:
    """Share of the document's candidates with a larger value of a feature, 0 to below 1, (candidates,).

    Attributes:
        feature: what is compared.
        smaller: whether those with a smaller value count instead, for features such as the first mention.
    """

    feature: Feature
    smaller: bool = False

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        values = self.feature(candidates, document) * (1 if self.smaller else -1)
        return np.searchsorted(np.sort(values), values, "left") / max(1, len(candidates))


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """A feature stretched so that the document's candidates reach from 0 to 1; all 0 where they are equal."""

    feature: Feature

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        values = self.feature(candidates, document)
        if not len(values) or values.max() == values.min():
            return np.zeros(len(values))
        return np.asarray((values - values.min()) / (values.max() - values.min()))
