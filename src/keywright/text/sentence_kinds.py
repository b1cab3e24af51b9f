"""Kinds of sentences: questions, and sentences with a verb."""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument
from keywright.text.arabic.clitics import CONJUNCTIONS
from keywright.text.tag_classes import tag_classes

QUESTION_MARKS: Final = "?؟？"
QUESTION_WORDS: Final = {
    "ar": frozenset(
        conjunction + word
        for conjunction in CONJUNCTIONS
        for word in "هل ماذا لماذا بماذا متى أين اين كيف كم من ما أي أية لم مم عم".split()
        if word not in {"من", "ما", "لم"}  # from, that which, did not: rarely who, what, why
    ),
    "en": frozenset("what which who whom whose when where why how".split()),
}
"""First words of questions by language, from grammars; words that mostly mean something else are left out."""

_VERBS: Final = ("V", "G")


def questions(document: AnalysedDocument) -> Bools:
    """Return whether each sentence is a question, (sentences,): by its mark, or by its first word in some languages.

    >>> from keywright.text.analyser import TextAnalyser
    >>> from keywright.core.documents import Document
    >>> questions(TextAnalyser("ar").analyse(Document("d", "هل زرت القرى؟ القرية بعيدة."))).tolist()
    [True, False]
    """
    words = QUESTION_WORDS.get(document.source.language or "en", frozenset())
    asking = np.fromiter((any(mark in word for mark in QUESTION_MARKS) for word in document.words), bool)
    opening = np.fromiter((word in words for word in document.words), bool)
    first = np.diff(document.sentence, prepend=-1) > 0
    return _any_in_sentence(asking[document.word] | (opening[document.word] & first), document)


def with_verb(document: AnalysedDocument) -> Bools:
    """Return whether each sentence has a verb, (sentences,); gerunds and participles count in English.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    classes = np.frombuffer(tag_classes(document).encode("ascii"), "S1")
    return _any_in_sentence(np.isin(classes, [letter.encode() for letter in _VERBS]), document)


def _any_in_sentence(tokens: Bools, document: AnalysedDocument) -> Bools:
    """Return whether a mask of tokens marks any in each sentence, (sentences,); sentences without tokens have none."""
    number = int(document.sentence[-1]) + 1 if len(document) else 0
    return np.bincount(document.sentence[tokens], minlength=number) > 0
