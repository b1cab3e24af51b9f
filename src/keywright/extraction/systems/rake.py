"""RAKE: stretches between stop words, by degree and frequency."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats, Ints, count_inside, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown_name
from keywright.extraction.candidates.ngrams import content_words, runs, spans, stop_words
from keywright.extraction.candidates.restricting import unite_candidates
from keywright.extraction.features.functions.words import best_occurrences
from keywright.extraction.ranking.rank import rank

_VALUES: Final = ("ratio", "degree", "mentions")


@dataclass(frozen=True)
class Rake:
    """Runs of words between stop words and signs, by the company that their words keep in such runs.

    Rose, Engel, Cramer and Cowley, "Automatic keyword extraction from individual documents", in Text Mining:
    Applications and Theory, 2010. A word's degree is the number of words in all runs that hold it; divided by its
    mentions it favours words of long runs. A phrase adds up its words. Two phrases that stand side by side around the
    same stop words twice or more become a third one (*axis of evil*). A third as many phrases as there are words are
    chosen.

    Deviations: words are cut and sentences end as everywhere here; numbers, formulas and single letters end a run; the
    stop list is the language's own, not Fox's; forms of one phrase are one, for which its best form speaks. Long
    documents bring long runs of debris to the top, so ``longest`` can bound them; the paper does not.
    """

    words: Annotated[Literal["ratio", "degree", "mentions"], "value of a word; ratio: degree / mentions"] = "ratio"
    adjoined: Annotated[int, "minimum occurrences around the same stop words to join two phrases; 0 for never"] = 2
    longest: Annotated[int, "maximum words of a run, longer ones are left out; 0 for any"] = 0

    name: ClassVar[str] = "rake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank runs, and pairs of them, by the sum of their words' values; choose a third of the number of words."""
        candidates = runs(document, content_words(document))
        candidates = candidates.where(candidates.length <= (self.longest or len(document)))
        value, words = self.values(candidates, document)
        candidates = unite_candidates(candidates, self.pairs(candidates, document)) if self.adjoined else candidates
        token, occurrence = _tokens(candidates)
        weights = np.bincount(occurrence, weights=value[token], minlength=len(candidates.widths)).astype(float)
        best = weights[best_occurrences(candidates, weights)]
        evidence = {"mentions": candidates.frequency, "words": candidates.length}
        return rank(document, candidates, best, evidence, chosen=min(len(candidates), words // 3))

    def values(self, candidates: Candidates, document: AnalysedDocument) -> tuple[Floats, int]:
        """Return the value of each token as part of a phrase, (tokens,), 0 outside runs; and the number of words."""
        token, run = _tokens(candidates)
        word, size = document.word[token], len(document.words)
        mentions = np.bincount(word, minlength=size)
        degree = np.asarray(np.bincount(word, weights=candidates.widths[run], minlength=size), float)
        match self.words:
            case "ratio":
                worth: Floats = degree / np.maximum(mentions, 1)
            case "degree":
                worth = degree
            case "mentions":
                worth = mentions.astype(float)
            case _:
                raise unknown_name("value of a word", self.words, _VALUES, "keywright systems rake")
        value = np.zeros(len(document))
        value[token] = worth[word]
        return value, int(np.count_nonzero(mentions))

    def pairs(self, candidates: Candidates, document: AnalysedDocument) -> Candidates:
        """Return pairs of neighbouring runs with only stop words between, with enough mentions."""
        order = np.argsort(candidates.positions)
        starts = candidates.positions[order]
        ends = starts + candidates.widths[order]
        left, right = ends[:-1], starts[1:]
        only_stops = (right > left) & (count_inside(stop_words(document), left, right) == right - left)
        together = only_stops & (document.sentence[starts[:-1]] == document.sentence[right])
        joint = spans(document, starts[:-1][together], (ends[1:] - starts[:-1])[together])
        return joint.where(joint.frequency >= self.adjoined)


def _tokens(candidates: Candidates) -> tuple[Ints, Ints]:
    """Return all tokens of all occurrences, and the occurrence of each, both (tokens of occurrences,)."""
    return expand_ranges(candidates.positions, candidates.positions + candidates.widths)
