"""Maui: KEA with more features and bagged trees."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import (
    external_keyphraseness,
    first_mention,
    inverse_document_frequency,
    last_mention,
    relative_frequency,
    tf_idf,
)
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.kea import kea_ngrams
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import LearningSystem


@dataclass(frozen=True)
class Maui(LearningSystem):
    """Bagged decision trees over what is known of a phrase here, in training labels and elsewhere; must be trained.

    Medelyan, Frank and Witten, "Human-competitive Tagging Using Automatic Keyphrase Extraction", EMNLP 2009; run on
    SemEval-2010 Task 5 by one of its organisers. KEA's features and more: the last mention and the spread, the length,
    how often a phrase was chosen for other training documents, and what Wikipedia knows of it.

    Deviations: no Wikipedia. Its keyphraseness is the number of author lists for each document of the bundled
    background that holds the phrase; inverse Wikipedia frequency is the negative logarithm of the share of author
    lists. Generality and node degree belong to controlled vocabularies. Trees are LightGBM's instead of WEKA's J48
    (``learners/growing.py``): a bag draws a tenth of the rows as there, but none twice, and splits lower the squared
    error, not entropy. All values are those of the authors' program, as far as it has them.
    """

    longest: Annotated[int, "maximum words of a phrase"] = 5
    least_seen: Annotated[int, "minimum mentions of a phrase"] = 2
    apparatus: Annotated[bool, "whether mentions in references, authors, acknowledgements and licence count"] = True
    external: Annotated[bool, "whether features from bundled collections are used"] = True
    trees: Annotated[int, "number of trees"] = 10
    share: Annotated[float, "share of the training rows for each tree, above 0 and below 1"] = 0.1
    least: Annotated[int, "minimum training rows of a leaf"] = 2
    seed: Annotated[int, "of the draws"] = 1
    collection: LabelledCollection | None = None
    model: Annotated[Trees | None, "the fitted trees"] = None

    name: ClassVar[str] = "maui"
    least_documents: ClassVar[int] = 2

    def learn(self, rows: Floats, answers: Bools) -> Trees:
        """Return bagged trees."""
        return forest_trees(rows, answers, Forest(trees=self.trees, share=self.share, least=self.least, seed=self.seed))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the mean vote of the trees, then by TF×IDF."""
        candidates, votes, evidence = self.score_candidates(document)
        return rank(document, candidates, votes, {"tfidf": evidence["tfidf"]}, evidence["tfidf"])

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions, without stop words at the edges."""
        candidates = self.counted_phrases(document)
        return candidates.where(candidates.frequency >= self.least_seen)

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams without stop words at the edges."""
        return kea_ngrams(document, self.longest, apparatus=self.apparatus)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the features by name; those from bundled collections where wanted."""
        columns = {
            "frequency": relative_frequency(candidates, document),
            "rarity": inverse_document_frequency(candidates, document, self.counts),
            "tfidf": tf_idf(candidates, document, self.counts),
            "first mention": first_mention(candidates, document),
            "last mention": last_mention(candidates, document),
            "spread": (candidates.last - candidates.first) / max(1, len(document)),
            "keyphraseness": self.counts.keyphraseness(candidates, document),
            "words": candidates.length,
        }
        if self.external:
            authors = lexicon("author-keyphrases")
            columns["author keyphraseness"] = external_keyphraseness(candidates, authors, background())
            columns["rarity among author keyphrases"] = inverse_document_frequency(candidates, document, authors)
        return columns
