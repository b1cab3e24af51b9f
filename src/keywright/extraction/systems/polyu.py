"""POLYU: the essential words of a paper first, then the phrases that grow from them.

Ouyang, Li and Zhang, "273. Task 5. Keyphrase Extraction Based on Core Word Identification and Word Expansion", SemEval
2010; eighteenth of the shared task. Nouns, adjectives and verbs are scored by their mentions in title, abstract and
body; the best are core words. Each is expanded: of the noun phrases that hold it and one neighbour more the most
frequent ones are taken, and each of these is expanded again, as long as the longer phrase is frequent beside the core
word. A phrase scores as its core word does, times its share of the core word's mentions.

Deviations: none in resources. Written from the task paper's summary, which names the two steps but no numbers.

Values by origin (docs/results/semeval2010-systems.md). Cross-validated: title, abstract, core_words, longest, phrases,
share, least_seen.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.candidates.words import content_words, running_text
from keywright.extraction.features.functions.position import mentions_in
from keywright.extraction.ranking.rank import order_of, rank
from keywright.text.tag_lexicon import tag_classes

_SIMPLEX: Final = (b"N", b"J", b"G", b"V")
_NOUN_PHRASE: Final = "[JNG]*N"
_NOBODY: Final = -1  # sentinel: no phrase begins there


@dataclass(frozen=True)
class POLYU:
    """Frequent nouns, adjectives and verbs, expanded to the noun phrases they are most often part of.

    title       weight of a mention in the title; 1 in the body
    abstract    weight of a mention in the abstract
    core_words  number of words that are expanded
    phrases     maximum phrases from one core word; the word itself where there is none
    share       minimum share of the core word's mentions that an expanded phrase has
    least_seen  minimum mentions of an expanded phrase to
    longest     maximum words of a phrase
    """

    title: float = 10.0
    abstract: float = 8.0
    core_words: int = 18
    phrases: int = 4
    share: float = 0.1
    least_seen: int = 2
    longest: int = 4

    name: ClassVar[str] = "polyu"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases grown from the core words, by importance of the word and share of the phrase."""
        read = running_text(document)
        classes = np.frombuffer(tag_classes(document).encode("ascii"), "S1")
        simplex = content_words(document) & np.isin(classes, _SIMPLEX)
        words = ngrams(document, 1, lambda _: read & simplex)
        phrases = mentions_among(tag_phrases(document, _NOUN_PHRASE, self.longest), read)
        in_title = mentions_in(words, document, SectionKind.TITLE)
        in_abstract = mentions_in(words, document, SectionKind.ABSTRACT)
        importance = words.frequency + (self.title - 1) * in_title + (self.abstract - 1) * in_abstract
        best, part = np.zeros(len(phrases)), np.zeros(len(phrases))
        neighbourhood = _Neighbourhood.of(phrases, len(document))
        for word in order_of(words, importance)[: self.core_words].tolist():
            positions, mentions = words.occurrences(word)[0], int(words.frequency[word])
            for phrase in self.expand_word(positions, neighbourhood):
                of_word = phrases.frequency[phrase] / mentions
                if importance[word] * of_word > best[phrase] * part[phrase]:
                    best[phrase], part[phrase] = importance[word], of_word
        reached = best > 0
        evidence = {"core word": best[reached], "share": part[reached]}
        return rank(document, phrases.where(reached), (best * part)[reached], evidence)

    def expand_word(self, positions: Ints, neighbourhood: "_Neighbourhood") -> list[int]:
        """Return the indices of the phrases that a core word at these positions grows to."""
        least = max(self.least_seen, self.share * len(positions))
        grown: list[int] = []
        for begun in neighbourhood.longer(positions, np.ones_like(positions), least)[: self.phrases]:
            phrase = begun
            while longer := neighbourhood.longer(*neighbourhood.phrases.occurrences(phrase), least):
                phrase = longer[0]
            grown.append(phrase)
        return list(dict.fromkeys(grown)) or neighbourhood.alone(positions)[: self.phrases]


@dataclass(frozen=True, eq=False)
class _Neighbourhood:
    """Phrases by their positions.

    Attributes:
        phrases: the phrases.
        standing: number of the phrase of each width that begins one token before each position, -1 for none, (tokens +
            1, widths + 2).
    """

    phrases: Candidates
    standing: Ints

    @classmethod
    def of(cls, phrases: Candidates, tokens: int) -> Self:
        """Return the neighbourhood of a document's phrases."""
        standing = np.full((tokens + 1, int(phrases.widths.max(initial=1)) + 2), _NOBODY, np.int32)
        standing[phrases.positions + 1, phrases.widths] = phrases.owner
        return cls(phrases, standing)

    def longer(self, positions: Ints, widths: Ints, least: float) -> list[int]:
        """Return phrases one token longer around occurrences, with ``least`` mentions, most frequent first."""
        around = np.concatenate((self.standing[positions, widths + 1], self.standing[positions + 1, widths + 1]))
        phrases = np.setdiff1d(around, [_NOBODY])
        frequency = self.phrases.frequency[phrases]
        order = np.argsort(-frequency, kind="stable")
        listed: list[int] = phrases[order][frequency[order] >= least].tolist()
        return listed

    def alone(self, positions: Ints) -> list[int]:
        """Return the single words at these positions as phrases."""
        listed: list[int] = np.setdiff1d(self.standing[positions + 1, 1], [_NOBODY]).tolist()
        return listed
