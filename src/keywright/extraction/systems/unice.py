"""UNICE at SemEval-2010: noun phrases by a network of their words."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, count_inside, expand_ranges, to_units
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge
from keywright.extraction.candidates.ngrams import content_words, nouns_and_adjectives, running_text
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.learners.topic_model import clusters, topics
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import redundant
from keywright.text.abbreviations import find_long_forms

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
        has_words = count_inside(allowed, start, start + width) > 0  # long forms without an allowed word are left out
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
        cluster = clusters(to_units(weights), max(1, round(self.clusters * np.sqrt(sentences / 2))), self.seed)
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
