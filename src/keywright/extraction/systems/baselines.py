"""Plain baselines: TF×IDF, classifiers over it, and the first phrases of a text."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Self

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import StopWords, content_words, plain_ngrams, runs
from keywright.extraction.corpus.counts import PhraseCounts, count_documents
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import first_mention, inverse_document_frequency, tf_idf
from keywright.extraction.learners.classifiers import GaussianNaiveBayes, LogisticRegression
from keywright.extraction.learners.examples import training_rows
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import require_fitted


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


@dataclass(frozen=True)
class ClassifiedTfIdf:
    """A classifier over the one feature TF×IDF of n-grams; must be trained."""

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    longest: Annotated[int, "maximum words of a phrase"] = 3
    stop_words: StopWords = "anywhere"
    model: Annotated[GaussianNaiveBayes | LogisticRegression | None, "the fitted classifier"] = None

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})
    learner: ClassVar[type[GaussianNaiveBayes] | type[LogisticRegression]]

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn document frequencies, then the classifier; a document's own phrases are left out of its frequencies."""
        examples = list(labelled)
        collection = LabelledCollection.of(examples, lambda document: self.candidates(document).key)

        def weigh(candidates: Candidates, document: AnalysedDocument) -> Floats:
            return tf_idf(candidates, document, collection)[:, None]

        rows, answers = training_rows(examples, self.candidates, weigh)
        return replace(self, frequencies=collection.holding, model=self.learner.fit(rows, answers))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank all n-grams by the odds of being a keyphrase."""
        model: Any = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        weight = tf_idf(candidates, document, self.frequencies)
        return rank(document, candidates, model.log_odds(weight[:, None]), {"tfidf": weight})

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
