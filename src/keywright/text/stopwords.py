"""Stop lists: words that carry no topic, by language.

English is the project's own list of function words: the library's English list, a union of many, holds *computer*,
*interest* and country codes, which cost keyphrases (measured in ``docs/decisions/0007-stop-lists.md``). All other
languages come from the ``stop-words`` package.
"""

from functools import lru_cache
from importlib import resources

from keywright.core.errors import unknown

_LIBRARY_CODES = "ar bg ca cs da nl en fi fr de gu he hi hu id ms it no pl pt ro ru sk es sv tr uk vi fa el zh ja ko"
LANGUAGES: tuple[str, ...] = tuple(sorted(_LIBRARY_CODES.split()))
"""ISO 639-1 codes of the languages with a stop list."""


@lru_cache(maxsize=64)
def stopwords(language: str) -> frozenset[str]:
    """Stop words of a language in lower case; empty for a language without a list.

    ``en-library`` names the stop-words package's own English list, for comparison.
    """
    if language == "en":
        text = resources.files("keywright.text").joinpath("function_words_en.txt").read_text("utf-8")
        return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
    code = language.removesuffix("-library")
    if code not in LANGUAGES:
        return frozenset()
    from stop_words import get_stop_words  # noqa: PLC0415  (only documents in other languages need it)

    return frozenset(word.lower() for word in get_stop_words(code))


def stopwords_or_error(language: str) -> frozenset[str]:
    """Stop words of a language that must have a list.

    Raises:
        UnknownName: there is no list for it.
    """
    found = stopwords(language)
    if not found:
        raise unknown("language with a stop list", language, LANGUAGES, "keywright doctor")
    return found
