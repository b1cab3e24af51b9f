"""Systems that rank phrases by their words: core words, central words, words of topics."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, Case, SectionKind
from keywright.core.errors import TooLarge
from keywright.extraction.candidates.ngrams import WordRule, content_words, ngrams, nouns_and_adjectives, running_text
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.features.functions.mentions import mentions_in
from keywright.extraction.learners.topic_model import clusters, topics
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import redundant
from keywright.text.abbreviations import find_long_forms
from keywright.text.tag_lexicon import tag_classes

_SIMPLEX: Final = (b"N", b"J", b"G", b"V")
_GROWN: Final = "[JNG]*N"
_NOBODY: Final = -1  # sentinel: no phrase begins there


@dataclass(frozen=True)
class POLYU:
    """Frequent nouns, adjectives and verbs first, then the noun phrases that grow from them.

    Ouyang, Li and Zhang, "273. Task 5. Keyphrase Extraction Based on Core Word Identification and Word Expansion",
    SemEval 2010; eighteenth of the shared task. Words are scored by their mentions in title, abstract and body; the
    best are core words. Each grows to the most frequent noun phrases that hold it and one neighbour more, and each of
    these is expanded again, as long as the longer phrase is frequent beside the core word. A phrase scores as its core
    word does, times its share of the core word's mentions.

    Deviations: none in resources. Written from the task paper's summary, which names the two steps but no numbers.
    """

    title: Annotated[float, "weight of a mention in the title; 1 in the body"] = 10.0
    abstract: Annotated[float, "weight of a mention in the abstract"] = 8.0
    core_words: Annotated[int, "number of words that are expanded"] = 18
    phrases: Annotated[int, "maximum phrases from one core word; the word itself where there is none"] = 4
    share: Annotated[float, "minimum share of the core word's mentions that an expanded phrase has"] = 0.1
    least_seen: Annotated[int, "minimum mentions of an expanded phrase too"] = 2
    longest: Annotated[int, "maximum words of a phrase"] = 4

    name: ClassVar[str] = "polyu"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases grown from the core words, by importance of the word and share of the phrase."""
        read = running_text(document)
        classes = np.frombuffer(tag_classes(document).encode("ascii"), "S1")
        simplex = content_words(document) & np.isin(classes, _SIMPLEX)
        words = ngrams(document, 1, lambda _: read & simplex)
        phrases = mentions_among(tag_phrases(document, _GROWN, self.longest), read)
        in_title = mentions_in(words, document, SectionKind.TITLE)
        in_abstract = mentions_in(words, document, SectionKind.ABSTRACT)
        importance = words.frequency + (self.title - 1) * in_title + (self.abstract - 1) * in_abstract
        best, part = np.zeros(len(phrases)), np.zeros(len(phrases))
        # Phrase of each width that begins one token before each position, (tokens + 1, widths + 2).
        standing = np.full((len(document) + 1, int(phrases.widths.max(initial=1)) + 2), _NOBODY, np.int32)
        standing[phrases.positions + 1, phrases.widths] = phrases.owner

        def find_longer(positions: Ints, widths: Ints, least: float) -> list[int]:
            """Return phrases one token longer around occurrences, with ``least`` mentions, most frequent first."""
            around = np.concatenate((standing[positions, widths + 1], standing[positions + 1, widths + 1]))
            longer = np.setdiff1d(around, [_NOBODY])
            frequency = phrases.frequency[longer]
            order = np.argsort(-frequency, kind="stable")
            listed: list[int] = longer[order][frequency[order] >= least].tolist()
            return listed

        for word in order_of(words, importance)[: self.core_words].tolist():
            positions, mentions = words.occurrences(word)[0], int(words.frequency[word])
            least = max(self.least_seen, self.share * len(positions))
            grown: list[int] = []
            for begun in find_longer(positions, np.ones_like(positions), least)[: self.phrases]:
                phrase = begun
                while longer := find_longer(*phrases.occurrences(phrase), least):
                    phrase = longer[0]
                grown.append(phrase)
            alone = np.setdiff1d(standing[positions + 1, 1], [_NOBODY]).tolist()[: self.phrases]
            for phrase in dict.fromkeys(grown or alone):
                of_word = phrases.frequency[phrase] / mentions
                if importance[word] * of_word > best[phrase] * part[phrase]:
                    best[phrase], part[phrase] = importance[word], of_word
        reached = best > 0
        evidence = {"core word": best[reached], "share": part[reached]}
        return rank(document, phrases.where(reached), (best * part)[reached], evidence)


_LEFT_OUT: Final = (SectionKind.AUTHORS, SectionKind.METADATA, SectionKind.REFERENCES)


@dataclass(frozen=True)
class BUAP:
    """Maximal frequent sequences of words, ranked by the PageRank of their words.

    Ortiz, Pinto, Tovar and Jiménez-Salazar, "BUAP: An Unsupervised Approach to Automatic Keyphrase Extraction from
    Scientific Articles", SemEval 2010; eleventh of the shared task. A candidate is a sequence that is frequent and lies
    in no longer frequent one. Words of these sequences form a graph with an edge between neighbours in the text. Behind
    them come all other phrases, by their mentions.

    Deviations: stems only; stop words and signs end a sequence; references are left out; the abbreviations that the
    authors remove are read as shortened words, not as names in capitals (``acronyms``). Written from the task paper's
    summary and the authors' abstract.
    """

    least_seen: Annotated[int, "minimum mentions of a frequent sequence; short documents need 2"] = 8
    longest: Annotated[int, "maximum words of a sequence"] = 5
    acronyms: Annotated[bool, "whether words in capitals may be part of a sequence"] = True
    weighted: Annotated[bool, "whether an edge weighs the number of times that two words are neighbours; else 1"] = True
    combined: Annotated[Literal["sum", "mean"], "score of a sequence: sum or mean of its words' ranks"] = "sum"
    damping: Annotated[float, "share of steps that follow an edge, 0 to below 1"] = 0.85

    name: ClassVar[str] = "buap"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank maximal frequent sequences by centrality; behind them the rest, by mentions."""
        candidates = ngrams(document, self.longest, self.allow_tokens)
        sequences = maximal_frequent_sequences(document, self.least_seen, self.longest, self.allow_tokens)
        maximal = np.isin(candidates.key, sequences.key)
        nodes = np.zeros(len(document), bool)
        nodes[expand_ranges(sequences.positions, sequences.positions + sequences.widths)[0]] = True
        centrality = self.centrality(candidates, document, nodes)
        scores = np.where(maximal, centrality, -1 / (1 + candidates.frequency))
        evidence = {"mentions": candidates.frequency, "centrality": centrality * maximal}
        return rank(document, candidates, scores, evidence)

    def allow_tokens(self, document: AnalysedDocument) -> Bools:
        """Return whether each token may be part of a sequence, (tokens,)."""
        content = content_words(document) & ~np.isin(document.section, [kind.code for kind in _LEFT_OUT])
        return content if self.acronyms else content & (document.case != Case.UPPER)

    def centrality(self, candidates: Candidates, document: AnalysedDocument, nodes: Bools) -> Floats:
        """Return the sum or mean of the words' PageRank, (candidates,); ``nodes``: tokens of the graph, (tokens,)."""
        graph = word_graph(document, nodes, 2, weighted=self.weighted, inside_sentences=True)
        total = sum_over_words(candidates, document, pagerank(graph, self.damping, stems_among(document, nodes)))
        return total if self.combined == "sum" else total / candidates.length


_NOUN_PHRASE: Final = "[NJ]*N"
_MOST_COUNTS: Final = 100_000_000
"""Sentences times words whose counts are held in memory, which takes 0.8 GB for each copy."""


@dataclass(frozen=True)
class UNICE:
    """Noun phrases by the words of the document's main topics, found in clusters of its sentences.

    Pasquier, "Single Document Keyphrase Extraction Using Sentence Clustering and Latent Dirichlet Allocation", SemEval
    2010; thirteenth of the shared task. Abbreviations are spelt out. Sentences with the same words are put together,
    latent Dirichlet allocation finds topics in these texts, and noun phrases are worth what their words are in the
    topics that fill most of the document. Parts of better phrases are dropped.

    Deviations: spaCy's tags instead of OpenNLP's. Written from the task paper's summary and the author's page. The
    clusters are those of k-means over sentences of unit length, weighted by tf×idf with sentences as documents. Scores
    move with the ``seed``; the table of the shared task shows the mean of five.
    """

    topics: Annotated[int, "number of topics"] = 7
    best: Annotated[int, "number of topics that count: those with the largest share of the document"] = 4
    clusters: Annotated[float, "number of clusters of sentences, times the root of half the sentences"] = 1.0
    combined: Annotated[Literal["sum", "mean"], "score of a phrase: sum or mean of its words"] = "sum"
    mentions: Annotated[float, "exponent of a phrase's mentions"] = 1.0
    alpha: Annotated[float, "prior of a topic's share in a cluster, 0 to 1"] = 1.0
    beta: Annotated[float, "prior of a word's share in a topic, 0 to 1"] = 0.01
    longest: Annotated[int, "maximum words of a phrase"] = 4
    rounds: Annotated[int, "maximum rounds of topic inference"] = 20
    seed: Annotated[int, "of the initial clusters and topics"] = 1

    name: ClassVar[str] = "unice"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases by their words' share in the main topics, times mentions, without parts of better ones."""
        allowed = nouns_and_adjectives(document) & content_words(document) & running_text(document)
        candidates = mentions_among(tag_phrases(document, _NOUN_PHRASE, self.longest), allowed)
        start, width = find_long_forms(document)
        before = np.concatenate(([0], np.cumsum(allowed)))
        has_words = before[start + width] > before[start]  # long forms without an allowed word are left out
        start, width = np.where(has_words, start, np.arange(len(document))), np.where(has_words, width, 1)
        mentions = _count_mentions(candidates, allowed, start, width)
        token, place = expand_ranges(start, start + width)
        inside = allowed[place] & allowed[token]
        about = self.aboutness(candidates, document, (place[inside], token[inside]))
        candidates, mentions, about = candidates.where(mentions > 0), mentions[mentions > 0], about[mentions > 0]
        scores = about * mentions**self.mentions
        stays = ~redundant(document, candidates, scores)
        evidence = {"topics": about[stays], "mentions": mentions[stays]}
        return rank(document, candidates.where(stays), scores[stays], evidence)

    def aboutness(self, candidates: Candidates, document: AnalysedDocument, text: tuple[Ints, Ints]) -> Floats:
        """Return P(word) in the main topics over candidates' words; ``text``: positions and tokens, spelt out."""
        place, token = text
        counts, term = _counts(document.sentence[place], document.stem[token])
        worth = self.main_words(self.themes(counts))[term]
        sums = np.concatenate(([0.0], np.cumsum(np.bincount(place, worth, len(document)))))
        words = np.concatenate(([0], np.cumsum(np.bincount(place, minlength=len(document)))))
        ends = candidates.first + candidates.length
        total = sums[ends] - sums[candidates.first]
        return np.asarray(total if self.combined == "sum" else total / (words[ends] - words[candidates.first]))

    def themes(self, counts: Ints) -> Ints:
        """Return words of clusters of sentences, (clusters, words), from those of sentences, (sentences, words)."""
        sentences = len(counts)
        weights = counts * np.log(sentences / np.maximum((counts > 0).sum(axis=0), 1))
        length = np.linalg.norm(weights, axis=1, keepdims=True)
        number = max(1, round(self.clusters * np.sqrt(sentences / 2)))
        cluster = clusters(weights / np.where(length > 0, length, 1.0), number, self.seed)
        together = np.zeros((int(cluster.max(initial=-1)) + 1, counts.shape[1]), counts.dtype)
        np.add.at(together, cluster, counts)
        return together

    def main_words(self, themes: Ints) -> Floats:
        """Return P(word and topic), summed over the main topics, (words,)."""
        model = topics(themes, self.topics, alpha=self.alpha, beta=self.beta, rounds=self.rounds, seed=self.seed)
        shares = themes.sum(axis=1) @ model.shares / max(1, themes.sum())
        main = np.argsort(-shares, kind="stable")[: self.best]
        return np.asarray(shares[main] @ model.words[main])


def _counts(sentence: Ints, stem: Ints) -> tuple[Ints, Ints]:
    """Return stem counts of non-empty sentences, (sentences, stems), at most so many, and the column of each word."""
    sentences, row = np.unique(sentence, return_inverse=True)
    stems, column = np.unique(stem, return_inverse=True)
    if len(sentences) * len(stems) > _MOST_COUNTS:
        message = f"{len(sentences):,} sentences with {len(stems):,} different words are too many to cluster"
        raise TooLarge(message, "split the document, or take a system without clusters, such as positionrank")
    counts = np.zeros((len(sentences), len(stems)), np.int64)
    np.add.at(counts, (row.reshape(-1), column.reshape(-1)), 1)
    return counts, column.reshape(-1)


def _count_mentions(candidates: Candidates, allowed: Bools, start: Ints, width: Ints) -> Floats:
    """Return mentions with those of a candidate's abbreviation, (candidates,); 0 for that abbreviation itself."""
    nobody = len(candidates)
    widest = int(max(candidates.widths.max(initial=1), width.max(initial=1)))
    standing = np.full((len(allowed), widest + 1), nobody)
    standing[candidates.positions, candidates.widths] = candidates.owner
    short = np.flatnonzero((start != np.arange(len(allowed))) & allowed)
    long, itself = standing[start[short], width[short]], standing[short, 1]
    mentions = np.append(candidates.frequency, 0).astype(np.float64)
    np.add.at(mentions, long, 1)
    mentions[itself[long != nobody]] = 0
    return mentions[:nobody]


def maximal_frequent_sequences(
    document: AnalysedDocument, least: int, longest: int, allowed: WordRule = content_words
) -> Candidates:
    """Return sequences with at least ``least`` mentions that no longer such sequence contains.

    Ahonen-Myka, "Finding all maximal frequent sequences in text" (1999), without gaps between the words. Mentions
    inside longer sequences count, so each part of a frequent sequence is frequent, and only maximal ones are returned.
    Tokens that are not ``allowed``, and ends of sentences, end a sequence.
    """
    sequences = ngrams(document, longest, allowed)
    frequent = sequences.where(sequences.frequency >= least)
    start, end = frequent.positions, frequent.positions + frequent.widths
    # Interval containment without comparing pairs: a mention is inside another one that begins at the same token and
    # ends later, or begins earlier and ends no earlier; running maxima of the ends answer both.
    end_from = np.zeros(len(document) + 1, np.int64)  # [token + 1]: latest end of a mention that begins at the token
    np.maximum.at(end_from[1:], start, end)
    end_before = np.maximum.accumulate(end_from)
    inside = (end_from[start + 1] > end) | (end_before[start] >= end)
    return frequent.where(np.bincount(frequent.owner[inside], minlength=len(frequent)) == 0)
