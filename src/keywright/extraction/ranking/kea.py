"""KEA's candidates and features, which other systems build on."""

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import plain_ngrams, running_text
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions import mentions
from keywright.extraction.features.functions.words import acronym_share, capital_share
from keywright.extraction.ranking.rank import order_of
from keywright.extraction.ranking.redundancy import redundant


def kea_ngrams(document: AnalysedDocument, longest: int = 3, *, apparatus: bool = False) -> Candidates:
    """Return n-grams without stop words at the edges; ``apparatus``: also in references, authors and licence."""
    candidates = plain_ngrams(document, longest, "edges")
    return candidates if apparatus else mentions_among(candidates, running_text(document))


def is_name(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether each candidate is a single word always written with an initial capital only, (candidates,)."""
    name = (capital_share(candidates, document) == 1) & (acronym_share(candidates, document) == 0)
    return np.asarray(name & (candidates.length == 1))


def kea_columns(candidates: Candidates, document: AnalysedDocument, counts: LabelledCollection) -> dict[str, Floats]:
    """Return TF×IDF and first mention by name, (candidates,) each."""
    weight = mentions.relative_frequency(candidates, document) * mentions.inverse_document_frequency(
        candidates, document, counts
    )
    return {"tfidf": weight, "first mention": mentions.first_mention(candidates, document)}


def behind_longer(document: AnalysedDocument, candidates: Candidates, scores: Floats, ties: Floats) -> Bools:
    """Return whether each candidate is ranked behind one that contains it, by scores, then ties, (candidates,) each."""
    place = np.empty(len(candidates))
    place[order_of(candidates, scores, ties)] = np.arange(len(candidates))
    return redundant(document, candidates, -place)
