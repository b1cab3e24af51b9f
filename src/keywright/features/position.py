"""Where a phrase occurs."""

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def first_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of the document that lies before each candidate's first mention, 0 to below 1, (candidates,)."""
    return candidates.first / max(1, len(document))
