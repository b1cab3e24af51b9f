"""Phrases by their part-of-speech tags: patterns over one letter per token, and noun chunks."""

from typing import Final

from keywright.candidates.patterns import class_phrases
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import tag_classes

__all__ = ["noun_chunks", "tag_classes", "tag_phrases"]

_NOUN_CHUNK: Final = "[JNG]*N"


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
