"""KEA: naive Bayes over TF×IDF and first position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.ranking.kea import behind_longer, is_name, kea_columns, kea_ngrams
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import LearningSystem


@dataclass(frozen=True)
class Kea(LearningSystem):
    """Naive Bayes over TF×IDF and the place of the first mention; must be trained.

    Witten, Paynter, Frank, Gutwin and Nevill-Manning, "KEA: Practical Automatic Keyphrase Extraction", DL 1999; Frank,
    Paynter, Witten, Gutwin and Nevill-Manning, "Domain-Specific Keyphrase Extraction", IJCAI 1999. Both features are
    cut into intervals where that tells keyphrases apart (Fayyad and Irani). Ties go to TF×IDF, and no phrase is listed
    behind one that holds it. The second paper adds how often a phrase was chosen for other training documents.

    No participant of SemEval-2010 Task 5, but the basis of SZTERGAK, SJTULTLAB and Maui. Deviations: Porter stems
    instead of iterated Lovins stems; hyphenated words stay one word, and count as one.
    """

    longest: Annotated[int, "maximum words of a phrase"] = 3
    least_seen: Annotated[int, "minimum mentions of a phrase"] = 2
    proper_names: Annotated[bool, "whether words always written with a capital are candidates; acronyms are"] = False
    apparatus: Annotated[bool, "whether mentions in references, authors, acknowledgements and licence count"] = False
    keyphraseness: Annotated[bool, "whether the number of training documents with the keyphrase is a feature"] = False
    nested: Annotated[bool, "whether phrases stay that a better one contains"] = False
    collection: LabelledCollection | None = None
    model: Annotated[DiscretisedNaiveBayes | None, "the fitted classifier"] = None

    name: ClassVar[str] = "kea"
    least_documents: ClassVar[int] = 2

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the odds of being a keyphrase, then by TF×IDF, without parts of better ones."""
        candidates, odds, evidence = self.score_candidates(document)
        stays = self.nested | ~behind_longer(document, candidates, odds, evidence["tfidf"])
        shown = {name: evidence[name][stays] for name in ("tfidf", "first mention")}
        return rank(document, candidates.where(stays), odds[stays], shown, shown["tfidf"])

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions, without stop words at the edges and without names."""
        candidates = self.counted_phrases(document)
        candidates = candidates.where(candidates.frequency >= self.least_seen)
        return candidates if self.proper_names else candidates.where(~is_name(candidates, document))

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams without stop words at the edges."""
        return kea_ngrams(document, self.longest, apparatus=self.apparatus)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Floats]:
        """Return TF×IDF, first mention, and keyphraseness where wanted."""
        columns = kea_columns(candidates, document, self.counts)
        if self.keyphraseness:
            columns["keyphraseness"] = self.counts.keyphraseness(candidates, document)
        return columns
