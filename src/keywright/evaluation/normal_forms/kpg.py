"""Normal forms and filters of keyphrase generation: phrases as tokens with blanks between them."""

import re
from functools import lru_cache
from typing import Final

from keywright.evaluation.normal_forms.nltk325_porter import nltk_stem
from keywright.evaluation.rules import Form
from keywright.text.normal import HAN, HIRAGANA, KATAKANA, SPACED_CHARACTER, normal_form

UNKNOWN: Final = "<unk>"
_KEPT: Final = re.compile(r"<[a-z_]+>|[a-z0-9]+|[_<>,().'%]")
_ANY_KEPT: Final = re.compile(
    rf"<[a-z_]+>|[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*|[_<>,().'%]"
)
_NUMBER: Final = "<digit>"


def blank_tokens(phrase: str) -> Form:
    """The phrase itself without white space around it: its tokens are what stands between single blanks."""
    return phrase.strip()


def blank_stems(phrase: str) -> Form:
    """Tokens between single blanks in lower case, each with its stem by NLTK; two blanks make an empty token."""
    return " ".join(map(nltk_stem, phrase.strip().lower().split(" ")))


@lru_cache(maxsize=1 << 16)
def _token(token: str) -> str:
    """The stem of a token, one sign for any number."""
    return _NUMBER if token.isdecimal() else nltk_stem(token)


def published_stems(text: str) -> Form:
    """Stems by NLTK of text cut as the published files are: lower case, runs of letters and digits, a few signs alone.

    Every other character stands between tokens; numbers become ``<digit>``. A text that was cut so before stays as it
    is, so that raw papers and published line files have the same forms.
    """
    return " ".join(map(_token, _KEPT.findall(text.lower())))


def published_tokens(text: str) -> Form:
    """Text cut as ``published_stems`` cuts it, its words as they are: for gold that ships stemmed."""
    return " ".join(_NUMBER if token.isdecimal() else token for token in _KEPT.findall(text.lower()))


def stems_of_any_script(text: str) -> Form:
    """``published_stems`` for texts of all scripts; of plain ASCII it is the same.

    A word keeps its letters and marks in the normal form of ``text.normal``; only ASCII words are stemmed. Scripts
    without blanks are cut as the tokeniser cuts them.
    """
    return published_stems(text) if text.isascii() else " ".join(map(_any_token, _ANY_KEPT.findall(text.lower())))


def tokens_of_any_script(text: str) -> Form:
    """Text cut as ``stems_of_any_script`` cuts it, its words not stemmed: for gold that ships stemmed."""
    if text.isascii():
        return published_tokens(text)
    found = _ANY_KEPT.findall(text.lower())
    return " ".join(_NUMBER if token.isdecimal() else normal_form(token) for token in found)


def _any_token(token: str) -> str:
    return _token(token) if token.isascii() else _NUMBER if token.isdecimal() else normal_form(token)


def valid(form: Form) -> bool:
    """No token is a comma or a full stop."""
    return not ("," in form or "." in form) or not ({",", "."} & set(form.split(" ")))


def valid_and_known(form: Form) -> bool:
    """No token is a comma, a full stop or ``<unk>``."""
    return valid(form) and known(form)


def telling(form: Form) -> bool:
    """It has a token, and none is a comma, a full stop or ``<unk>``."""
    return bool(form) and valid_and_known(form)


def valid_not_empty(form: Form) -> bool:
    """It has a token, and none is a comma or a full stop."""
    return bool(form) and valid(form)


def known(form: Form) -> bool:
    """No token is ``<unk>``."""
    return UNKNOWN not in form or UNKNOWN not in form.split(" ")
