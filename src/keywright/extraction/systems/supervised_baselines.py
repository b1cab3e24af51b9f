"""The shared task's supervised baselines: naive Bayes and maximum entropy."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Self

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import StopWords, plain_ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import tf_idf
from keywright.extraction.learners.classifiers import GaussianNaiveBayes, LogisticRegression
from keywright.extraction.learners.examples import training_rows
from keywright.extraction.ranking.trained import FeatureSystem


@dataclass(frozen=True)
class ClassifiedTfIdf(FeatureSystem):
    """A classifier over the one feature TF×IDF of n-grams; must be trained."""

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    longest: Annotated[int, "maximum words of a phrase"] = 3
    stop_words: StopWords = "anywhere"
    model: Annotated[GaussianNaiveBayes | LogisticRegression | None, "the fitted classifier"] = None

    learner: ClassVar[type[GaussianNaiveBayes] | type[LogisticRegression]]

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn document frequencies, then the classifier; a document's own phrases are left out of its frequencies."""
        examples = list(labelled)
        collection = LabelledCollection.of(examples, lambda document: self.candidates(document).key)

        def weigh(candidates: Candidates, document: AnalysedDocument) -> Floats:
            return tf_idf(candidates, document, collection)[:, None]

        rows, answers = training_rows(examples, self.candidates, weigh)
        return replace(self, frequencies=collection.holding, model=self.learner.fit(rows, answers))

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> dict[str, Floats]:
        """Return TF×IDF by name."""
        return {"tfidf": tf_idf(candidates, document, self.frequencies)}

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return all n-grams."""
        return plain_ngrams(document, self.longest, self.stop_words)


class NaiveBayes(ClassifiedTfIdf):
    """Naive Bayes with normal densities over TF×IDF of n-grams; must be trained.

    A supervised baseline of SemEval-2010 Task 5 (Kim et al. 2010, section 2.2; the organisers used WEKA). With one
    feature a classifier can reorder the TF×IDF ranking only where its odds are not monotone or tie. The paper leaves
    open the density of naive Bayes (WEKA's default is taken) and the gold used in training (all kinds together here).
    """

    name: ClassVar[str] = "nb"
    learner = GaussianNaiveBayes


class MaximumEntropy(ClassifiedTfIdf):
    """Logistic regression over TF×IDF of n-grams; must be trained.

    A supervised baseline of SemEval-2010 Task 5 (Kim et al. 2010, section 2.2), as ``nb``.
    """

    name: ClassVar[str] = "me"
    learner = LogisticRegression
