"""BUAP: maximal frequent sequences, ranked by the PageRank of their words.

Ortiz, Pinto, Tovar and Jiménez-Salazar, "BUAP: An Unsupervised Approach to Automatic Keyphrase Extraction from
Scientific Articles", SemEval 2010; eleventh of the shared task. A candidate is a sequence of words that an article
repeats, in its full length: a sequence that is frequent and lies in no longer frequent one. The words of these
sequences form a graph with an edge between neighbours in the text, and a sequence is worth the PageRank of its words.
Behind the maximal frequent sequences come all others, by their mentions.

Deviations: stems instead of lemmas and stems. Written from the task paper's summary and the authors' abstract. Stop
words and signs end a sequence here, and the list of references is left out. The abbreviations that the authors remove
are read as shortened words and not as names in capitals (``acronyms``).

Values by origin (docs/results/semeval2010-systems.md). Usual form: damping. Cross-validated: least_seen, longest,
weighted, combined. Invented: acronyms. Departing from the paper: acronyms.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, Case, SectionKind
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.restricting import maximal_frequent_sequences
from keywright.extraction.candidates.words import content_words
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.ranking.rank import rank

_LEFT_OUT: Final = (SectionKind.AUTHORS, SectionKind.METADATA, SectionKind.REFERENCES)


@dataclass(frozen=True)
class BUAP:
    """Maximal frequent sequences by the PageRank of their words.

    least_seen  minimum mentions of a frequent sequence; short documents need 2
    longest     maximum words of a sequence
    acronyms    whether words in capitals may be part of a sequence
    weighted    whether the weight of an edge is the number of times that two words are neighbours; else 1
    combined    score of a sequence: sum or mean of its words' ranks
    damping     share of steps that follow an edge, 0 to below 1
    """

    least_seen: int = 8
    longest: int = 5
    acronyms: bool = True
    weighted: bool = True
    combined: Literal["sum", "mean"] = "sum"
    damping: float = 0.85

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
