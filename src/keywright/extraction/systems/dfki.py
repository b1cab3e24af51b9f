"""DFKI KeyWE: nominal groups of the first page, put in order by a ranking support vector machine.

Eichler and Neumann, "DFKI KeyWE: Ranking Keyphrases Extracted from Scientific Articles", SemEval 2010; tenth of the
shared task. Candidates are four kinds of nominal group within the first 2000 characters, found by closed-class words
and suffixes. Ranking is ordinal regression: keyphrases above phrases that resemble one, and these above the rest, by
eight features.

Deviations: numbers of documents with a phrase in the bundled background instead of hits on the web, and an entry in
one of the bundled ``lexicons`` instead of an article in Wikipedia. Certain of the eight features are the counts on the
web, special characters and Wikipedia; the others are a reconstruction.

Values by origin (docs/results/semeval2010-systems.md). Stated: window, hits. Cross-validated: maximal, lexicons,
strength. Invented: pairs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from keywright.core.arrays import Bools, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import ngram_occurrences
from keywright.extraction.candidates.patterns import nominal_groups
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import content_words, running_text, words_and_numbers
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.features.functions.position import first_mention
from keywright.extraction.features.functions.shape import has_special_characters
from keywright.extraction.features.functions.words import over_words
from keywright.extraction.learners.ranking_svm import RankingSVM, graded_rows
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import FeatureSystem, require_fitted

_LONGEST = 8  # most words of a nominal group; arbitrary


@dataclass(frozen=True)
class DFKI(FeatureSystem):
    """Nominal groups of the beginning, by eight features and a ranking machine; must be trained.

    window    characters from the document's start that candidates come from
    maximal   whether only the longest groups are candidates, not those inside them
    hits      document frequencies of phrases
    lexicons  lexicons used instead of an encyclopedia, by name; keywright.extraction.corpus.knowledge lists them
    strength  inverse weight of the penalty, above 0
    pairs     maximum rows of each lower grade of its document that a training row is compared with
    seed      of the draw of pairs
    model     the fitted machine
    """

    window: int = 2000
    maximal: bool = True
    hits: PhraseCounts = field(default_factory=background)
    lexicons: tuple[str, ...] = ("foldoc", "vera", "wordnet")
    strength: float = 1.0
    pairs: int = 50
    seed: int = 1
    model: RankingSVM | None = None

    name: ClassVar[str] = "dfki"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn to put keyphrases before phrases that resemble one, and these before others."""
        rows, grades, documents = graded_rows(labelled, self.candidates, self.features)
        model = RankingSVM.fit(rows, grades, documents, strength=self.strength, pairs=self.pairs, seed=self.seed)
        return replace(self, model=model)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank nominal groups of the beginning in the machine's order."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows, evidence = self.measure_candidates(candidates, document)
        return rank(document, candidates, model.scores(rows), evidence)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return nominal groups with mentions in the window, without authors and metadata."""
        begins = running_text(document) & (document.end <= self.window)
        return mentions_among(nominal_groups(document, _LONGEST, maximal=self.maximal), begins)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> dict[str, Numbers | Bools]:
        """Return the features by name; association: how much more common a phrase is than its words suggest."""
        hits = np.log10(1 + self.hits.of(candidates.key))
        of_words = over_words(np.log10(1 + self.hits.of(document.word_key)), candidates, document, "mean")
        memberships = [np.zeros(len(candidates), bool)]
        memberships += [lexicon(name).of(candidates.key) > 0 for name in self.lexicons]
        return {
            "mentions at the beginning": np.log2(1.0 + candidates.frequency),
            "mentions": np.log2(1 + _mentions_anywhere(candidates, document)),
            "first mention": first_mention(candidates, document),
            "words": candidates.length,
            "special characters": has_special_characters(candidates, document),
            "lexicons": np.any(memberships, axis=0),
            "documents with it": hits,
            "association": hits - of_words,
        }


def _mentions_anywhere(candidates: Candidates, document: AnalysedDocument) -> Numbers:
    """Return the mentions in the whole document, also inside other groups, (candidates,)."""
    longest = int(candidates.length.max(initial=1))
    keys, _, _ = ngram_occurrences(document, longest, content_words, words_and_numbers)
    order = np.argsort(candidates.key)
    place = np.searchsorted(candidates.key[order], keys)
    counts = np.bincount(order[place[np.isin(keys, candidates.key)]], minlength=len(candidates))
    return np.maximum(counts, candidates.frequency)
