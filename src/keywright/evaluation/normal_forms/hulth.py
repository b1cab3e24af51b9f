"""The four forms in which evalHulth2003 compares phrases, each a function from a phrase to its tokens joined by blanks.

Tokens contain no blank, but lemmas of contractions may (``going to``). There it becomes a no-break space, so that equal
forms are equal sequences of tokens, and a run of tokens is a substring between blanks.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from keywright.evaluation.normal_forms.nltk325_porter import nltk_stem
from keywright.evaluation.normal_forms.spacy2.tokenizer import chunks, tokens_of_chunk

if TYPE_CHECKING:  # the rules load more than the old tool's eight numbers need
    from keywright.evaluation.rules import Form

_CACHED = 1 << 16
"""Phrases, and chunks between white space, whose forms are cached; arbitrary."""
_NO_BREAK = "\u00a0"


@lru_cache(maxsize=_CACHED)
def spacy2_tokens(phrase: str) -> "Form":
    """Return tokens, case kept.

    >>> spacy2_tokens("Peer-to-peer (P2P) nets")
    'Peer - to - peer ( P2P ) nets'
    """
    return " ".join([token for chunk in chunks(phrase) for token, _ in tokens_of_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def spacy2_lower(phrase: str) -> "Form":
    """Return tokens in lower case."""
    return " ".join(map(_lower, chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def spacy2_lemmas(phrase: str) -> "Form":
    """Look up lemmas in the table, then lower-case them.

    >>> spacy2_lemmas("Mice and data"), spacy2_lemmas("mice")
    ('mice and datum', 'mouse')
    """
    return " ".join(map(_lemmas, chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def nltk325_stems(phrase: str) -> "Form":
    """Stem tokens as NLTK 3.2.5 does: words of one or two characters keep their case."""
    return " ".join(map(_stems, chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def _lower(chunk: str) -> str:
    return " ".join([token.lower() for token, _ in tokens_of_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def _lemmas(chunk: str) -> str:
    lowered = [lemma.lower() for _, lemma in tokens_of_chunk(chunk)]
    return " ".join([lemma.replace(" ", _NO_BREAK) if lemma.strip() else lemma for lemma in lowered])


@lru_cache(maxsize=_CACHED)
def _stems(chunk: str) -> str:
    return " ".join([nltk_stem(token) for token, _ in tokens_of_chunk(chunk)])
