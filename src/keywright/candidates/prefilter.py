"""The candidates of ordinary text, and which of them are worth a look."""

from typing import Final

import numpy as np

from keywright.candidates.ngrams import ngrams
from keywright.candidates.single_letter_terms import Letters
from keywright.candidates.words import content_words_and_capitals, content_words_and_connectors
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind

_LONGEST: Final = 5
_CHARACTERS_OF_WORD: Final = {"zh": 2, "ja": 2}
"""Languages written without blanks: tokens are characters there, about two of them a word."""


_LONGEST_WORD: Final = 100
"""Characters; what is longer is data, or a text without blanks."""


def usual_candidates(document: AnalysedDocument, letters: Letters | None = None) -> Candidates:
    """Phrases of up to five words that begin and end with content words and hold none but these and connectors.

    Args:
        document: the document.
        letters: capitals that are no content words and may stand in a phrase of several words like these.
    """
    longest = _LONGEST * _CHARACTERS_OF_WORD.get(document.source.language or "", 1)
    words, inside = content_words_and_capitals(document), content_words_and_connectors(document)
    endless = document.end - document.start > _LONGEST_WORD
    if endless.any():
        words, inside = words & ~endless, inside & ~endless
    if letters is None or not (letters.begin | letters.end).any():
        return ngrams(document, longest, lambda _: words, lambda _: inside)
    either = letters.begin | letters.end
    found = ngrams(document, longest, lambda _: words | either, lambda _: inside)
    first, last = found.first, found.first + found.length - 1
    torn = (either & ~letters.begin)[first] | (either & ~letters.end)[last]
    return found.where(~torn & ((found.length > 1) | ~either[first]))


def passes_prefilter(
    candidates: Candidates, document: AnalysedDocument, zones: tuple[SectionKind, ...], long_text: int
) -> Bools:
    """Whether each candidate is worth a look, (candidates,): in a long text only what is repeated or in a zone.

    Args:
        candidates: of the document.
        document: the document.
        zones: sections in which one mention is enough.
        long_text: tokens from which on a text is long.
    """
    if len(document) < long_text:
        return np.ones(len(candidates), bool)
    zone = np.zeros(len(SECTION_KINDS), bool)
    zone[[kind.code for kind in zones]] = True
    worth = candidates.frequency > 1
    once = np.flatnonzero(~worth)  # such a candidate has no other mention than its first
    worth[once] = zone[document.section[candidates.first[once]]]
    return worth
