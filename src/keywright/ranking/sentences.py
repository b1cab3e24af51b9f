"""The sentence that shows a phrase best."""

from typing import Final

import numpy as np

from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.core.predictions import Sentence

_PREFERRED: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION)
_NO_SENTENCES: Final = (
    SectionKind.TITLE,
    SectionKind.HEADING,
    SectionKind.AUTHORS,
    SectionKind.METADATA,
    SectionKind.CAPTION,
    SectionKind.REFERENCES,
)
_FEWEST: Final = 8
"""Minimum words of an informative sentence; arbitrary: shorter ones are mostly headings."""
_MOST: Final = 60
"""Maximum words of an informative sentence; arbitrary: longer ones are mostly tables and lists."""


def best_sentence(document: AnalysedDocument, spans: tuple[tuple[int, int], ...]) -> Sentence | None:
    """Return the shortest informative sentence with a mention, from abstract or introduction if possible.

    Informative sentences have 8 to 60 words and are outside of titles, headings, captions and references. Without one,
    the shortest other sentence with 8 words is returned, or else the longest. Ties go to the earliest.

    Args:
        document: the document.
        spans: of a phrase, in characters of the text; None is returned for no spans.
    """
    if not spans or not len(document):
        return None
    starts = np.array([start for start, _ in spans])
    token = np.clip(np.searchsorted(document.start, starts, "right") - 1, 0, len(document) - 1)
    number = np.unique(document.sentence[token])
    first = np.searchsorted(document.sentence, number, "left")
    last = np.searchsorted(document.sentence, number, "right") - 1
    worded = np.concatenate(([0], np.cumsum(document.flags & WordFlag.LETTER > 0)))
    words = worded[last + 1] - worded[first]
    section = document.section[first]
    no_sentence = np.isin(section, [kind.code for kind in _NO_SENTENCES]) | (words > _MOST)
    elsewhere = ~np.isin(section, [kind.code for kind in _PREFERRED])
    short = words < _FEWEST
    order = np.lexsort((first, np.where(short, -words, words), elsewhere, no_sentence, short))
    best = order[0]
    start, end = int(document.start[first[best]]), int(document.end[last[best]])
    return Sentence(" ".join(document.source.text[start:end].split()), start, end)
