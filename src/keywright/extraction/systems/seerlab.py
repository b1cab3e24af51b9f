"""SEERLAB at SemEval-2010: a random forest of frequencies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import StopWords, plain_ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import titles
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import document_frequency, mentions_in, tf_idf
from keywright.extraction.features.functions.words import abbreviated_phrases
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import redundant
from keywright.extraction.ranking.trained import LearningSystem

_FRONT: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
_HEADED: Final = (SectionKind.TITLE, SectionKind.HEADING)
_ELSEWHERE: Final = (SectionKind.RELATED, SectionKind.BODY)


@dataclass(frozen=True)
class Seerlab(LearningSystem):
    """Scholarly or repeated n-grams, by a random forest over where and how often they stand; must be trained.

    Treeratpituk, Teregowda, Huang and Giles, "SEERLAB: A System for Extracting Keyphrases from Scholarly Documents",
    SemEval 2010; sixth of the shared task. Candidates are n-grams that titles of papers hold, or that the paper repeats
    and names in a telling part: title, abstract, introduction, a heading or the conclusion. Eleven features, nearly all
    of them frequencies, go into a random forest of two classes.

    Deviations: the titles' lexicon bundled here instead of CiteSeerX and DBLP. The list of features is a
    reconstruction.
    """

    scholarly: Annotated[PhraseCounts, "number of titles of papers with each phrase"] = field(default_factory=titles)
    longest: Annotated[int, "maximum words of a phrase"] = 4
    stop_words: StopWords = "anywhere"
    least_seen: Annotated[int, "minimum mentions of a phrase that is in no title; one of them in a telling part"] = 3
    trees: Annotated[int, "number of trees"] = 100
    least: Annotated[int, "minimum training rows of a leaf"] = 30
    share: Annotated[float, "share of the features that each split may choose from"] = 0.3
    nested: Annotated[bool, "whether phrases stay that only occur inside a longer one that ranks no lower"] = False
    seed: Annotated[int, "of the forest"] = 1
    collection: LabelledCollection | None = None
    model: Annotated[Trees | None, "the fitted forest"] = None

    name: ClassVar[str] = "seerlab"

    def learn(self, rows: Floats, answers: Bools) -> Trees:
        """Return a random forest."""
        settings = Forest(trees=self.trees, features=self.share, least=self.least, seed=self.seed)
        return forest_trees(rows, answers, settings)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank candidates by the share of trees that vote for them."""
        candidates, votes, evidence = self.score_candidates(document)
        if not self.nested:
            stays = ~redundant(document, candidates, votes, equally_often=True)
            candidates, votes = candidates.where(stays), votes[stays]
            evidence = {name: column[stays] for name, column in evidence.items()}
        return rank(document, candidates, votes, evidence)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams of titles of papers, and repeated ones with a mention in a telling part."""
        candidates = self.counted_phrases(document)
        telling = mentions_in(candidates, document, *_HEADED, *_FRONT) > 0
        scholarly = self.scholarly.of(candidates.key) > 0
        return candidates.where(scholarly | (telling & (candidates.frequency >= self.least_seen)))

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return all n-grams."""
        return plain_ngrams(document, self.longest, self.stop_words)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return length, acronymity, frequencies in the paper, its parts and elsewhere, by name."""
        short, long = abbreviated_phrases(candidates, document)
        return {
            "words": candidates.length,
            "acronym or its long form": (short > 0) | (long > 0),
            "mentions": candidates.frequency,
            "training papers": document_frequency(candidates, document, self.counts),
            "tfidf": tf_idf(candidates, document, self.counts),
            "mentions in title and headings": mentions_in(candidates, document, *_HEADED),
            **{f"mentions in the {kind}": mentions_in(candidates, document, kind) for kind in _FRONT},
            "mentions in related work and body": mentions_in(candidates, document, *_ELSEWHERE),
            "titles": document_frequency(candidates, document, self.scholarly),
        }
