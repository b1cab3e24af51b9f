"""Maui: bagged decision trees over what is known of a phrase here, in training labels and elsewhere.

Medelyan, Frank and Witten, "Human-competitive Tagging Using Automatic Keyphrase Extraction", EMNLP 2009; run on
SemEval-2010 Task 5 by one of its organisers. KEA's features and more: the last mention and the spread, the length, how
often a phrase was chosen for other training documents, and what Wikipedia knows of it.

Deviations: no Wikipedia. Its keyphraseness (links of a phrase for each mention) is the bundled count of authors who
chose the phrase for each document of the bundled background that holds it; inverse Wikipedia frequency is the negative
logarithm of the share of author lists. Generality and node degree belong to controlled vocabularies and are left out.
Trees are LightGBM's instead of WEKA's J48 (see ``learners/growing.py``): a bag draws a tenth of the rows as there, but
none twice, and splits lower the squared error, not entropy. All values are those of the authors' program, as far as it
has them.

Values by origin (docs/results/semeval2010-systems.md). Stated: external. Authors' program: longest, least_seen,
apparatus, trees, share, least.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.interfaces import Feature
from keywright.extraction.candidates.ngrams import plain_ngrams
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import running_text
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import InverseDocumentFrequency, TfIdf, relative_frequency
from keywright.extraction.features.functions.knowledge import ExternalKeyphraseness, Keyphraseness
from keywright.extraction.features.functions.position import first_mention, last_mention, spread
from keywright.extraction.features.functions.shape import words
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import fit_system, matrix, require_fitted


@dataclass(frozen=True)
class Maui:
    """Frequency, place, length and keyphraseness by bagged trees; must be trained.

    longest     maximum words of a phrase
    least_seen  minimum mentions of a phrase
    apparatus   whether mentions in references, metadata, authors, acknowledgements and licence count
    external    whether features from bundled collections are used
    trees       number of trees
    share       share of the training rows for each tree, above 0 and below 1
    least       minimum training rows of a leaf
    seed        of the draws
    collection  counts of the training documents
    model       the fitted trees
    """

    longest: int = 5
    least_seen: int = 2
    apparatus: bool = True
    external: bool = True
    trees: int = 10
    share: float = 0.1
    least: int = 2
    seed: int = 1
    collection: LabelledCollection | None = None
    model: Trees | None = None

    name: ClassVar[str] = "maui"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn document frequencies and chosen phrases, then the trees."""
        settings = Forest(trees=self.trees, share=self.share, least=self.least, seed=self.seed)
        learn = partial(forest_trees, settings=settings)
        return fit_system(self, labelled, lambda document: self.ngrams(document).key, learn, least=2)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the mean vote of the trees, then by TF×IDF."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        votes = model.scores(self.features(candidates, document))
        weight = TfIdf(require_fitted(self.collection, self.name))(candidates, document)
        return rank(document, candidates, votes, {"tfidf": weight}, weight)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions, without stop words at the edges."""
        candidates = self.ngrams(document)
        return candidates.where(candidates.frequency >= self.least_seen)

    def ngrams(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams without stop words at the edges."""
        candidates = plain_ngrams(document, self.longest, "edges")
        return candidates if self.apparatus else mentions_among(candidates, running_text(document))

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the features that the trees use, (candidates, features)."""
        collection = require_fitted(self.collection, self.name)
        of_document: Sequence[Feature] = (
            relative_frequency,
            InverseDocumentFrequency(collection),
            TfIdf(collection),
            first_mention,
            last_mention,
            spread,
            Keyphraseness(collection),
            words,
        )
        authors = lexicon("author-keyphrases")
        of_author_lists = (ExternalKeyphraseness(authors, background()), InverseDocumentFrequency(authors))
        return matrix((*of_document, *of_author_lists) if self.external else of_document, candidates, document)
