"""Systems that weigh phrases by counts, without training on gold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib import resources
from typing import Annotated, ClassVar, Final, Literal, Self, TypeAlias, get_args

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.extraction.candidates.ngrams import ngrams, tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.prefilter import passes_prefilter, usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts, count_documents, count_mentions
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.features.functions.mentions import (
    first_mention,
    inverse_document_frequency,
    words_only_rarity,
)
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import containing, nested_pairs
from keywright.text.tag_lexicon import tag_classes
from keywright.text.tokens import read_section

_IN_FRONT = (SectionKind.TITLE, SectionKind.ABSTRACT)


@dataclass(frozen=True)
class Counting(Weighing):
    """Careful counting, a good ranking of any text without training: mentions, rarity, phraseness, zones, nearness.

    ``features/description/weighing.py`` says what each factor is and whom it follows. It knows nothing of a language
    but a stop list and how often phrases occur; the default makes its first ranking in the same way. The weights were
    chosen on the 144 training papers of SemEval-2010 by held-out folds (``tools/train/choose_default.py``).
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    long_text: Annotated[int, "tokens from which on phrases need two mentions, or one in title or abstract"] = 1000

    name: ClassVar[str] = "counting"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "terms"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the product of what speaks for them."""
        candidates = usual_candidates(document)
        passing = passes_prefilter(candidates, document, _IN_FRONT, self.long_text)
        rarity = inverse_document_frequency(candidates, document, self.frequencies)
        factors = {name: one[passing] for name, one in self.factors(candidates, document, rarity).items()}
        return rank(document, candidates.where(passing), np.prod(list(factors.values()), axis=0), factors)


_LONGEST_OF_KPMINER = 5  # most words of a phrase, as in the paper


@dataclass(frozen=True)
class KPMiner:
    """Frequent, early phrases, boosted because long phrases are rare.

    El-Beltagy and Rafea, "KP-Miner: Participation in SemEval-2", SemEval 2010; third of the shared task without
    training. Phrases are the runs of words between stop words and punctuation, and all their parts up to five words. A
    phrase of several words is taken to occur in no other document, and its weight is boosted by how rare such phrases
    are in this one. Among the best, the mentions of a phrase inside better-known longer ones are then taken away, and
    the order made anew.

    Deviations: Porter stems instead of the authors' weak stemming. The cutoff is that of the article of 2009; 850 is
    said of the shared task. The task paper names the term's position as a factor of the weight (``near_start``); the
    article does not.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of words"] = field(default_factory=background)
    least_seen: Annotated[int, "minimum mentions of a phrase (the paper's lasf); short documents need 1"] = 3
    cutoff: Annotated[int, "last position of a first mention, in tokens"] = 400
    alpha: Annotated[float, "divisor of the boost"] = 2.3
    sigma: Annotated[float, "ceiling of the boost"] = 3.0
    refined: Annotated[int, "number of best phrases in the refinement, as the task asked for; 0 for none"] = 15
    near_start: Annotated[bool, "whether sentences weigh 1 + 1 / (1 + sentence), sentences from 0"] = False

    name: ClassVar[str] = "kpminer"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with document frequencies of these documents; their gold is ignored."""
        return replace(self, frequencies=count_documents(ngrams(example.document, 1).key for example in labelled))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank frequent, early phrases by boosted TF×IDF, refined."""
        candidates = ngrams(document, _LONGEST_OF_KPMINER)
        frequent = candidates.where((candidates.frequency >= self.least_seen) & (candidates.first < self.cutoff))
        rarity, boost = words_only_rarity(frequent, self.frequencies), self.boost(frequent)
        weight = frequent.frequency * rarity * boost
        if self.near_start:
            weight *= 1 + 1 / (1 + document.sentence[frequent.first])
        best = order_of(frequent, weight)[: self.refined]
        own_share = np.ones(len(frequent))  # share of mentions that are not inside a longer one of the best candidates
        for index, longer in zip(best, containing(document, frequent, best), strict=True):
            own_share[index] = max(0.0, 1 - frequent.frequency[best[longer]].sum() / frequent.frequency[index])
        evidence = {"mentions": frequent.frequency, "rarity": rarity, "boost": boost}
        return rank(document, frequent, weight * own_share, evidence)

    def boost(self, candidates: Candidates) -> Floats:
        """Return 1 for words; for phrases, all mentions over alpha times those of phrases, (candidates,)."""
        # Phrases are rarer than words, so they weigh more, but at most ``sigma``.
        phrases = candidates.length > 1
        of_phrases = candidates.frequency[phrases].sum()
        boost = min(self.sigma, candidates.frequency.sum() / (of_phrases * self.alpha)) if of_phrases else 1.0
        return np.where(phrases, boost, 1.0)


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


_PATTERN: Final = "[JNG]*N"


def no_contexts() -> PhraseCounts:
    """Return no contexts, as before training."""
    return PhraseCounts.of_phrases((), 0)


@dataclass(frozen=True)
class DERIUNLP:
    """Noun phrases seen beside general scientific nouns, by TF×IDF, length and how often they are so seen.

    Bordea and Buitelaar, "DERIUNLP: A Context Based Approach to Automatic Keyphrase Extraction", SemEval 2010; eighth
    of the shared task, without training. Phrases that occur somewhere in the collection beside a skill type, a noun
    such as *analysis* or *method*, are looked for everywhere in a document.

    Certain: 81 skill types chosen by hand from the corpus, and the three parts of the score. Reconstructed: the list
    (``candidates/skill_types_en.txt``, from the 144 training papers), what counts as beside, the formula. Deviations:
    spaCy's tags instead of GATE's; untrained, contexts are counted in the document itself only, and document
    frequencies are the bundled ones.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    contexts: Annotated[PhraseCounts, "mentions beside a skill type in a collection"] = field(
        default_factory=no_contexts
    )
    heads: Annotated[bool, "whether a phrase that ends in a skill type is beside one: *protocol analysis*"] = True
    seen_first: Annotated[bool, "whether phrases never beside a skill type come last, with scores below 0"] = True
    length: Annotated[float, "exponent of the number of words"] = 1.5
    context: Annotated[float, "weight of the binary logarithm of the number of contexts"] = 1.0
    longest: Annotated[int, "maximum words of a phrase"] = 4

    name: ClassVar[str] = "deriunlp"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with the phrases and contexts of these documents; their gold is ignored."""
        documents = [example.document for example in labelled]
        candidates = [self.phrases(document) for document in documents]
        contexts = [self.count_contexts(one, document) for one, document in zip(candidates, documents, strict=True)]
        return replace(
            self,
            frequencies=count_documents(one.key for one in candidates),
            contexts=count_mentions((one.key, times) for one, times in zip(candidates, contexts, strict=True)),
        )

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases seen beside skill types, wherever they stand in the document."""
        candidates = self.phrases(document)
        contexts = self.contexts.of(candidates.key) + self.count_contexts(candidates, document)
        rarity = inverse_document_frequency(candidates, document, self.frequencies)
        weight = candidates.frequency * rarity * candidates.length**self.length
        scores = weight * (1 + self.context * np.log2(1 + contexts))
        if self.seen_first:
            scores = np.where(contexts > 0, scores, -1 / (1 + scores))
        evidence = {"mentions": candidates.frequency, "rarity": rarity, "contexts": contexts}
        return rank(document, candidates, scores, evidence)

    def phrases(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with all their parts that end in a noun."""
        return tag_phrases(document, _PATTERN, self.longest)

    def count_contexts(self, candidates: Candidates, document: AnalysedDocument) -> Ints:
        """Return the mentions of each candidate beside a skill type, (candidates,)."""
        beside = beside_skill_type(candidates, document, heads=self.heads)
        return np.bincount(candidates.owner[beside], minlength=len(candidates))


Place: TypeAlias = Literal["start", "middle", "end", "alone"]
"""Position of a word in a phrase; ``alone`` for the word of a one-word phrase."""
_ANYWHERE: Final = "anywhere"
_ENDINGS: Final = ("", "s", "es")  # endings of regular plurals, so that the lists need singulars only


@lru_cache(maxsize=1)
def black_lists() -> Mapping[str, frozenset[str]]:
    """Return forbidden English word forms in lower case, by ``Place``."""
    read = partial(read_section, "black_lists_en.txt", package="keywright.extraction.candidates")
    places = get_args(Place)
    return {at: frozenset(word + end for word in read(at) | read(_ANYWHERE) for end in _ENDINGS) for at in places}


def black_listed(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention has a word where a list forbids it, (candidates,)."""
    first, last = candidates.first, candidates.first + candidates.length - 1
    single = candidates.length == 1
    # Prefix sums: forbidden words inside a span are a difference of two cumulative counts, whatever its length.
    before_middle = np.concatenate(([0], np.cumsum(tokens_among(document, black_lists()["middle"]))))
    in_middle = before_middle[last] > before_middle[np.minimum(first + 1, last)]
    at_edge = tokens_among(document, black_lists()["start"])[first] | tokens_among(document, black_lists()["end"])[last]
    return np.where(single, tokens_among(document, black_lists()["alone"])[first], at_edge | in_middle)


_LINKS: Final = ("of", "for", "in")
_PHRASE: Final = "NJG"


@lru_cache(maxsize=1)
def skill_types() -> tuple[str, ...]:
    """Return 81 general English scientific nouns in the singular, mined by ``tools/train/mine_skill_types.py``."""
    text = resources.files("keywright.extraction.candidates").joinpath("skill_types_en.txt").read_text("utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def word_and_plurals(word: str) -> tuple[str, ...]:
    """Return an English noun and all forms that a regular plural may have: *analysis*, *analysiss*, ... *analyses*."""
    changed = [word.removesuffix(end) + plural for end, plural in (("y", "ies"), ("is", "es")) if word.endswith(end)]
    return (word, word + "s", word + "es", *changed)


def beside_skill_type(candidates: Candidates, document: AnalysedDocument, *, heads: bool = True) -> Bools:
    """Return whether each mention is beside a skill type, (occurrences,).

    A whole run of nouns, adjectives and participles is beside a skill type that follows it (*sensor network* in *sensor
    network protocol*) or precedes it with *of*, *for* or *in* and possibly a determiner (*analysis of the protocol*).
    With ``heads`` a phrase of several words that ends with a skill type counts as well (*sensor network protocol*).
    """
    letters = np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)
    skill = tokens_among(document, {form for word in skill_types() for form in word_and_plurals(word)})
    skill = skill & (letters == ord("N"))
    link, determiner = tokens_among(document, _LINKS), letters == ord("D")
    content = np.isin(letters, np.frombuffer(_PHRASE.encode(), np.uint8))
    begin, end = candidates.positions, candidates.positions + candidates.widths

    def at(mask: Bools, place: Ints) -> Bools:
        """Return a mask at some tokens, false outside of the mention's sentence."""
        inside = np.clip(place, 0, max(0, len(document) - 1))
        same = (place == inside) & (document.sentence[inside] == document.sentence[begin])
        return np.asarray(same & mask[inside])

    before = at(skill, end) & ~at(content, begin - 1)
    linked = at(skill, begin - 2) & at(link, begin - 1)
    linked |= at(skill, begin - 3) & at(link, begin - 2) & at(determiner, begin - 1)
    beside = before | (linked & ~at(content, end))
    return np.asarray(beside | (skill[end - 1] & (candidates.widths > 1))) if heads else beside
