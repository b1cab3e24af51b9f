"""Whether a phrase is abbreviated in its document, or an abbreviation that it explains."""

from collections.abc import Iterable

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.text.abbreviations import Span, abbreviations
from keywright.text.keys import joined


def is_short_form(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """1 for abbreviations that the document explains, else 0, (candidates,)."""
    return _among(candidates, document, (found.short for found in abbreviations(document)))


def is_long_form(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """1 for phrases that the document gives an abbreviation for, else 0, (candidates,)."""
    return _among(candidates, document, (found.long for found in abbreviations(document)))


def acronymity(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """1 for abbreviations that the document explains and what they stand for, else 0, (candidates,)."""
    return np.maximum(is_short_form(candidates, document), is_long_form(candidates, document))


def _among(candidates: Candidates, document: AnalysedDocument, spans: Iterable[Span]) -> Floats:
    """1 for candidates with the key of one of the spans, else 0, (candidates,)."""
    keys = np.array([_key(document, span) for span in spans], np.uint64)
    return np.isin(candidates.key, keys).astype(np.float64)


def _key(document: AnalysedDocument, span: Span) -> int:
    """Key of some tokens as one phrase, signs left out."""
    key = np.zeros(1, np.uint64)
    for word in document.word[span[0] : span[1]].tolist():
        if not document.word_flags[word] & WordFlag.PUNCTUATION:
            key = joined(key, document.word_key[word : word + 1], document.word_parts[word : word + 1])
    return int(key[0])
