"""Normal forms of evalHulth2003 and of keyphrase generation: phrases as tokens with blanks between them.

Lemmas of contractions may contain a blank (``going to``), which becomes a no-break space, so that a run of tokens is a
substring between blanks. The modern forms use current tools: a phrase is normalised (Unicode NFKC) and split into
keywright's parts of words, so that ``out-of-print`` and the collection's own ``out - of - print`` are equal; lemmas are
those of simplemma, stems those of Porter's algorithm in Martin's variant, both of lower-case words.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from keywright.core.errors import needs_extra
from keywright.evaluation.normal_forms.porter import nltk_stem
from keywright.evaluation.normal_forms.spacy2 import split_chunks, tokenise_chunk
from keywright.evaluation.rules import AcceptForms, Form
from keywright.text.keys import PARTS
from keywright.text.stems import semeval_stem
from keywright.text.tokens import NUMBER, SIGNS, WORDS, normal_form

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


UNKNOWN: Final = "<unk>"
_TOKEN: Final = re.compile(rf"<[a-z_]+>|[a-z0-9]+|{SIGNS}")


def blank_tokens(phrase: str) -> Form:
    """Return the phrase without white space around it: its tokens are separated by single blanks."""
    return phrase.strip()


def blank_stems(phrase: str) -> Form:
    """Lower-case and stem (NLTK) each token between single blanks; two blanks in a row make an empty token."""
    return " ".join(map(nltk_stem, phrase.strip().lower().split(" ")))


@lru_cache(maxsize=1 << 16)
def _stem_token(token: str) -> str:
    """Return the stem of an ASCII token, the normal form of any other, one sign for every number."""
    if token.isdecimal():
        return NUMBER
    return nltk_stem(token) if token.isascii() else normal_form(token)


def published_stems(text: str) -> Form:
    """Stem (NLTK) text tokenised as the published files are: lower case, runs of letters and digits, a few signs alone.

    Every other character separates tokens; numbers become ``<digit>``. Text that was tokenised so before is unchanged.
    """
    return " ".join(map(_stem_token, _TOKEN.findall(text.lower())))


def published_tokens(text: str) -> Form:
    """Tokenise text as ``published_stems`` does, without stemming: for gold that ships stemmed."""
    return " ".join(NUMBER if token.isdecimal() else token for token in _TOKEN.findall(text.lower()))


def stems_of_any_script(text: str) -> Form:
    """Apply ``published_stems`` to texts of any script; only ASCII words are stemmed, and the two are equal there."""
    tokens = _TOKEN if text.isascii() else WORDS
    return " ".join(map(_stem_token, tokens.findall(text.lower())))


def tokens_of_any_script(text: str) -> Form:
    """Tokenise text as ``stems_of_any_script`` does, without stemming: for gold that ships stemmed."""
    if text.isascii():
        return published_tokens(text)
    tokens = WORDS.findall(text.lower())
    return " ".join(NUMBER if token.isdecimal() else normal_form(token) for token in tokens)


_PUNCTUATION: Final = frozenset(",.")  # tokens by which Chan's evaluator recognises a phrase that is not valid
valid: Final = AcceptForms("valid", refused=_PUNCTUATION)
valid_not_empty: Final = AcceptForms("valid_not_empty", empty=False, refused=_PUNCTUATION)
known_words: Final = AcceptForms("known", refused=frozenset({UNKNOWN}))
valid_and_known: Final = AcceptForms("valid_and_known", refused=_PUNCTUATION | {UNKNOWN})
valid_known_not_empty: Final = AcceptForms("telling", empty=False, refused=valid_and_known.refused)
