"""Phrases of a ranking that are labels of a vocabulary, recognised by their tokens: texts are made for few of them."""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.execution.phrase_forms import PhraseForms
from keywright.vocabularies.index import VocabularyIndex

_MOST_PARTS: Final = 255
"""Largest number of parts in the column of a document, in which words of more parts have as many."""


def labels_in(ranking: Ranking, mentions: Candidates, forms: PhraseForms, vocabulary: VocabularyIndex) -> Bools:
    """Return whether each phrase of a ranking is a label of a vocabulary as shown or as in the text, (ranked,).

    Args:
        ranking: all phrases of the document.
        mentions: the labels of the vocabulary that occur in the document.
        forms: the forms of the document's phrases.
        vocabulary: the labels.
    """
    if ranking.mentions is None:
        return forms.in_vocabulary(ranking.keyphrases(), vocabulary)
    position, first, width = ranking.mentions()
    count = 1 + int(position.max(initial=-1))
    listed, unusual = np.zeros(count, bool), np.zeros(count, bool)
    listed[position[_are_labels(mentions, first, width)]] = True
    unusual[position[_are_unusual(forms.document, first, width)]] = True
    # The text of an unusual mention can have other parts than its tokens together.
    by_text = np.flatnonzero((unusual & ~listed)[ranking.positions_to()])
    listed = listed[ranking.positions_to()]
    listed[by_text] = forms.in_vocabulary(ranking.where(by_text).keyphrases(), vocabulary)
    return listed


def _are_labels(mentions: Candidates, first: Ints, width: Ints) -> Bools:
    """Return whether stretches of tokens are among the mentions of labels, (stretches,)."""
    # One number for each place and width: a table of Booleans replaces the look-up of a key for each stretch.
    widest = 1 + int(width.max(initial=0))
    narrow = mentions.widths < widest
    codes = mentions.positions[narrow] * widest + mentions.widths[narrow]
    table = np.zeros(1 + max(int(codes.max(initial=0)), int((first * widest + width).max(initial=0))), bool)
    table[codes] = True
    return np.asarray(table[first * widest + width])


def _are_unusual(document: AnalysedDocument, first: Ints, width: Ints) -> Bools:
    """Return whether stretches hold a sign, words without a blank between, or a border of sentences, (stretches,)."""
    odd = (document.flags & WordFlag.PUNCTUATION > 0) | (document.word_parts[document.word] >= _MOST_PARTS)
    torn = np.zeros(len(document), bool)  # from the token before
    torn[1:] = (document.start[1:] == document.end[:-1]) | (document.sentence[1:] != document.sentence[:-1])
    # Prefix sums: the number of odd tokens in a stretch is the difference of two running counts.
    odd_before, torn_before = (np.concatenate(([0], np.cumsum(column))) for column in (odd, torn))
    end = first + width
    return np.asarray((odd_before[end] > odd_before[first]) | (torn_before[end] > torn_before[first + 1]))
