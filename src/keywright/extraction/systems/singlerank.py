"""SingleRank: PageRank of words, phrases by the sum of theirs."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.ranking.rank import rank


@dataclass(frozen=True)
class SingleRank:
    """PageRank of words by how often they co-occur; noun phrases by the sum of their words.

    Wan and Xiao, "Single Document Keyphrase Extraction Using Neighborhood Knowledge", AAAI 2008, without neighbour
    documents. As TextRank, but edges weigh as much as two words have meetings within ten tokens, no word is left out,
    and phrases are the runs of nouns and adjectives that end in a noun.

    Deviations: nodes are stems. Left open by the paper: a run is cut behind the last noun before each adjective, so
    that every phrase is adjectives and then nouns; ``all_runs`` takes runs as they stand, as pke does.
    """

    window: Annotated[int, "tokens within which two words co-occur, both included"] = 10
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    longest: Annotated[int, "maximum words of a phrase; longer ones are split"] = 10
    all_runs: Annotated[bool, "whether phrases are all runs of nouns and adjectives, of any length"] = False

    name: ClassVar[str] = "singlerank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases by the sum of their words' PageRank."""
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window)
        centrality = pagerank(graph, self.damping, stems_among(document, allowed))
        whole = tag_phrases(document, "J*N+", self.longest, maximal=True)
        candidates = runs(document, allowed) if self.all_runs else whole
        return rank(document, candidates, sum_over_words(candidates, document, centrality))
