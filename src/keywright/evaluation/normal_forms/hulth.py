"""The four forms in which evalHulth2003 compares phrases, each a function from a phrase to its tokens joined by blanks.

Lemmas of contractions may contain a blank (``going to``), which becomes a no-break space, so that a run of tokens is a
substring between blanks. The modern forms use current tools: a phrase is normalised (Unicode NFKC) and split into
keywright's parts of words, so that ``out-of-print`` and the collection's own ``out - of - print`` are equal; lemmas are
those of simplemma, stems those of Porter's algorithm in Martin's variant, both of lower-case words.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from keywright.core.errors import needs_extra
from keywright.evaluation.normal_forms.porter import nltk_stem
from keywright.evaluation.normal_forms.spacy2 import split_chunks, tokenise_chunk
from keywright.evaluation.rules import Form
from keywright.text.keys import PARTS
from keywright.text.stems import semeval_stem
from keywright.text.tokens import normal_form

_CACHED: Final = 1 << 16  # phrases, chunks between white space, and words whose forms are cached; arbitrary
_NO_BREAK: Final = "\u00a0"


@lru_cache(maxsize=_CACHED)
def spacy2_tokens(phrase: str) -> Form:
    """Return tokens, case kept.

    >>> spacy2_tokens("Peer-to-peer (P2P) nets")
    'Peer - to - peer ( P2P ) nets'
    """
    return " ".join([token for chunk in split_chunks(phrase) for token, _ in tokenise_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def spacy2_lower(phrase: str) -> Form:
    """Return tokens in lower case."""
    return " ".join(map(_lower_chunk, split_chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def spacy2_lemmas(phrase: str) -> Form:
    """Look up lemmas in the table, then lower-case them.

    >>> spacy2_lemmas("Mice and data"), spacy2_lemmas("mice")
    ('mice and datum', 'mouse')
    """
    return " ".join(map(_lemmatise_chunk, split_chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def nltk325_stems(phrase: str) -> Form:
    """Stem tokens as NLTK 3.2.5 does: words of one or two characters keep their case."""
    return " ".join(map(_stem_chunk, split_chunks(phrase)))


@lru_cache(maxsize=_CACHED)
def _lower_chunk(chunk: str) -> str:
    return " ".join([token.lower() for token, _ in tokenise_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def _lemmatise_chunk(chunk: str) -> str:
    lowered = [lemma.lower() for _, lemma in tokenise_chunk(chunk)]
    return " ".join([lemma.replace(" ", _NO_BREAK) if lemma.strip() else lemma for lemma in lowered])


@lru_cache(maxsize=_CACHED)
def _stem_chunk(chunk: str) -> str:
    return " ".join([nltk_stem(token) for token, _ in tokenise_chunk(chunk)])


@lru_cache(maxsize=_CACHED)
def modern_words(phrase: str) -> Form:
    """Return parts of words, case kept.

    >>> modern_words("Peer-to-peer (P2P) nets")
    'Peer to peer P2P nets'
    """
    return " ".join(PARTS.findall(unicodedata.normalize("NFKC", phrase)))


@lru_cache(maxsize=_CACHED)
def modern_lower(phrase: str) -> Form:
    """Return parts of words in normal form, which is lower case."""
    return " ".join(PARTS.findall(normal_form(phrase)))


@lru_cache(maxsize=_CACHED)
def modern_lemmas(phrase: str) -> Form:
    """Return lemmas of simplemma, in lower case."""
    return " ".join(map(_lemmatise_word, modern_lower(phrase).split()))


@lru_cache(maxsize=_CACHED)
def modern_stems(phrase: str) -> Form:
    """Return stems of lower-case words (Martin's variant of Porter's algorithm)."""
    return " ".join(map(semeval_stem, modern_lower(phrase).split()))


@lru_cache(maxsize=_CACHED)
def _lemmatise_word(word: str) -> str:
    with needs_extra("eval", "modern lemmas need the package simplemma"):
        import simplemma  # noqa: PLC0415 - an extra, and only lemmas need it
    lemma: str = simplemma.lemmatize(word, lang="en")
    return lemma.lower()
