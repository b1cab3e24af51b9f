"""HUMB: bagged decision trees over structure, content and term bases; then phrases in usual company gain.

Lopez and Romary, "HUMB: Automatic Key Term Extraction from Scientific Articles in GROBID", SemEval 2010; the winner of
the shared task. N-grams without stop words get features of three kinds: where they are in the paper's structure; how
they are used, as phraseness, informativeness and keywordness; whether term bases know them. After the trees' vote,
phrases gain that authors use together with the other best ones.

Deviations: sections by rules over the text instead of GROBID on PDFs; trained on the given papers alone, where the
authors added others with keywords. WordNet's nouns, FOLDOC and V.E.R.A., a feature each, instead of GRISP. The bundled
count of authors who chose a phrase, for each document of the bundled background that holds it, instead of Wikipedia's
links for each occurrence. Document frequencies of that background, and pairs of phrases in the bundled author lists
instead of HAL's. Trees are LightGBM's (see ``learners/growing.py``): a bag draws 63 % of the rows, none twice. The new
ranking moves next to nothing here.

Values by origin (docs/results/semeval2010-systems.md). Stated: longest, stop_words, frequencies. Cross-validated:
apparatus, trees, least, leaves, usage. Invented: best.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.core.interfaces import Feature
from keywright.extraction.candidates.ngrams import StopWords, plain_ngrams
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import running_text
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, co_usage, lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import TfIdf
from keywright.extraction.features.functions.knowledge import (
    ExternalKeyphraseness,
    Keyphraseness,
    Membership,
    mean_co_usage,
)
from keywright.extraction.features.functions.position import SeenIn, first_mention
from keywright.extraction.features.functions.shape import words
from keywright.extraction.features.functions.words import GeneralisedDice
from keywright.extraction.learners.growing import Forest, forest_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.trained import chosen_columns, fit_system, matrix, require_fitted

_ZONES: Final = (
    SectionKind.TITLE,
    SectionKind.ABSTRACT,
    SectionKind.INTRODUCTION,
    SectionKind.HEADING,
    SectionKind.CONCLUSION,
    SectionKind.REFERENCES,
)
_TERM_BASES: Final = ("wordnet", "foldoc", "vera")


@dataclass(frozen=True)
class HUMB:
    """N-grams by bagged trees, re-ranked by co-usage with the best ones; must be trained.

    frequencies  document frequencies of phrases; the bundled background
    longest      maximum words of a phrase
    stop_words   where stop words end a phrase: anywhere, edges, nowhere (ignored: nor do signs; removed: both go)
    apparatus    whether mentions in metadata, authors, acknowledgements and licence count
    trees        number of trees
    least        minimum training rows of a leaf
    leaves       maximum leaves of a tree
    usage        weight of co-usage: its factor in the exponent of a phrase's factor
    best         number of best phrases of the first ranking that co-usage is measured with
    without      features left out, by name
    seed         of the bags
    collection   counts of the training documents
    model        the fitted trees
    """

    frequencies: PhraseCounts = field(default_factory=background)
    longest: int = 5
    stop_words: StopWords = "anywhere"
    apparatus: bool = False
    trees: int = 60
    least: int = 100
    leaves: int = 127
    usage: float = 3.0
    best: int = 10
    without: tuple[str, ...] = ()
    seed: int = 1
    collection: LabelledCollection | None = None
    model: Trees | None = None

    name: ClassVar[str] = "humb"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})
    columns: ClassVar[tuple[str, ...]] = (
        *map(str, _ZONES),
        *("first", "phraseness", "tfidf", "keywordness"),
        *_TERM_BASES,
        *("keyphraseness", "words"),
    )

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn which phrases were chosen, then the trees."""
        settings = Forest(trees=self.trees, least=self.least, leaves=self.leaves, seed=self.seed)
        no_keys = np.zeros(0, np.uint64)  # document frequencies come from elsewhere
        return fit_system(self, labelled, lambda _: no_keys, partial(forest_trees, settings=settings))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank n-grams by the trees' mean vote and their company, then by TF×IDF."""
        model, collection = require_fitted(self.model, self.name), require_fitted(self.collection, self.name)
        candidates = self.candidates(document)
        rows = self.features(candidates, document)
        votes = model.scores(rows)
        weight = TfIdf(self.frequencies)(candidates, document)
        first = order_of(candidates, votes, weight)[: self.best]
        usual = mean_co_usage(candidates, first, lexicon("author-keyphrases"), co_usage())
        evidence = {**dict(zip(self.evidence(collection), rows.T, strict=True)), "company": usual}
        return rank(document, candidates, votes * np.exp(self.usage * usual), evidence, weight)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return all n-grams of text and references."""
        candidates = plain_ngrams(document, self.longest, self.stop_words)
        cited = document.section == SectionKind.REFERENCES.code
        return candidates if self.apparatus else mentions_among(candidates, running_text(document) | cited)

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the features that the trees use, (candidates, features)."""
        return matrix(list(self.evidence(require_fitted(self.collection, self.name)).values()), candidates, document)

    def evidence(self, collection: LabelledCollection) -> Mapping[str, Feature]:
        """Return the features by name: structure, content, term bases, length."""
        every: dict[str, Feature] = {
            **{str(kind): SeenIn((kind,)) for kind in _ZONES},
            "first": first_mention,
            "phraseness": GeneralisedDice(),
            "tfidf": TfIdf(self.frequencies),
            "keywordness": Keyphraseness(collection),
            **{name: Membership(lexicon(name)) for name in _TERM_BASES},
            "keyphraseness": ExternalKeyphraseness(lexicon("author-keyphrases"), self.frequencies),
            "words": words,
        }
        return chosen_columns(every, self.without, self.name)
