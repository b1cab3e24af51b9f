"""Sentences of a text, as the analyser divides it, and their kinds: questions, and sentences with a verb."""

from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Document
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.spelling import CONJUNCTIONS
from keywright.text.tag_lexicon import tag_classes


def split_sentences(text: str, language: str | None = None) -> tuple[str, ...]:
    """Return the sentences of a text as ``TextAnalyser`` ends them, trimmed; none for white space.

    >>> split_sentences("Tides rise. Gauges see them.")
    ('Tides rise.', 'Gauges see them.')
    """
    columns = _analyser(language or "en").analyse(Document("", text))
    first = np.flatnonzero(np.diff(columns.sentence, prepend=-1))
    borders = [0, *columns.start[first[1:]].tolist(), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(borders))
    return tuple(piece for piece in pieces if piece)


_analyser: Final = cache(TextAnalyser)
QUESTION_MARKS: Final = "?؟？"
QUESTION_WORDS: Final = {
    "ar": frozenset(
        sign + word for sign in CONJUNCTIONS for word in "هل ماذا لماذا بماذا متى أين اين كيف كم أي أية مم عم".split()
    ),
    "en": frozenset("what which who whom whose when where why how".split()),
}
"""First words of questions by language, from grammars; words that mostly mean something else are left out."""


def find_questions(document: AnalysedDocument) -> Bools:
    """Return whether each sentence is a question, (sentences,): by its mark, or by its first word in some languages."""
    words = QUESTION_WORDS.get(document.source.language or "en", frozenset())
    asking = np.fromiter((any(mark in word for mark in QUESTION_MARKS) for word in document.words), bool)
    opening = np.fromiter((word in words for word in document.words), bool)
    first = np.diff(document.sentence, prepend=-1) > 0
    return _any_in_sentence(asking[document.word] | (opening[document.word] & first), document)


def find_with_verb(document: AnalysedDocument) -> Bools:
    """Return whether sentences have a verb, in English also as gerund; ``NeedsUnmet`` without tags."""
    classes = np.frombuffer(tag_classes(document).encode("ascii"), "S1")
    return _any_in_sentence(np.isin(classes, [b"V", b"G"]), document)


def _any_in_sentence(tokens: Bools, document: AnalysedDocument) -> Bools:
    """Return whether a mask of tokens marks any in each sentence, (sentences,); sentences without tokens have none."""
    number = int(document.sentence[-1]) + 1 if len(document) else 0
    return np.bincount(document.sentence[tokens], minlength=number) > 0
