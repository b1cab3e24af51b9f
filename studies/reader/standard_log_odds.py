"""Log-odds that the encoder corrects: those of the standard quality, for the usual number of keyphrases."""

from keywright.core.arrays import Floats
from keywright.core.documents import Style
from keywright.extraction.features.description.described_candidates import DescribedCandidates, add_style_column
from keywright.extraction.systems.default import Default


def standard_log_odds(system: Default, view: DescribedCandidates, weight: Floats) -> Floats:
    """Return the log-odds of the shortlist in the system's style, (shortlist,).

    Args:
        system: the default in the document's language, of standard quality.
        view: candidates of a document.
        weight: of all of them in the first ranking, (candidates,).
    """
    ranker = system.ranker
    start = ranker.start(ranker.expectation(system.style), weight[view.in_shortlist], view.bounds)
    return ranker.scores(add_style_column(system.rows(view, weight)[0], Style(system.style)), start)
