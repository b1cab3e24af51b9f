"""Arabic phrases as people should see them: without a conjunction or a preposition written together with them."""

from functools import lru_cache
from typing import Final, TypeAlias

from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.word_forms import WordForm, word_form
from keywright.text.keys import normal_form

Spans: TypeAlias = tuple[tuple[int, int], ...]

_CACHED: Final = 1 << 16  # words in memory; arbitrary


def without_proclitics(text: str, spans: Spans) -> Spans:
    """Return the mentions of a phrase whose first word has neither conjunction nor preposition; all if each has one.

    Without lemmas all mentions are returned, because only a dictionary can tell *w-* from the first letter of a word.

    Args:
        text: of the document.
        spans: mentions of one phrase, half-open, in characters.
    """
    if len(spans) == 1 or word_form() is not WordForm.LEMMA:
        return spans
    bare = tuple(span for span in spans if not _has_proclitic(text[slice(*span)].split(maxsplit=1)[0]))
    return bare or spans


@lru_cache(maxsize=_CACHED)
def _has_proclitic(word: str) -> bool:
    return bool(lemmatiser().best(normal_form(word)).split.before)
