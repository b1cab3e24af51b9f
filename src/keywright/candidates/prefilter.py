"""The default extractor's candidates, and a cheap filter of them."""

from typing import Final

import numpy as np

from keywright.candidates.ngrams import ngrams
from keywright.candidates.single_letter_terms import Letters
from keywright.candidates.words import content_words_and_capitals, content_words_and_connectors
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind

_LONGEST: Final = 5
"""Maximum words of a candidate; arbitrary, and what the shipped trees were trained on."""
_CHARACTERS_OF_WORD: Final = {"zh": 2, "ja": 2}
"""Tokens of a word in languages whose tokens are characters; a rule of thumb."""
_LONGEST_WORD: Final = 100
"""Maximum characters of a word; arbitrary: longer tokens are data, or text without blanks."""


def usual_candidates(document: AnalysedDocument, letters: Letters | None = None) -> Candidates:
    """Return phrases of up to five words with content words at both ends and content words and connectors inside.

    Args:
        document: the document.
        letters: single capitals that may begin or end a phrase of several words, as content words do.
    """
    longest = _LONGEST * _CHARACTERS_OF_WORD.get(document.source.language or "", 1)
    words, inside = content_words_and_capitals(document), content_words_and_connectors(document)
    endless = document.end - document.start > _LONGEST_WORD
    if endless.any():
        words, inside = words & ~endless, inside & ~endless
    if letters is None or not (letters.begin | letters.end).any():
        return ngrams(document, longest, lambda _: words, lambda _: inside)
    either = letters.begin | letters.end
    candidates = ngrams(document, longest, lambda _: words | either, lambda _: inside)
    first, last = candidates.first, candidates.first + candidates.length - 1
    torn = (either & ~letters.begin)[first] | (either & ~letters.end)[last]
    return candidates.where(~torn & ((candidates.length > 1) | ~either[first]))


def passes_prefilter(
    candidates: Candidates, document: AnalysedDocument, zones: tuple[SectionKind, ...], long_text: int
) -> Bools:
    """Return whether each candidate passes, (candidates,): in a long text only if repeated, or mentioned in a zone.

    Args:
        candidates: of the document.
        document: the document.
        zones: sections in which a single mention is enough.
        long_text: minimum tokens of a long text.
    """
    if len(document) < long_text:
        return np.ones(len(candidates), bool)
    zone = np.zeros(len(SECTION_KINDS), bool)
    zone[[kind.code for kind in zones]] = True
    passes = candidates.frequency > 1
    once = np.flatnonzero(~passes)  # the first mention is the only one
    passes[once] = zone[document.section[candidates.first[once]]]
    return passes
