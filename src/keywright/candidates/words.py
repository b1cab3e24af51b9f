"""Which tokens may stand where in a candidate: masks over the tokens, (tokens,)."""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument, Case, SectionKind, WordFlag

CONNECTORS: Final = frozenset("of for and in on to with by from the a an de du des la le les et von und der".split())
"""Function words that stand inside keyphrases: *quality of service*, *peer to peer*."""

CONNECTORS_OF: Final = {
    "de": frozenset("der des von und für".split()),
    "es": frozenset("de del la las el los en y con a".split()),
    "fr": frozenset("de du des d' la le les l' à au aux en et".split()),
    "it": frozenset("di del dello della dei degli delle dell' dall' d' la il l' in e a al alla con".split()),
    "pt": frozenset("de do da dos das em no na e com a o à ao".split()),
}
"""The same of languages in which many keyphrases have one: *droit d'auteur*, *calidad del agua*."""

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


def content_words(document: AnalysedDocument) -> Bools:
    """Words with a letter, of two characters or more, that are no stop words, addresses or formulas."""
    mask: Bools = _content_forms(document)[document.word]
    return mask


def _content_forms(document: AnalysedDocument) -> Bools:
    """Which word forms are content words, (words,)."""
    return np.asarray(document.word_flags & (_LETTER | _OTHER) == _LETTER, bool)


def content_words_and_capitals(document: AnalysedDocument) -> Bools:
    """Content words, and stop words in capitals, which are names: *WHO*, *IT*, *US*.

    Sentences with half of their words in capitals do not count: there they are headings.
    """
    content = content_words(document)
    upper = document.case == Case.UPPER
    stop = upper & (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word]
    if not stop.any():
        return content
    letters = (document.word_flags & _LETTER > 0)[document.word]
    words, capitals = (np.bincount(document.sentence[some]) for some in (letters, letters & upper))
    quiet = words > 2 * np.append(capitals, np.zeros(len(words) - len(capitals), np.int64))
    return np.asarray(content | (stop & quiet[document.sentence.clip(max=len(quiet) - 1)]), bool)


def content_words_and_connectors(document: AnalysedDocument) -> Bools:
    """Content words, and the few function words that stand inside keyphrases of the document's language."""
    known = CONNECTORS_OF.get(document.source.language or "en", CONNECTORS)
    connects = np.fromiter(map(known.__contains__, document.words), bool, len(document.words))
    mask: Bools = (_content_forms(document) | connects)[document.word]
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
