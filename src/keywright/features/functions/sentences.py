"""Features of a phrase in the sentence of its first mention, and of that sentence in the document.

The features of LBAKE by which it differs from other extractors; all come from the first mention.
"""

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.text.sentence_kinds import questions, with_verb


def sentence_location(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return (2 s / (S - 1) - 1)² of sentence s = 0..S-1: 1 at both ends of the document, 0 in its middle."""
    sentence = _sentence(candidates, document)
    return edge_closeness(sentence, np.full(len(sentence), _sentences(document)))


def location_in_sentence(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return (2 p / (P - 1) - 1)² of word p = 0..P-1 of its sentence: 1 at both ends, 0 in the middle."""
    words = _words(document)
    before: Ints = np.cumsum(words) - words  # words before each token
    begins = np.searchsorted(document.sentence, _sentence(candidates, document))
    return edge_closeness(before[candidates.first] - before[begins], _words_of_sentence(candidates, document))


def length_in_sentence(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return words of the phrase as a share of the words of its sentence; 1 for a heading that is the phrase."""
    return np.minimum(candidates.length / np.maximum(1, _words_of_sentence(candidates, document)), 1.0)


def without_verb(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where the sentence has no verb, else 0.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return _of_sentence(~with_verb(document), candidates, document)


def in_question(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where the sentence is a question, else 0."""
    return _of_sentence(questions(document), candidates, document)


def edge_closeness(place: Ints, number: Ints) -> Floats:
    """Return (2 place / (number - 1) - 1)², 0 where there is one place only; shapes are equal."""
    share = np.divide(2.0 * place, number - 1, out=np.ones(len(place)), where=number > 1)
    return np.asarray((share - 1) ** 2)


def _sentence(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return the number of the sentence of each first mention, (candidates,)."""
    return document.sentence[candidates.first]


def _sentences(document: AnalysedDocument) -> int:
    return int(document.sentence[-1]) + 1 if len(document) else 0


def _words(document: AnalysedDocument) -> Bools:
    """Return all tokens but signs, (tokens,)."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)


def _words_of_sentence(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return the number of words and numbers in the sentence of each first mention, (candidates,)."""
    words = np.bincount(document.sentence[_words(document)], minlength=_sentences(document))
    return np.asarray(words[_sentence(candidates, document)])


def _of_sentence(sentences: Bools, candidates: Candidates, document: AnalysedDocument) -> Floats:
    return sentences[_sentence(candidates, document)].astype(np.float64)
