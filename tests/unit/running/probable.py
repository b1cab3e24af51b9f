"""A system for tests: a few phrases, as given, with probabilities."""

import re
from dataclasses import dataclass
from typing import ClassVar

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.keyphrases import Keyphrase


@dataclass(frozen=True)
class Probable:
    """Gives its phrases in their order where they stand in the text, with scores and probabilities that fall.

    phrases    best first
    chosen     how many it stands by
    certain    probability of the first; the next ones have 0.1 less each; None for none
    """

    phrases: tuple[str, ...]
    chosen: int | None = None
    certain: float | None = 0.9

    name: ClassVar[str] = "probable"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Its phrases in the text."""
        found = []
        for phrase in self.phrases:
            pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
            spans = tuple(match.span() for match in pattern.finditer(document.source.text))
            if spans:
                rank = len(found)
                probability = None if self.certain is None else max(0.0, round(self.certain - 0.1 * rank, 1))
                found.append(Keyphrase(phrase, 100.0 - rank, probability, spans, {"mentions": len(spans)}))
        return Ranking.from_keyphrases(document.source, found, chosen=self.chosen)
