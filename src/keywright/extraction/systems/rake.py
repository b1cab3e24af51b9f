"""RAKE: runs of words between stop words and signs, by the company that their words keep in such runs.

Rose, Engel, Cramer and Cowley, "Automatic keyword extraction from individual documents", in Text Mining: Applications
and Theory, 2010. A word's degree is the number of words in all runs that hold it, itself included; divided by its
mentions it favours words of long runs. A phrase adds up its words. Two phrases that stand side by side around the same
stop words twice or more become a third one (*axis of evil*). A third as many phrases as there are words are chosen.

Deviations: words are cut and sentences end as everywhere here; numbers, formulas and single letters end a run; the stop
list is the language's own, not Fox's. Forms of one phrase are one; its best form speaks for it. The paper gives three
values of a word and uses the first: ``words``. Long documents bring long runs of debris to the top, so ``longest`` can
bound them; the paper does not.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np

from keywright.core.arrays import Floats, Ints, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown_name
from keywright.extraction.candidates.ngrams import runs, spans
from keywright.extraction.candidates.restricting import unite_candidates
from keywright.extraction.candidates.words import content_words, stop_words
from keywright.extraction.features.functions.shape import best_occurrences
from keywright.extraction.ranking.rank import rank

_VALUES: Final = ("ratio", "degree", "mentions")


@dataclass(frozen=True)
class Rake:
    """Runs without stop words, by degree over mentions of their words.

    words     value of a word: its degree over its mentions (ratio), its degree, or its mentions
    adjoined  minimum occurrences around the same stop words for two phrases to be joined; 0 for never
    longest   maximum words of a run, longer ones are left out; 0 for any
    """

    words: Literal["ratio", "degree", "mentions"] = "ratio"
    adjoined: int = 2
    longest: int = 0

    name: ClassVar[str] = "rake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank runs, and pairs of them, by the sum of their words' values; choose a third of the number of words."""
        content = content_words(document)
        candidates = runs(document, content)
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
        stops = np.concatenate(([0], np.cumsum(stop_words(document))))
        only_stops = (right > left) & (stops[right] - stops[left] == right - left)
        together = only_stops & (document.sentence[starts[:-1]] == document.sentence[right])
        joint = spans(document, starts[:-1][together], (ends[1:] - starts[:-1])[together])
        return joint.where(joint.frequency >= self.adjoined)


def _tokens(candidates: Candidates) -> tuple[Ints, Ints]:
    """Return all tokens of all occurrences, and the occurrence of each, both (tokens of occurrences,)."""
    return expand_ranges(candidates.positions, candidates.positions + candidates.widths)
