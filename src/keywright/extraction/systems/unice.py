"""UNICE: what the topics of one document are about, found in clusters of its sentences.

Pasquier, "Single Document Keyphrase Extraction Using Sentence Clustering and Latent Dirichlet Allocation", SemEval
2010; thirteenth of the shared task. Abbreviations are spelt out. Sentences with the same words are put together, so
that each cluster is a text about one theme. Latent Dirichlet allocation finds topics in these texts, and noun phrases
are worth what their words are in the topics that fill most of the document. Parts of better phrases are dropped.

Deviations: spaCy's tags instead of OpenNLP's. Written from the task paper's summary and the author's page. The clusters
are those of k-means over sentences of unit length, weighted by tf×idf with sentences as documents. Scores move with the
``seed``; the table of the shared task shows the mean of five.

Values by origin (docs/results/semeval2010-systems.md). Usual form: clusters, beta. Cross-validated: longest, topics,
alpha, best, combined, mentions. Invented: rounds.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge
from keywright.extraction.candidates.ngrams import nouns_and_adjectives
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import content_words, running_text
from keywright.extraction.learners.topic_model import clusters, topics
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import redundant
from keywright.text.abbreviations import find_long_forms

_NOUN_PHRASE: Final = "[NJ]*N"
_MOST_COUNTS: Final = 100_000_000
"""Sentences times words whose counts are held in memory, which takes 0.8 GB for each copy."""


@dataclass(frozen=True)
class UNICE:
    """Noun phrases by the words of the document's main topics.

    topics    number of topics
    best      number of topics that count: those with the largest share of the document
    clusters  number of clusters of sentences, as a multiple of the square root of half the sentences
    combined  score of a phrase: sum or mean of its words
    mentions  exponent of a phrase's mentions
    alpha     prior of a topic's share in a cluster, 0 to 1
    beta      prior of a word's share in a topic, 0 to 1
    longest   maximum words of a phrase
    rounds    maximum rounds of topic inference
    seed      of the initial clusters and topics
    """

    topics: int = 7
    best: int = 4
    clusters: float = 1.0
    combined: Literal["sum", "mean"] = "sum"
    mentions: float = 1.0
    alpha: float = 1.0
    beta: float = 0.01
    longest: int = 4
    rounds: int = 20
    seed: int = 1

    name: ClassVar[str] = "unice"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases by their words' share in the main topics, times mentions, without parts of better ones."""
        allowed = nouns_and_adjectives(document) & content_words(document) & running_text(document)
        candidates = mentions_among(tag_phrases(document, _NOUN_PHRASE, self.longest), allowed)
        start, width = _find_long_forms(document, allowed)
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
        """Return P(word) in the main topics, weighted by share, over the words of each candidate, (candidates,).

        ``text``: positions and tokens of the allowed words, with abbreviations spelt out.
        """
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


def _find_long_forms(document: AnalysedDocument, allowed: Bools) -> tuple[Ints, Ints]:
    """Return ``long_forms`` without those that have no allowed word."""
    start, width = find_long_forms(document)
    before = np.concatenate(([0], np.cumsum(allowed)))
    inside = before[start + width] > before[start]
    return np.where(inside, start, np.arange(len(document))), np.where(inside, width, 1)


def _counts(sentence: Ints, stem: Ints) -> tuple[Ints, Ints]:
    """Return stem counts of non-empty sentences, (sentences, stems), and the column of each word.

    Raises:
        TooLarge: there are more than ``_MOST_COUNTS`` of them.
    """
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
