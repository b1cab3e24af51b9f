"""Variants of one phrase that stems do not show, brought together."""

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Candidates of which *recognition of speech* counts as *speech recognition*, with its key.

    Only three tokens with *of* in the middle are turned; those with articles or more words stay apart.
    """
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    of = np.array([word == "of" for word in document.words], bool)
    three = np.flatnonzero(width == 3)  # noqa: PLR2004  (recognition, of, speech)
    turned = three[of[document.word[position[three] + 1]]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = joined(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regrouped(key, position, width)
