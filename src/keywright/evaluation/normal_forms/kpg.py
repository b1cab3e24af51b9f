"""Normal forms and filters of keyphrase generation: phrases as tokens with blanks between them."""

import re
from functools import lru_cache
from typing import Final

from keywright.evaluation.normal_forms.porter import nltk_stem
from keywright.evaluation.rules import AcceptForms, Form
from keywright.text.tokens import NUMBER, SIGNS, WORDS, normal_form

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
