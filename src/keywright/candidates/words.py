"""Masks of tokens for candidates, (tokens,): content words, connectors, stop words, signs."""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Case, SectionKind, WordFlag

CONNECTORS: Final = frozenset("of for and in on to with by from the a an de du des la le les et von und der".split())
"""Function words inside keyphrases: *quality of service*, *peer to peer*; collected by hand."""

CONNECTORS_OF: Final = {
    "de": frozenset("der des von und für".split()),
    "es": frozenset("de del la las el los en y con a".split()),
    "fr": frozenset("de du des d' la le les l' à au aux en et".split()),
    "it": frozenset("di del dello della dei degli delle dell' dall' d' la il l' in e a al alla con".split()),
    "pt": frozenset("de do da dos das em no na e com a o à ao".split()),
}
"""Function words inside keyphrases of languages where they are common: *droit d'auteur*; collected by hand."""

_LETTER, _STOP_WORD = int(WordFlag.LETTER), int(WordFlag.LETTER | WordFlag.STOP)
_OTHER = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)

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
"""Sections that are not the paper's own text."""


def content_words(document: AnalysedDocument) -> Bools:
    """Return words with a letter and at least two characters, without stop words, addresses and formulas."""
    mask: Bools = _content_forms(document)[document.word]
    return mask


def _content_forms(document: AnalysedDocument) -> Bools:
    """Return whether each word form is a content word, (words,)."""
    return np.asarray(document.word_flags & (_LETTER | _OTHER) == _LETTER, bool)


def content_words_and_capitals(document: AnalysedDocument) -> Bools:
    """Return content words, and stop words in capitals, which are names: *WHO*, *IT*, *US*.

    Sentences with at least half of their words in capitals do not count: they are headings.
    """
    content = content_words(document)
    upper = document.case == Case.UPPER
    stop = upper & (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word]
    if not stop.any():
        return content
    letters = (document.word_flags & _LETTER > 0)[document.word]
    words, capitals = (np.bincount(document.sentence[mask]) for mask in (letters, letters & upper))
    quiet = words > 2 * np.append(capitals, np.zeros(len(words) - len(capitals), np.int64))
    return np.asarray(content | (stop & quiet[document.sentence.clip(max=len(quiet) - 1)]), bool)


def content_words_and_connectors(document: AnalysedDocument) -> Bools:
    """Return content words, and function words inside keyphrases of the document's language."""
    connectors = CONNECTORS_OF.get(document.source.language or "en", CONNECTORS)
    connects = np.fromiter(map(connectors.__contains__, document.words), bool, len(document.words))
    mask: Bools = (_content_forms(document) | connects)[document.word]
    return mask


def words_and_numbers(document: AnalysedDocument) -> Bools:
    """Return all tokens but signs."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)


def stop_words(document: AnalysedDocument) -> Bools:
    """Return stop words."""
    return np.asarray(document.flags & WordFlag.STOP > 0, bool)


def signs(document: AnalysedDocument) -> Bools:
    """Return punctuation and other signs."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION > 0, bool)


def signs_and_stop_words(document: AnalysedDocument) -> Bools:
    """Return signs and stop words."""
    return np.asarray(document.flags & (WordFlag.PUNCTUATION | WordFlag.STOP) > 0, bool)


def running_text(document: AnalysedDocument) -> Bools:
    """Return the paper's own text, without references, authors, metadata, acknowledgements and licence."""
    return np.isin(document.section, _APPARATUS, invert=True)
