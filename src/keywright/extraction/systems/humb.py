"""HUMB, the winner of SemEval-2010."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.extraction.candidates.ngrams import StopWords, plain_ngrams, running_text
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, lexicon, pair_keys
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import external_keyphraseness, first_mention, mentions_in, tf_idf
from keywright.extraction.features.functions.words import generalised_dice
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.trained import LearningSystem, chosen_columns

_ZONES: Final = (
    SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.HEADING, SectionKind.CONCLUSION,
    SectionKind.REFERENCES,
)  # fmt: skip
_TERM_BASES: Final = ("wordnet", "foldoc", "vera")


@dataclass(frozen=True)
class HUMB(LearningSystem):
    """N-grams by bagged trees over structure, content and term bases, re-ranked by co-usage; must be trained.

    Lopez and Romary, "HUMB: Automatic Key Term Extraction from Scientific Articles in GROBID", SemEval 2010; the winner
    of the shared task. Features say where n-grams are in the paper's structure, how they are used (phraseness,
    informativeness, keywordness), and whether term bases know them. After the trees' vote, phrases gain that authors
    use together with the other best ones.

    Deviations: sections by rules over the text instead of GROBID on PDFs; trained on the given papers alone, where the
    authors added others. WordNet's nouns, FOLDOC and V.E.R.A. instead of GRISP; author lists for each document of the
    bundled background instead of Wikipedia's links for each occurrence; pairs in the bundled author lists instead of
    HAL's. Trees are LightGBM's (``learners/growing.py``): a bag draws 63 % of the rows, none twice. The new ranking
    moves next to nothing here.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    longest: Annotated[int, "maximum words of a phrase"] = 5
    stop_words: StopWords = "anywhere"
    apparatus: Annotated[bool, "whether mentions in metadata, authors, acknowledgements and licence count"] = False
    trees: Annotated[int, "number of trees"] = 60
    least: Annotated[int, "minimum training rows of a leaf"] = 100
    leaves: Annotated[int, "maximum leaves of a tree"] = 127
    usage: Annotated[float, "weight of co-usage: its factor in the exponent of a phrase's factor"] = 3.0
    best: Annotated[int, "number of best phrases of the first ranking that co-usage is measured with"] = 10
    without: Annotated[tuple[str, ...], "features left out, by name"] = ()
    seed: Annotated[int, "of the bags"] = 1
    collection: LabelledCollection | None = None
    model: Annotated[Trees | None, "the fitted trees"] = None

    name: ClassVar[str] = "humb"
    columns: ClassVar[tuple[str, ...]] = (
        *map(str, _ZONES),
        *("first", "phraseness", "tfidf", "keywordness"),
        *_TERM_BASES,
        *("keyphraseness", "words"),
    )

    def prepare(self, examples: list[LabelledDocument[AnalysedDocument]]) -> Self:
        """Count chosen phrases alone: document frequencies come from elsewhere."""
        return replace(self, collection=LabelledCollection.of(examples, lambda _: np.zeros(0, np.uint64)))

    def learn(self, rows: Floats, answers: Bools) -> Trees:
        """Return bagged trees."""
        settings = Forest(trees=self.trees, least=self.least, leaves=self.leaves, seed=self.seed)
        return forest_trees(rows, answers, settings)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank n-grams by the trees' mean vote and their company, then by TF×IDF."""
        candidates, votes, evidence = self.score_candidates(document)
        weight = tf_idf(candidates, document, self.frequencies)
        best = order_of(candidates, votes, weight)[: self.best]
        company = mean_co_usage(candidates, best, lexicon("author-keyphrases"), lexicon("co-usage"))
        evidence["company"] = company
        return rank(document, candidates, votes * np.exp(self.usage * company), evidence, weight)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return all n-grams of text and references."""
        candidates = plain_ngrams(document, self.longest, self.stop_words)
        cited = document.section == SectionKind.REFERENCES.code
        return candidates if self.apparatus else mentions_among(candidates, running_text(document) | cited)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the features by name: structure, content, term bases, length."""
        columns: dict[str, Numbers | Bools] = {
            **{str(kind): mentions_in(candidates, document, kind) > 0 for kind in _ZONES},
            "first": first_mention(candidates, document),
            "phraseness": generalised_dice(candidates, document),
            "tfidf": tf_idf(candidates, document, self.frequencies),
            "keywordness": self.counts.keyphraseness(candidates, document),
            **{name: lexicon(name).of(candidates.key) > 0 for name in _TERM_BASES},
            "keyphraseness": external_keyphraseness(candidates, lexicon("author-keyphrases"), self.frequencies),
            "words": candidates.length,
        }
        return chosen_columns(columns, self.without, self.name)


def mean_co_usage(candidates: Candidates, best: Ints, lists: PhraseCounts, pairs: PhraseCounts) -> Floats:
    """Return how often keyphrase lists with the best candidates also have each candidate, at least 0, (candidates,).

    The mean over the best candidates, without the candidate itself, of ``log(1 + P)``: P is the share of the lists with
    the best one that also have the candidate. 0 for a candidate in no list, and for all where ``best`` is empty.
    """
    best_keys = candidates.key[best]
    keys = pair_keys(candidates.key[:, None], best_keys[None, :])
    shares = pairs.of(keys.ravel()).reshape(keys.shape) / np.maximum(lists.of(best_keys), 1)
    itself = candidates.key[:, None] == best_keys[None, :]
    others = np.maximum((~itself).sum(axis=1), 1)
    return np.asarray(np.log1p(np.where(itself, 0.0, shares)).sum(axis=1) / others)
