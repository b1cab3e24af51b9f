"""The four forms with current tools instead of spaCy 2.0.11's table and NLTK 3.2.5.

A phrase is normalised (Unicode NFKC) and split into keywright's parts of words: compounds come apart and signs vanish,
so that ``out-of-print`` and the collection's own ``out - of - print`` are equal. Lemmas are those of simplemma, stems
those of Porter's algorithm in Martin's variant; both are made of lower-case words, short ones included.
"""

import unicodedata
from functools import lru_cache

from keywright.core.extras import needs_extra
from keywright.evaluation.rules import Form
from keywright.text.keys import PARTS, normal_form
from keywright.text.stems import semeval_stem

_PHRASES = 1 << 16
"""Phrases (and words) whose forms are cached; arbitrary."""


@lru_cache(maxsize=_PHRASES)
def modern_words(phrase: str) -> Form:
    """Return parts of words, case kept.

    >>> modern_words("Peer-to-peer (P2P) nets")
    'Peer to peer P2P nets'
    """
    return " ".join(PARTS.findall(unicodedata.normalize("NFKC", phrase)))


@lru_cache(maxsize=_PHRASES)
def modern_lower(phrase: str) -> Form:
    """Return parts of words in normal form, which is lower case."""
    return " ".join(PARTS.findall(normal_form(phrase)))


@lru_cache(maxsize=_PHRASES)
def modern_lemmas(phrase: str) -> Form:
    """Return lemmas of simplemma, in lower case."""
    return " ".join(map(_lemma, modern_lower(phrase).split()))


@lru_cache(maxsize=_PHRASES)
def modern_stems(phrase: str) -> Form:
    """Return stems of lower-case words (Martin's variant of Porter's algorithm)."""
    return " ".join(map(semeval_stem, modern_lower(phrase).split()))


@lru_cache(maxsize=_PHRASES)
def _lemma(word: str) -> str:
    with needs_extra("eval", "modern lemmas need the package simplemma"):
        import simplemma  # noqa: PLC0415 - an extra, and only lemmas need it
    lemma: str = simplemma.lemmatize(word, lang="en")
    return lemma.lower()
