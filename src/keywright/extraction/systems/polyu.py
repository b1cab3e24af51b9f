"""POLYU at SemEval-2010: phrases grown around core words."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.extraction.candidates.ngrams import content_words, ngrams, running_text
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.features.functions.mentions import mentions_in
from keywright.extraction.ranking.rank import order_of, rank
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
