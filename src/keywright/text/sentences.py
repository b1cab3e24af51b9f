"""Sentences of a text, as the analyser divides it."""

from functools import cache
from itertools import pairwise

import numpy as np

from keywright.core.documents import Document
from keywright.text.analyser import TextAnalyser


def split_sentences(text: str, language: str | None = None) -> tuple[str, ...]:
    """Return the sentences of a text, trimmed, with their punctuation.

    Sentences end where those of ``TextAnalyser`` end: at closing punctuation before anything but a small letter, and at
    blank lines. No word of the text is lost; a text without words is one sentence, white space none.

    >>> split_sentences("Tides rise. Gauges see them.")
    ('Tides rise.', 'Gauges see them.')
    """
    columns = _analyser(language or "en").analyse(Document("", text))
    first = np.flatnonzero(np.diff(columns.sentence, prepend=-1))
    borders = [0, *columns.start[first[1:]].tolist(), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(borders))
    return tuple(piece for piece in pieces if piece)


@cache
def _analyser(language: str) -> TextAnalyser:
    return TextAnalyser(language)
