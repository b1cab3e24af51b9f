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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.interfaces import Feature
from keywright.extraction.candidates.ngrams import ngram_occurrences
from keywright.extraction.candidates.patterns import nominal_groups
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import content_words, running_text, words_and_numbers
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.features.functions.frequency import log_frequency
from keywright.extraction.features.functions.knowledge import Association, LogCount
from keywright.extraction.features.functions.position import first_mention
from keywright.extraction.features.functions.shape import special_characters, words
from keywright.extraction.learners.ranking_svm import RankingSVM, graded_rows
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import matrix, require_fitted

_LONGEST = 8
"""Most words of a nominal group; arbitrary."""


@dataclass(frozen=True)
class DFKI:
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
        rows = self.features(candidates, document)
        return rank(document, candidates, model.scores(rows), dict(zip(self.columns, rows.T, strict=True)))

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return nominal groups with mentions in the window, without authors and metadata."""
        begins = running_text(document) & (document.end <= self.window)
        return mentions_among(nominal_groups(document, _LONGEST, maximal=self.maximal), begins)

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the eight features, (candidates, 8)."""
        return matrix(list(self.columns.values()), candidates, document)

    @property
    def columns(self) -> Mapping[str, Feature]:
        """The features by their names."""
        return {
            "mentions at the beginning": log_frequency,
            "mentions": _log_mentions_anywhere,
            "first mention": first_mention,
            "words": words,
            "special characters": special_characters,
            "lexicons": self.in_lexicon,
            "documents with it": LogCount(self.hits),
            "association": Association(self.hits, self.hits),
        }

    def in_lexicon(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return 1 for phrases of one of the lexicons, else 0, (candidates,)."""
        memberships = [lexicon(name).of(candidates.key) > 0 for name in self.lexicons]
        return np.any(memberships, axis=0).astype(float) if memberships else np.zeros(len(candidates))


def _log_mentions_anywhere(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return ``log2(1 + mentions)`` in the whole document, also inside other groups, (candidates,)."""
    longest = int(candidates.length.max(initial=1))
    keys, _, _ = ngram_occurrences(document, longest, content_words, words_and_numbers)
    order = np.argsort(candidates.key)
    place = np.searchsorted(candidates.key[order], keys)
    is_candidate = np.isin(keys, candidates.key)
    counts = np.bincount(order[place[is_candidate]], minlength=len(candidates))
    return np.asarray(np.log2(1 + np.maximum(counts, candidates.frequency)))
