"""Phrases by their part-of-speech tags: patterns over one letter per token, and noun chunks."""

import re
from typing import Final

import numpy as np

from keywright.candidates.grouping import grouped
from keywright.candidates.ngrams import ngram_occurrences
from keywright.core.arrays import Bools, Ints
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
_NO_WORD: Final = "X"
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
    return _classes(document).tobytes().decode("ascii")


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
    classes = _classes(document)
    inside = classes != ord(_NO_WORD)
    key, position, width = ngram_occurrences(document, longest, lambda _: inside)
    kept = _matches(classes, position, width, re.compile(pattern))
    if maximal:
        kept[kept] = _leftmost_longest(position[kept], width[kept])
    return grouped(key[kept], position[kept], width[kept])


def noun_chunks(document: AnalysedDocument, longest: int) -> Candidates:
    """Nouns with the adjectives, participles and nouns before them, as long as they get, without determiners.

    A chunk of more than ``longest`` tokens falls into pieces, from the left.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return tag_phrases(document, _NOUN_CHUNK, longest, maximal=True)


def _classes(document: AnalysedDocument) -> Ints:
    """Codes of the letters, (tokens,)."""
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, "pip install 'keywright[tags]', and analyse with a TaggedAnalyser")
    letters = np.frombuffer("".join(map(_class_of, document.tags)).encode(), np.uint8)
    classes = letters[document.tag] if len(letters) else np.zeros(0, np.uint8)
    flags = document.flags
    lone = (flags & WordFlag.LONE > 0) & np.isin(classes, np.frombuffer(_CONTENT.encode(), np.uint8))
    no_word = flags & (WordFlag.LETTER | WordFlag.SYMBOLIC) != WordFlag.LETTER
    return np.where(no_word | lone, np.uint8(ord(_NO_WORD)), classes)


def _class_of(tag: str) -> str:
    """Letter of a Penn tag."""
    return next((letter for beginning, letter in _CLASSES if beginning.match(tag)), _NO_WORD)


def _matches(classes: Ints, position: Ints, width: Ints, pattern: re.Pattern[str]) -> Bools:
    """Which runs match, (runs,). A document has few distinct runs of classes, so each is matched once."""
    kept = np.zeros(len(position), bool)
    for tokens in np.unique(width).tolist():
        these = np.flatnonzero(width == tokens)
        runs = classes[position[these, None] + np.arange(tokens)].view(f"S{tokens}").ravel()
        distinct, which = np.unique(runs, return_inverse=True)
        fits = np.array([pattern.fullmatch(run.decode()) is not None for run in distinct.tolist()], bool)
        kept[these] = fits[which]
    return kept


def _leftmost_longest(position: Ints, width: Ints) -> Bools:
    """Which runs remain when each takes its tokens from those that begin inside it, (runs,).

    Args:
        position: ascending, (runs,).
        width: ascending within equal positions, (runs,).
    """
    kept = np.zeros(len(position), bool)
    longest = np.flatnonzero(np.diff(position, append=-1) != 0)
    behind = 0
    # Whether a run remains depends on the one before it, so they are taken one by one; only matching runs come here.
    for run, start, tokens in zip(longest.tolist(), position[longest].tolist(), width[longest].tolist(), strict=True):
        if start >= behind:
            kept[run] = True
            behind = start + tokens
    return kept
