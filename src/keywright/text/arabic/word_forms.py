"""The form in which Arabic words are compared: lemmas where a package with a dictionary is installed, else stems."""

import enum
import importlib.util
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final, TypeAlias

from keywright.core.errors import BadParameter, needs_extra
from keywright.text.tokens import normal_form
from keywright.text.word_borders import cache_words

CHOICE: Final = "KEYWRIGHT_ARABIC"  # environment variable that names a ``WordForm``

Spans: TypeAlias = tuple[tuple[int, int], ...]


class WordForm(enum.StrEnum):
    """Forms in which Arabic words are compared."""

    LEMMA = "lemma"  # simplemma's dictionary and our rules: extra arabic
    FARAHIDI = "farahidi"  # the lemmas of farahidi, GPL-3: extra arabic-gpl
    STEM = "stem"  # Snowball's light stemmer


def word_form() -> WordForm:
    """Return the form of this process: that named by ``KEYWRIGHT_ARABIC``, else lemmas if simplemma is installed."""
    if chosen := os.environ.get(CHOICE):
        if chosen not in set(WordForm):
            raise BadParameter(f"{CHOICE} is {chosen!r}", f"expected one of {', '.join(WordForm)}")
        return WordForm(chosen)
    with suppress(ValueError):  # a module that was put in place without a loader
        if importlib.util.find_spec("simplemma"):
            return WordForm.LEMMA
    return WordForm.STEM


def lemmas_of(form: WordForm) -> Callable[[str], str]:
    """Return the function from a word in normal form to its lemma."""
    return _farahidi() if form is WordForm.FARAHIDI else _lemmas()


@cache
def _lemmas() -> Callable[[str], str]:
    from keywright.text.arabic.lemmas import lemmatiser  # noqa: PLC0415 - only Arabic texts need it

    return cache_words(lemmatiser())


@cache
def _farahidi() -> Callable[[str], str]:
    """Return farahidi's lemma of a word by itself, folded; the word where it has none."""
    from keywright.text.arabic.spelling import FOLDED  # noqa: PLC0415 - only Arabic texts need it

    with needs_extra("arabic-gpl", f"{CHOICE}={WordForm.FARAHIDI} needs the package farahidi"):
        import farahidi  # noqa: PLC0415  (an extra, under the GPL)

    @cache_words
    def lemma(word: str) -> str:
        analysed = farahidi.analyze_text(word)
        return FOLDED((analysed[0].lemma if len(analysed) == 1 else None) or word)

    return lemma


def without_proclitics(text: str, spans: Spans) -> Spans:
    """Return spans of mentions whose first word has no proclitics; all if each has some, or if there are no lemmas."""
    if len(spans) == 1 or word_form() is not WordForm.LEMMA:
        return spans
    bare = tuple(span for span in spans if not _has_proclitic(text[slice(*span)].split(maxsplit=1)[0]))
    return bare or spans


@cache_words
def _has_proclitic(word: str) -> bool:
    from keywright.text.arabic.lemmas import lemmatiser  # noqa: PLC0415 - only Arabic texts need it

    return bool(lemmatiser().best(normal_form(word)).split.before)
