"""Beginnings of paragraphs, where writers say what comes."""

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Tokens of the first sentences of paragraphs, (tokens,).

    A sentence that begins a line is taken for the first of a paragraph. Where lines are wrapped at a width that also
    meets sentences in the middle of a paragraph, by chance.
    """
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))
