"""Masks of tokens for candidates, (tokens,): content words, connectors, stop words, signs."""

from functools import lru_cache
from importlib import resources
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument, Case, SectionKind, WordFlag
from keywright.text.tag_lexicon import tag_classes
from keywright.text.tokens import read_section

CONNECTORS: Final = frozenset("of for and in on to with by from the a an de du des la le les et von und der".split())
"""Function words inside keyphrases: *quality of service*, *peer to peer*; collected by hand."""

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


def content_words(document: Analysed) -> Bools:
    """Return words with a letter and at least two characters, without stop words, addresses and formulas."""
    return np.asarray(_content_forms(document)[document.word])


def _content_forms(document: Analysed) -> Bools:
    """Return whether each word form is a content word, (words,)."""
    return np.asarray(document.word_flags & (_LETTER | _OTHER) == _LETTER, bool)


def content_words_and_capitals(document: Analysed) -> Bools:
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


def content_words_and_connectors(document: Analysed) -> Bools:
    """Return content words, and function words inside keyphrases of the document's language."""
    language = document.language or "en"
    connectors = CONNECTORS if language == "en" else read_section("connectors.txt", language)
    connects = np.fromiter(map(connectors.__contains__, document.words), bool, len(document.words))
    return np.asarray((_content_forms(document) | connects)[document.word])


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


_LINKS: Final = ("of", "for", "in")
_PHRASE: Final = "NJG"


@lru_cache(maxsize=1)
def skill_types() -> tuple[str, ...]:
    """Return 81 general English scientific nouns in the singular, mined by ``tools/train/mine_skill_types.py``."""
    text = resources.files("keywright.extraction.candidates").joinpath("skill_types_en.txt").read_text("utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def word_and_plurals(word: str) -> tuple[str, ...]:
    """Return an English noun and all forms that a regular plural may have: *analysis*, *analysiss*, ... *analyses*."""
    changed = [word.removesuffix(end) + plural for end, plural in (("y", "ies"), ("is", "es")) if word.endswith(end)]
    return (word, word + "s", word + "es", *changed)


def beside_skill_type(candidates: Candidates, document: AnalysedDocument, *, heads: bool = True) -> Bools:
    """Return whether each mention is beside a skill type, (occurrences,).

    A whole run of nouns, adjectives and participles is beside a skill type that follows it (*sensor network* in *sensor
    network protocol*) or precedes it with *of*, *for* or *in* and possibly a determiner (*analysis of the protocol*).
    With ``heads`` a phrase of several words that ends with a skill type counts as well (*sensor network protocol*).
    """
    letters = np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)
    skill = _forms(document, tuple(form for word in skill_types() for form in word_and_plurals(word)))
    skill = skill & (letters == ord("N"))
    link, determiner = _forms(document, _LINKS), letters == ord("D")
    content = np.isin(letters, np.frombuffer(_PHRASE.encode(), np.uint8))
    begin, end = candidates.positions, candidates.positions + candidates.widths

    def at(mask: Bools, place: Ints) -> Bools:
        """Return a mask at some tokens, false outside of the mention's sentence."""
        inside = np.clip(place, 0, max(0, len(document) - 1))
        same = (place == inside) & (document.sentence[inside] == document.sentence[begin])
        return np.asarray(same & mask[inside])

    before = at(skill, end) & ~at(content, begin - 1)
    linked = at(skill, begin - 2) & at(link, begin - 1)
    linked |= at(skill, begin - 3) & at(link, begin - 2) & at(determiner, begin - 1)
    beside = before | (linked & ~at(content, end))
    return np.asarray(beside | (skill[end - 1] & (candidates.widths > 1))) if heads else beside


def _forms(document: AnalysedDocument, forms: tuple[str, ...]) -> Bools:
    """Return whether each token is one of these lower-case words, (tokens,)."""
    wanted = frozenset(forms)
    return np.fromiter((word in wanted for word in document.words), bool, len(document.words))[document.word]
