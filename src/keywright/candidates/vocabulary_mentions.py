"""Labels of a vocabulary in a document."""

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.candidates.ngrams import reach
from keywright.candidates.words import words_and_numbers
from keywright.core.arrays import Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined
from keywright.vocabularies.label_keys import LabelKeys


def mentions_of(document: AnalysedDocument, labels: LabelKeys) -> Candidates:
    """Return the labels of a vocabulary that occur in a document, as candidates.

    Whole words are compared by their stems, including stop words and numbers; a label does not cross a sign or the end
    of a sentence.
    """
    place = np.flatnonzero(words_and_numbers(document))
    reaching = reach(place, document.sentence[place])
    word = document.word[place]
    token_key, token_parts = document.word_key[word], document.word_parts[word]
    # N-grams grow by one token at all positions at once, only where a label begins like them: a vocabulary with one
    # label of thirty words does not cost thirty look-ups at each position.
    first, key, longest = np.arange(len(place)), token_key, 1
    mentions: list[tuple[Keys, Ints, int]] = []
    begins, whole = (of_words[word] for of_words in labels.look_up(document.word_key))  # each distinct word once
    while len(first):
        mentions.append((key[whole], first[whole], longest))
        grows = begins & (reaching[first] > longest)
        first = first[grows]
        key = joined(key[grows], token_key[first + longest], token_parts[first + longest])
        longest += 1
        begins, whole = labels.look_up(key)
    keys = np.concatenate([np.zeros(0, np.uint64), *(key for key, _, _ in mentions)])
    firsts = np.concatenate([np.zeros(0, np.int64), *(first for _, first, _ in mentions)])
    widths = np.repeat([width for _, _, width in mentions], [len(first) for _, first, _ in mentions]).astype(np.int64)
    return regrouped(keys, place[firsts], place[firsts + widths - 1] - place[firsts] + 1)
