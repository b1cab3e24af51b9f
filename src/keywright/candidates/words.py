"""Which tokens may stand where in a candidate: masks over the tokens, (tokens,)."""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Case, SectionKind, WordFlag

CONNECTORS: Final = frozenset("of for and in on to with by from the a an de du des la le les et von und der".split())
"""Function words that stand inside keyphrases: *quality of service*, *peer to peer*."""

_APPARATUS: Final = [
    kind.code
    for kind in (
        SectionKind.AUTHORS,
        SectionKind.METADATA,
        SectionKind.ACKNOWLEDGEMENTS,
        SectionKind.REFERENCES,
        SectionKind.NOTICE,
    )
]


def content_words(document: AnalysedDocument) -> Bools:
    """Words with a letter, of two characters or more, that are no stop words, addresses or formulas."""
    other = WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE
    wanted: Bools = document.word_flags & (WordFlag.LETTER | other) == WordFlag.LETTER
    return wanted[document.word]


def content_words_and_capitals(document: AnalysedDocument) -> Bools:
    """Content words, and stop words in capitals, which are names: *WHO*, *IT*, *US*.

    Sentences with half of their words in capitals do not count: there they are headings.
    """
    letters = document.flags & WordFlag.LETTER > 0
    capitals = letters & (document.case == Case.UPPER)
    sentences = int(document.sentence.max(initial=-1)) + 1
    words = np.bincount(document.sentence[letters], minlength=sentences)
    loud = 2 * np.bincount(document.sentence[capitals], minlength=sentences) >= words
    named = capitals & (document.flags & WordFlag.STOP > 0) & ~loud[document.sentence]
    return np.asarray(content_words(document) | named, bool)


def content_words_and_connectors(document: AnalysedDocument) -> Bools:
    """Content words, and the few function words that stand inside keyphrases."""
    connects = np.fromiter((word in CONNECTORS for word in document.words), bool, len(document.words))
    mask: Bools = content_words(document) | connects[document.word]
    return mask


def words_and_numbers(document: AnalysedDocument) -> Bools:
    """Everything but signs: stop words and numbers too."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)


def stop_words(document: AnalysedDocument) -> Bools:
    """Stop words alone."""
    return np.asarray(document.flags & WordFlag.STOP > 0, bool)


def signs(document: AnalysedDocument) -> Bools:
    """Punctuation and other signs alone."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION > 0, bool)


def signs_and_stop_words(document: AnalysedDocument) -> Bools:
    """What a crude pre-processing throws away before it forms n-grams."""
    return np.asarray(document.flags & (WordFlag.PUNCTUATION | WordFlag.STOP) > 0, bool)


def running_text(document: AnalysedDocument) -> Bools:
    """What the paper itself says: no list of references, no authors, metadata, acknowledgements or licence."""
    return np.isin(document.section, _APPARATUS, invert=True)
