"""The first phrases of a text, a baseline of position."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import content_words, runs
from keywright.extraction.features.functions.mentions import first_mention
from keywright.extraction.ranking.rank import rank


@dataclass(frozen=True)
class FirstPhrases:
    """Phrases in the order of their first mention; the score is the share of the document from there on.

    The plain baseline of much work on keyphrases, among it the library pke (Boudin 2016): it tells how much of a score
    is due to place alone. Deviations: phrases are runs of content words between stop words and signs, so that no tagger
    is needed; the library takes noun phrases. ``longest`` leaves out runs that are not phrases.
    """

    longest: Annotated[int, "maximum words of a phrase; longer runs are left out"] = 5

    name: ClassVar[str] = "firstphrases"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank runs of content words, the first first."""
        candidates = runs(document, content_words(document))
        short = candidates.where(candidates.length <= self.longest)
        return rank(document, short, 1 - first_mention(short, document), {"first token": short.first})
