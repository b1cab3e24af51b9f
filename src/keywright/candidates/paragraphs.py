"""Beginnings of paragraphs, where writers announce their topic."""

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Return whether each token is in the first sentence of a paragraph, (tokens,).

    A sentence that begins a line counts as the first of a paragraph. In text with wrapped lines that also holds for
    some sentences in the middle of a paragraph, by chance.
    """
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))
