"""TF×IDF alone, the plainest baseline."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Self

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import StopWords, plain_ngrams
from keywright.extraction.corpus.counts import PhraseCounts, count_documents
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.mentions import inverse_document_frequency
from keywright.extraction.ranking.rank import rank


@dataclass(frozen=True)
class TfIdf:
    """Phrases that are frequent here and rare elsewhere: frequency times inverse document frequency of n-grams.

    The unsupervised baseline of SemEval-2010 Task 5 (Kim et al. 2010, section 2.2): all uni-, bi- and trigrams,
    stemmed. The paper names neither stop list nor treatment of punctuation nor the collection that frequencies come
    from; ``stop_words`` offers the usual ways. Deviations: stems are grouped by letter run (see ``text/keys.py``).
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    longest: Annotated[int, "maximum words of a phrase"] = 3
    stop_words: StopWords = "anywhere"

    name: ClassVar[str] = "tfidf"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with document frequencies of these documents; their gold is ignored."""
        keys = (plain_ngrams(example.document, self.longest, self.stop_words).key for example in labelled)
        return replace(self, frequencies=count_documents(keys))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank all n-grams by TF×IDF."""
        candidates = plain_ngrams(document, self.longest, self.stop_words)
        rarity = inverse_document_frequency(candidates, document, self.frequencies)
        evidence = {"mentions": candidates.frequency, "rarity": rarity}
        return rank(document, candidates, candidates.frequency * rarity, evidence)
