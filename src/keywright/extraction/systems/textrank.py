"""TextRank: PageRank of words."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.ranking.rank import rank


@dataclass(frozen=True)
class TextRank:
    """PageRank of adjacent words; the best words, where adjacent, form phrases.

    Mihalcea and Tarau, "TextRank: Bringing Order into Text", EMNLP 2004. Nouns and adjectives are the nodes of a graph,
    and those within a window of tokens its edges. The best third are keywords, and keywords that stand side by side in
    the text are one keyphrase.

    Deviations: nodes are stems. ``share`` is a third as in the paper; 1 ranks all runs of nouns and adjectives, as pke
    does by default. Left open by the paper: whether a window holds words that are not nodes and runs across sentences
    (here it does), which of equally central words are among the best (the earlier), and how a phrase is scored (by the
    sum of its words, as in most programs, or by their mean: ``mean``).
    """

    window: Annotated[int, "tokens within which two words are connected, both included"] = 2
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    share: Annotated[float, "share of the best words that form phrases"] = 1 / 3
    weighted: Annotated[bool, "whether the weight of an edge is the number of co-occurrences; else 1"] = False
    mean: Annotated[bool, "whether a phrase scores the mean of its words, else their sum"] = False

    name: ClassVar[str] = "textrank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank runs of central words, by the sum or mean of their PageRank."""
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window, weighted=self.weighted)
        centrality = pagerank(graph, self.damping, stems_among(document, allowed))
        candidates = runs(document, allowed & self.best(document, allowed, centrality))
        scores = sum_over_words(candidates, document, centrality)
        return rank(document, candidates, scores / candidates.length if self.mean else scores)

    def best(self, document: AnalysedDocument, allowed: Bools, centrality: Floats) -> Bools:
        """Return tokens whose word is in the best share, at least one word, (tokens,); ties go to the earlier."""
        stems, first = np.unique(document.stem[allowed], return_index=True)
        order = np.lexsort((first, -centrality[stems]))
        return np.isin(document.stem, stems[order[: max(1, int(self.share * len(stems)))]])
