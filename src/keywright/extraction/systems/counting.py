"""Counting: frequency and first mention."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.prefilter import passes_prefilter, usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.features.functions.mentions import inverse_document_frequency
from keywright.extraction.ranking.rank import rank

_IN_FRONT = (SectionKind.TITLE, SectionKind.ABSTRACT)


@dataclass(frozen=True)
class Counting(Weighing):
    """Careful counting, a good ranking of any text without training: mentions, rarity, phraseness, zones, nearness.

    ``features/description/weighing.py`` says what each factor is and whom it follows. It knows nothing of a language
    but a stop list and how often phrases occur; the default makes its first ranking in the same way. The weights were
    chosen on the 144 training papers of SemEval-2010 by held-out folds (``tools/train/choose_default.py``).
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    long_text: Annotated[int, "tokens from which on phrases need two mentions, or one in title or abstract"] = 1000

    name: ClassVar[str] = "counting"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "terms"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the product of what speaks for them."""
        candidates = usual_candidates(document)
        passing = passes_prefilter(candidates, document, _IN_FRONT, self.long_text)
        rarity = inverse_document_frequency(candidates, document, self.frequencies)
        factors = {name: one[passing] for name, one in self.factors(candidates, document, rarity).items()}
        return rank(document, candidates.where(passing), np.prod(list(factors.values()), axis=0), factors)
