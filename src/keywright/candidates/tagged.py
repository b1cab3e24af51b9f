"""Phrases by part-of-speech tags: patterns over one letter per token, and noun chunks."""

from typing import Final

import numpy as np

from keywright.candidates.patterns import class_phrases
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import BARRIER, tag_classes

_NOUN_CHUNK: Final = "[JNG]*N"


def tag_phrases(
    document: AnalysedDocument, pattern: str, longest: int, *, maximal: bool = False, allowed: Bools | None = None
) -> Candidates:
    """Return runs of tokens inside a sentence whose classes match a pattern.

    Args:
        document: the analysed document, with tags.
        pattern: a regular expression over the letters of ``tag_classes``, which a whole run must match.
        longest: maximum tokens of a run.
        maximal: whether only runs that do not overlap are returned, see ``class_phrases``.
        allowed: tokens of runs, (tokens,); all when None.
    """
    classes = tag_classes(document)
    if allowed is not None:
        letters = np.frombuffer(classes.encode("ascii"), "S1")
        classes = np.where(allowed, letters, BARRIER.encode("ascii")).tobytes().decode("ascii")
    return class_phrases(document, classes, pattern, longest, maximal=maximal)


def noun_chunks(document: AnalysedDocument, longest: int) -> Candidates:
    """Return nouns with all adjectives, participles and nouns before them, without determiners.

    A chunk of more than ``longest`` tokens is split, from the left.
    """
    return tag_phrases(document, _NOUN_CHUNK, longest, maximal=True)
