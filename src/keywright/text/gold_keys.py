"""Keys of gold keyphrases, the same as those of their mentions in documents and tables.

Gold is stored as people wrote it, or stemmed, and a stem stemmed again is not always the same; so each form has both
keys, as written and stemmed.
"""

from collections.abc import Callable, Iterable

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.documents import GoldKeyphrase
from keywright.text.keys import PARTS, normal_form, phrase_key
from keywright.text.stems import stemmer


def gold_keys(gold: Iterable[GoldKeyphrase], language: str | None = None) -> Keys:
    """Return the keys of all forms of all keyphrases, as written and stemmed, ascending, each once, (keys,).

    Forms without letter or digit have none.

    Args:
        gold: keyphrases of one document.
        language: the document's; English when None.
    """
    stem = stemmer(language or "en")
    forms = {form for keyphrase in gold for form in keyphrase.forms}
    keys = {phrase_key(form, how) for form in forms for how in (stem, str)}
    return np.array(sorted(keys - {0}), np.uint64)


def gold_word_keys(gold: Iterable[GoldKeyphrase], language: str | None = None) -> Keys:
    """Return the keys of the words in gold keyphrases: ascending, a word as often as distinct phrases have it, (keys,).

    Compounds count as a whole and by their parts: *peer-to-peer network* has *peer-to-peer*, *peer*, *to*, *network*.
    Forms that differ in inflection or case only are one phrase.

    Args:
        gold: keyphrases of one document.
        language: the document's; English when None.
    """
    stem = stemmer(language or "en")
    distinct = {phrase_key(form, stem): form for keyphrase in gold for form in keyphrase.forms}
    keys = [key for form in distinct.values() for key in _words(form, stem)]
    return np.array(sorted(keys), np.uint64)


def _words(form: str, stem: Callable[[str], str]) -> set[int]:
    """Return the keys of the words of one form, as written and stemmed; pieces without letter or digit have none."""
    pieces = {piece for word in normal_form(form).split() for piece in (word, *PARTS.findall(word))}
    return {phrase_key(piece, how) for piece in pieces for how in (stem, str)} - {0}
