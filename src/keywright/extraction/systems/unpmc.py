"""UNPMC at SemEval-2010: mentions in telling sections."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import plain_ngrams
from keywright.extraction.features.functions.mentions import mentions_in
from keywright.extraction.ranking.rank import rank

_ZONES: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
_REST: Final = (SectionKind.BODY, SectionKind.RELATED, SectionKind.HEADING, SectionKind.CAPTION)
_EQUAL: Final = 1e-6  # scores that differ by less than this for each word are equal


@dataclass(frozen=True)
class UNPMC:
    """Weighted mentions in title, abstract, introduction and conclusion, times the number of these sections.

    Park, Lee and Daille, "UNPMC: Naive Approach to Extract Keyphrases from Scientific Articles", SemEval 2010;
    fourteenth of the shared task. Phrases are runs of up to three words without a stop word; the authors set the
    weights by trial on the training papers. Deviations: none in resources. Written from the task paper's summary, which
    gives neither weights nor formula.
    """

    title: Annotated[float, "weight of a mention in the title; the same for abstract, introduction, conclusion"] = 20.0
    abstract: float = 3.0
    introduction: float = 1.0
    conclusion: float = 1.0
    rest: Annotated[float, "weight of a mention in the rest; notes, authors and references do not count"] = 0.05
    sections: Annotated[float, "weight of each of the four sections and the rest that mentions the phrase"] = 1.0
    combined: Annotated[Literal["factor", "added"], "how sections count: 1 + sections * number, or added"] = "factor"
    longer_first: Annotated[bool, "whether of two phrases with equal scores the longer ranks first"] = True
    longest: Annotated[int, "maximum words of a phrase"] = 3

    name: ClassVar[str] = "unpmc"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by their weighted mentions and sections."""
        candidates = plain_ngrams(document, self.longest)
        zones = self.zones(candidates, document)
        weighted = zones @ (self.title, self.abstract, self.introduction, self.conclusion, self.rest)
        number = np.count_nonzero(zones, axis=1)
        extra = self.sections * number
        scores = weighted * (1 + extra) if self.combined == "factor" else weighted + extra
        evidence = {"weighted mentions": weighted, "sections": number}
        return rank(document, candidates, scores + self.longer_first * _EQUAL * candidates.length, evidence)

    def zones(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return mentions in title, abstract, introduction, conclusion and the rest, (candidates, 5)."""
        counted = [mentions_in(candidates, document, kind) for kind in _ZONES]
        return np.stack((*counted, mentions_in(candidates, document, *_REST)), axis=1)
