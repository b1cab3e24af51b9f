"""Phrases by their part-of-speech tags: patterns over one letter per token, and noun chunks."""

import re
from typing import Final

import numpy as np

from keywright.candidates.patterns import BARRIER, class_phrases
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.core.errors import NeedsUnmet

_CLASSES: Final = (
    (re.compile("NN"), "N"),
    (re.compile("JJ"), "J"),
    (re.compile("VB[GN]"), "G"),
    (re.compile("VB|MD"), "V"),
    (re.compile("IN$"), "I"),
    (re.compile("DT|PDT|WDT|PRP\\$"), "D"),
    (re.compile("POS"), "P"),
)
_CONTENT: Final = "NJGV"
_NOUN_CHUNK: Final = "[JNG]*N"


def tag_classes(document: AnalysedDocument) -> str:
    """One letter per token, (tokens,), from its Penn tag; an empty document gives an empty string.

    N noun, J adjective, G gerund or past participle, V other verb form or modal, I preposition, D determiner, P the 's
    of a possessor, X whatever else: adverbs, numbers, signs, addresses and formulas however they are tagged, and single
    letters that are tagged as one of N, J, G, V.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, "pip install 'keywright[tags]', and analyse with a TaggedAnalyser")
    letters = np.frombuffer("".join(map(_class_of, document.tags)).encode(), np.uint8)
    classes = letters[document.tag] if len(letters) else np.zeros(0, np.uint8)
    flags = document.flags
    lone = (flags & WordFlag.LONE > 0) & np.isin(classes, np.frombuffer(_CONTENT.encode(), np.uint8))
    no_word = flags & (WordFlag.LETTER | WordFlag.SYMBOLIC) != WordFlag.LETTER
    return np.where(no_word | lone, np.uint8(ord(BARRIER)), classes).tobytes().decode("ascii")


def tag_phrases(document: AnalysedDocument, pattern: str, longest: int, *, maximal: bool = False) -> Candidates:
    """Runs of tokens inside a sentence whose classes match a pattern; an empty document gives none.

    Args:
        document: the analysed document, with tags.
        pattern: a regular expression over the letters of ``tag_classes``, which a whole run must match. A run never
            holds an X.
        longest: most tokens of a run.
        maximal: only runs that do not overlap: from the left, the longest that begins there, and so on behind its end.
            All runs otherwise.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return class_phrases(document, tag_classes(document), pattern, longest, maximal=maximal)


def noun_chunks(document: AnalysedDocument, longest: int) -> Candidates:
    """Nouns with the adjectives, participles and nouns before them, as long as they get, without determiners.

    A chunk of more than ``longest`` tokens falls into pieces, from the left.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return tag_phrases(document, _NOUN_CHUNK, longest, maximal=True)


def _class_of(tag: str) -> str:
    """Letter of a Penn tag."""
    return next((letter for beginning, letter in _CLASSES if beginning.match(tag)), BARRIER)
