"""Stop lists: words that carry no topic, by language.

English is the project's own list of function words: the library's English list, a union of many, holds *computer*,
*interest* and country codes, which cost keyphrases (measured in ``docs/decisions/0007-stop-lists.md``). All other
languages come from the ``stop-words`` package; its Arabic list, which is without hamzas, is completed.
"""

from functools import lru_cache
from importlib import resources

from keywright.text.keys import normal_form

# Without Greek: the package's list is of ancient Greek, and not one of its words is written so today.
_LIBRARY_CODES = "ar bg ca cs da nl en fi fr de gu he hi hu id ms it no pl pt ro ru sk es sv tr uk vi fa zh ja ko"
_LIBRARY_NAMES = {"no": "norwegian"}  # the package's own code for it is nb
_DEBRIS = '"”…,\ufeff'  # on words in some of the package's files, on every Hebrew one
LANGUAGES: tuple[str, ...] = tuple(sorted(_LIBRARY_CODES.split()))
"""ISO 639-1 codes of the languages with a stop list."""


@lru_cache(maxsize=64)  # more than there are lists
def stopwords(language: str) -> frozenset[str]:
    """Return the stop words of a language in normal form; empty for a language without a list.

    ``en-library`` names the stop-words package's own English list, for comparison.
    """
    if language == "en":
        return _from_file("function_words_en.txt")
    code = language.removesuffix("-library")
    if code not in LANGUAGES:
        return frozenset()
    from stop_words import get_stop_words  # noqa: PLC0415  (only documents in other languages need it)

    words = (normal_form(word.strip(_DEBRIS)) for word in get_stop_words(_LIBRARY_NAMES.get(code, code)))
    library = frozenset(word for word in words if any(map(str.isalpha, word)))
    return library | _arabic_stopwords() if language == "ar" else library


def _from_file(name: str) -> frozenset[str]:
    """Return the words of one of the project's own lists."""
    text = resources.files("keywright.text").joinpath(name).read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _arabic_stopwords() -> frozenset[str]:
    """Return our Arabic function words in both spellings, with and without a conjunction before them."""
    from keywright.text.arabic.spelling import CONJUNCTIONS, FOLDED  # noqa: PLC0415 - only Arabic texts need it

    words = _from_file("function_words_ar.txt")
    spellings = words | set(map(FOLDED, words))
    return frozenset(conjunction + word for conjunction in CONJUNCTIONS for word in spellings)
