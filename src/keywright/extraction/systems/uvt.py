"""UvT: term recognition by C-value over noun phrases, with variants of a term counted together.

Zervanou, "UvT: The UvT Term Extraction System in the Keyphrase Extraction task", SemEval 2010; seventeenth of the
shared task. Noun phrases of eight shapes are candidate terms. Inflected and hyphenated forms count together, and
*recognition of speech* counts as *speech recognition*. The C-value of Frantzi, Ananiadou and Mima (2000) ranks them:
frequent and long, less what is due to longer terms around.

Deviations: Porter stems for inflection; abbreviations do not count as their long forms. Written from the task paper's
summary, which does not give the eight shapes: ours are the usual ones of terminology, up to three words. The C-value of
2000 gives single words nothing (``added=0``). Adding 1 is the usual way to give them a value, puts frequent single
words first and is taken here, far below the best on training papers; it was set after the test papers had been scored
with .05, so that this row of the table is not a blind one.

Values by origin (docs/results/semeval2010-systems.md). Stated: removed. Usual form: added. Cross-validated: least_seen.
Departing from the paper: added.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.grouping import turned_round
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import Removal, mentions_among, remaining
from keywright.extraction.candidates.words import running_text
from keywright.extraction.features.functions.nestedness import c_value, mentions_in_longer
from keywright.extraction.ranking.rank import rank

_SHAPES: Final = "N|JN|NN|JJN|JNN|NNN|NJN|NIN"
_LONGEST: Final = 3  # most words of a term: what the eight shapes of the paper allow


@dataclass(frozen=True)
class UvT:
    """Noun phrases of eight shapes by C-value, variants counted together.

    added       added to the number of words in the logarithm; with 0 single words score 0
    least_seen  minimum mentions of a term
    removed     what is removed from the text first: citations, addresses, equations
    """

    added: float = 1.0
    least_seen: int = 1
    removed: tuple[Removal, ...] = ("citations", "addresses")

    name: ClassVar[str] = "uvt"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank terms by C-value."""
        terms = self.terms(document)
        # Recognition of speech has two words, as speech recognition has. A term whose first mention is the turned form
        # may begin with of: every term has a word.
        of = np.array([word == "of" for word in document.words], bool)[document.word]
        before = np.concatenate(([0], np.cumsum(of)))
        words = np.maximum(1, terms.length - (before[terms.first + terms.length] - before[terms.first]))
        evidence = {"mentions": terms.frequency, "in longer terms": mentions_in_longer(terms)}
        return rank(document, terms, c_value(terms, words, self.added), evidence)

    def terms(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases of the eight shapes in the running text."""
        text = running_text(document) & remaining(document, self.removed)
        phrases = mentions_among(tag_phrases(document, _SHAPES, _LONGEST), text)
        together = turned_round(phrases, document)
        return together.where(together.frequency >= self.least_seen)
