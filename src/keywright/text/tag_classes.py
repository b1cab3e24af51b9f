"""Part-of-speech tags as eight classes, one letter each."""

import re
from typing import Final

import numpy as np

from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.core.errors import NeedsUnmet
from keywright.core.extras import installing

BARRIER: Final = "X"
"""Class of tokens that are in no phrase."""

_CLASSES: Final = (
    (re.compile("NN|NOUN|PROPN"), "N"),
    (re.compile("JJ|ADJ"), "J"),
    (re.compile("VB[GN]"), "G"),
    (re.compile("VB|MD|VERB|AUX"), "V"),
    (re.compile("IN$|ADP"), "I"),
    (re.compile("DT|PDT|WDT|PRP\\$|DET"), "D"),
    (re.compile("POS"), "P"),
)
_CONTENT: Final = "NJGV"


def tag_classes(document: AnalysedDocument) -> str:
    """Return one letter per token, (tokens,), from its tag; an empty document gives an empty string.

    Tags are those of the Penn Treebank or of Universal Dependencies, which share no name.


    N noun, J adjective, G gerund or past participle, V other verb form or modal, I preposition, D determiner, P the 's
    of a possessor, X everything else: adverbs, numbers, signs, addresses and formulas with any tag, and single letters
    tagged as one of N, J, G, V.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, f"analyse with a TaggedAnalyser, of the extra tags: {installing('tags')}")
    letters = np.frombuffer("".join(map(_class_of, document.tags)).encode(), np.uint8)
    classes = letters[document.tag] if len(letters) else np.zeros(0, np.uint8)
    flags = document.flags
    lone = (flags & WordFlag.LONE > 0) & np.isin(classes, np.frombuffer(_CONTENT.encode(), np.uint8))
    no_word = flags & (WordFlag.LETTER | WordFlag.SYMBOLIC) != WordFlag.LETTER
    return np.where(no_word | lone, np.uint8(ord(BARRIER)), classes).tobytes().decode("ascii")


def _class_of(tag: str) -> str:
    """Return the letter of a tag."""
    return next((letter for beginning, letter in _CLASSES if beginning.match(tag)), BARRIER)
