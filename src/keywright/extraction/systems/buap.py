"""BUAP at SemEval-2010: maximal frequent sequences of words."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, Case, SectionKind
from keywright.extraction.candidates.ngrams import WordRule, content_words, ngrams
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.ranking.rank import rank

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
