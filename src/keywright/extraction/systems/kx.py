"""KX at SemEval-2010: weighed patterns and counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Annotated, ClassVar, Final, Literal, Self, TypeAlias, get_args

import numpy as np

from keywright.core.arrays import Bools, Floats, count_inside
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.word_lists import read_words
from keywright.extraction.candidates.ngrams import tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.mentions import first_mention, inverse_document_frequency
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import nested_pairs

_LONGEST_OF_KX: Final = 4  # most words of a phrase, as in the paper


@dataclass(frozen=True)
class KX:
    """Frequent noun phrases without black-listed words, by rarity, length and place; longer ones absorb shorter.

    Pianta and Tonelli, "KX: A Flexible System for Keyphrase eXtraction", SemEval 2010; seventh of the shared task.
    Phrases are runs of up to four words whose parts of speech fit, none of them on the black list of its position. They
    must be frequent in the document or in the whole collection. A shorter phrase that hardly ever occurs without a
    longer one is subsumed by it, and a phrase gains by phrases inside it. Nothing but these values is learned from
    gold.

    Certain: the five factors (rarity, length, first mention, subsumption with transfer of the score, boosting), tuned
    on the training papers. Reconstructed: patterns, black lists, thresholds, the shape of the factors, when a phrase is
    subsumed, what boosting adds: .02 does nothing, and the task paper's boost, the whole score of the inner phrase
    (``boosted=1``), ruins the list. Deviations: spaCy's tags instead of TextPro's; untrained, the bundled background
    replaces the collection, with document frequencies in place of mentions and phrases of up to three words.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    mentions: Annotated[PhraseCounts, "mentions of phrases in a collection"] = field(default_factory=background)
    pattern: Annotated[
        str, "parts of speech of a phrase: a regular expression over N noun, J adjective, G participle, I preposition"
    ] = "[JNG]{0,3}N|[JN]?NI[JN]?N"
    black_lists: Annotated[bool, "whether words are forbidden by their position in a phrase"] = True
    least_seen: Annotated[int, "minimum mentions of a phrase; short documents need 1"] = 3
    collected: Annotated[float, "mentions per document of the collection above which least_seen does not apply"] = 0.03
    rarity: Annotated[float, "exponent of the inverse document frequency; 0 leaves it out, as with the next two"] = 1.0
    length: Annotated[float, "exponent of the number of words"] = 1.0
    early: Annotated[float, "exponent of the share of the document behind the first mention"] = 12.0
    subsumed: Annotated[float, "share of a phrase's mentions at which a longer one replaces it; above 1 never"] = 0.6
    transferred: Annotated[float, "share of a subsumed phrase's weight that its longer one gains"] = 1.0
    boosted: Annotated[float, "share of the best weight of the phrases inside it that a longer phrase gains"] = 0.02

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
        phrases = tag_phrases(document, self.pattern, _LONGEST_OF_KX)
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
        for size in range(1, _LONGEST_OF_KX):  # shorter ones first, so that what they give is passed on
            mine = candidates.length[gone] == size
            np.add.at(scores, heir[mine], self.transferred * scores[gone[mine]])
        return scores, np.isin(np.arange(len(candidates)), gone)


Place: TypeAlias = Literal["start", "middle", "end", "alone"]
"""Position of a word in a phrase; ``alone`` for the word of a one-word phrase."""
_ANYWHERE: Final = "anywhere"
_ENDINGS: Final = ("", "s", "es")  # endings of regular plurals, so that the lists need singulars only


@lru_cache(maxsize=1)
def black_lists() -> Mapping[str, frozenset[str]]:
    """Return forbidden English word forms in lower case, by ``Place``."""
    read = partial(read_words, "text/black_lists_en.txt")
    places = get_args(Place)
    return {at: frozenset(word + end for word in read(at) | read(_ANYWHERE) for end in _ENDINGS) for at in places}


def black_listed(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention has a word where a list forbids it, (candidates,)."""
    first, last = candidates.first, candidates.first + candidates.length - 1
    single = candidates.length == 1
    in_middle = count_inside(tokens_among(document, black_lists()["middle"]), np.minimum(first + 1, last), last) > 0
    at_edge = tokens_among(document, black_lists()["start"])[first] | tokens_among(document, black_lists()["end"])[last]
    return np.where(single, tokens_among(document, black_lists()["alone"])[first], at_edge | in_middle)
