"""KEA's parts, for the systems that stand on it: its candidates, its features, and what it leaves out of a list.

Witten, Paynter, Frank, Gutwin and Nevill-Manning, "KEA: Practical Automatic Keyphrase Extraction", DL 1999.
"""

import numpy as np

from keywright.candidates.ngrams import plain_ngrams
from keywright.candidates.restricting import mentions_among
from keywright.candidates.words import running_text
from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.corpus.labelled import LabelledCollection
from keywright.features.functions.frequency import InverseDocumentFrequency, relative_frequency
from keywright.features.functions.position import first_mention
from keywright.features.functions.shape import acronym_share, capital_share
from keywright.ranking.rank import order_of
from keywright.ranking.redundancy import redundant


def kea_ngrams(document: AnalysedDocument, longest: int = 3, *, apparatus: bool = False) -> Candidates:
    """N-grams that neither begin nor end with a stop word; those of references, authors and licence if wanted."""
    found = plain_ngrams(document, longest, "edges")
    return found if apparatus else mentions_among(found, running_text(document))


def is_name(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Single words that only ever begin with a capital and are no acronyms, (candidates,)."""
    name = (capital_share(candidates, document) == 1) & (acronym_share(candidates, document) == 0)
    return np.asarray(name & (candidates.length == 1))


def kea_candidates(document: AnalysedDocument) -> Candidates:
    """KEA's n-grams that are seen twice and are no names."""
    found = kea_ngrams(document)
    found = found.where(found.frequency > 1)
    return found.where(~is_name(found, document))


def kea_features(candidates: Candidates, document: AnalysedDocument, collection: LabelledCollection) -> Floats:
    """TF×IDF and first mention, (candidates, 2)."""
    rarity = InverseDocumentFrequency(collection)(candidates, document)
    return np.stack((relative_frequency(candidates, document) * rarity, first_mention(candidates, document)), axis=1)


def outdone(document: AnalysedDocument, candidates: Candidates, scores: Floats, ties: Floats) -> Bools:
    """Whether each candidate is listed behind one that holds it, (candidates,).

    Args:
        document: the document.
        candidates: its candidates.
        scores: higher is better, (candidates,).
        ties: what parts equal scores, higher is better, (candidates,).
    """
    place = np.empty(len(candidates))
    place[order_of(candidates, scores, ties)] = np.arange(len(candidates))
    return redundant(document, candidates, -place)
