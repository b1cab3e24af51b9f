"""KX_FBK: frequent noun phrases without black-listed words, by rarity, length and place; longer ones absorb shorter.

Pianta and Tonelli, "KX: A Flexible System for Keyphrase eXtraction", SemEval 2010; seventh of the shared task. Phrases
are runs of up to four words whose parts of speech fit, none of them on the black list of its position. Phrases frequent
in the whole collection are recognised in a document even where they are rare; others must be frequent there. A weight
multiplies mentions by inverse document frequency, length and earliness. A shorter phrase that hardly ever occurs
without a longer one is subsumed by it, and a phrase gains by phrases inside it. Nothing but these values is learned
from gold.

Certain (the task paper says so): the five factors, inverse document frequency, length, first mention, shorter concept
subsumption with transfer of the score, longer concept boosting; their values tuned on the training papers.
Reconstructed: patterns, black lists, the two thresholds, the shape of the factors, when a phrase is subsumed, what
boosting adds. The boost of .02 does nothing: the five factors are four here. The task paper's boost, the whole score of
the inner phrase (``boosted=1``), ruins the list.

Deviations: spaCy's tags instead of TextPro's. Untrained, the bundled background replaces the collection, with
document frequencies in place of mentions; it holds phrases of up to three words.

Values by origin (docs/results/semeval2010-systems.md). Stated: pattern, black_lists, mentions, frequencies,
transferred. Usual form: rarity. Cross-validated: least_seen, length, early, subsumed, boosted. Invented: collected.
Departing from the paper: boosted.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import black_listed
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.frequency import inverse_document_frequency
from keywright.extraction.features.functions.position import first_mention
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import nested_pairs

_LONGEST: Final = 4  # most words of a phrase, as in the paper


@dataclass(frozen=True)
class KX:
    """Frequent noun phrases by mentions, rarity, length and place; shorter ones give way to longer ones.

    frequencies  document frequencies of phrases; the bundled background unless trained
    mentions     mentions of phrases in a collection; the bundled background unless trained
    pattern      parts of speech of a phrase: a regular expression over N noun, J adjective, G participle, I preposition
    black_lists  whether words are forbidden by their position in a phrase
    least_seen   minimum mentions of a phrase; short documents need 1
    collected    mentions per document of the collection above which least_seen does not apply
    rarity       exponent of the inverse document frequency; 0 leaves the factor out, as with the next two
    length       exponent of the number of words
    early        exponent of the share of the document behind the first mention
    subsumed     share of a phrase's mentions that a longer one must reach to take its place; above 1 none does
    transferred  share of a subsumed phrase's weight that its longer one gains
    boosted      share of the best weight of the phrases inside it that a longer phrase gains
    """

    frequencies: PhraseCounts = field(default_factory=background)
    mentions: PhraseCounts = field(default_factory=background)
    pattern: str = "[JNG]{0,3}N|[JN]?NI[JN]?N"
    black_lists: bool = True
    least_seen: int = 3
    collected: float = 0.03
    rarity: float = 1.0
    length: float = 1.0
    early: float = 12.0
    subsumed: float = 0.6
    transferred: float = 1.0
    boosted: float = 0.02

    name: ClassVar[str] = "kx"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with counts of these documents; their gold is ignored."""
        candidates = [self.phrases(example.document) for example in labelled]
        return replace(
            self,
            frequencies=count_documents(one.key for one in candidates),
            mentions=count_mentions((one.key, one.frequency) for one in candidates),
        )

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank frequent phrases by weight, once shorter ones are subsumed and longer ones boosted."""
        candidates = self.phrases(document)
        collected = self.mentions.of(candidates.key) >= max(1.0, self.collected * self.mentions.documents)
        frequent = candidates.where((candidates.frequency >= self.least_seen) | collected)
        rarity = inverse_document_frequency(frequent, document, self.frequencies)
        place = 1 - first_mention(frequent, document)
        weight = frequent.frequency * rarity**self.rarity * frequent.length**self.length * place**self.early
        scores, gone = self.settle_scores(frequent, document, weight)
        evidence = {"mentions": frequent.frequency, "rarity": rarity, "place": place, "weight": weight}
        return rank(document, frequent.where(~gone), scores[~gone], {name: evidence[name][~gone] for name in evidence})

    def phrases(self, document: AnalysedDocument) -> Candidates:
        """Return phrases of the allowed parts of speech, of up to four words, without black-listed ones."""
        phrases = tag_phrases(document, self.pattern, _LONGEST)
        return phrases.where(~black_listed(phrases, document)) if self.black_lists else phrases

    def settle_scores(self, candidates: Candidates, document: AnalysedDocument, weight: Floats) -> tuple[Floats, Bools]:
        """Return scores and whether each candidate is subsumed, both (candidates,)."""
        short, long = nested_pairs(document, candidates)
        inside = np.zeros(len(candidates))
        np.maximum.at(inside, long, weight[short])
        scores = weight + self.boosted * inside
        covered = candidates.frequency[long] >= self.subsumed * candidates.frequency[short]
        short, long = short[covered], long[covered]
        best = np.lexsort((long, -weight[long], short))  # the heaviest of the longer ones comes first
        gone, place = np.unique(short[best], return_index=True)
        heir = long[best][place]
        for size in range(1, _LONGEST):  # shorter ones first, so that what they give is passed on
            mine = candidates.length[gone] == size
            np.add.at(scores, heir[mine], self.transferred * scores[gone[mine]])
        return scores, np.isin(np.arange(len(candidates)), gone)
