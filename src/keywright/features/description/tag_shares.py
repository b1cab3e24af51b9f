"""Typical parts of speech of a phrase's words, from a lexicon of word forms: no tagger needed.

Every feature describes the first mention of each candidate. Words are assumed to be tagged independently of each other,
so the probability of a sequence of classes is a product of shares.
"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.features.description.described_candidates import WordValues
from keywright.text.tag_lexicon import CLASSES


def class_columns(shares: Floats) -> dict[str, Floats]:
    """Return the shares of all classes and unions in ``_CLASSES``, (words,) each, from shares (words, classes)."""
    return {classes: share_of(classes, shares) for classes in _CLASSES}


def share_of(classes: str, shares: Floats) -> Floats:
    """Return the sum of the shares of some classes, (words,), from shares (words, classes)."""
    first, *others = (shares[:, CLASSES.index(letter)] for letter in classes)
    return np.asarray(sum(others, first))


def function_words_inside(words: WordValues) -> Floats:
    """Return the expected number of function words between the first and the last word, (candidates,)."""
    edges = words.first("IDPX") + np.where(words.size > 1, words.last("IDPX"), 0)
    return np.asarray(np.maximum(words.sum("IDPX") - edges, 0))


def noun_phrase(words: WordValues) -> Floats:
    """Return the probability of the classes ``(J|N|G)*N``, 0 to 1, (candidates,)."""
    all_but_last = np.where(words.present[1:], words.at("NJG")[:-1], 1)
    return np.asarray(all_but_last.prod(axis=0) * words.last("N"))


def noun_phrase_with_prepositions(words: WordValues) -> Floats:
    """Return the probability of ``(J|N|G)*N(I D?(J|N|G)*N)*`` (*quality of service*), 0 to 1, (candidates,)."""
    # Forward algorithm: the probability of each state of a three-state automaton, one step per word for all
    # candidates at once, instead of a sum over all sequences of classes.
    noun, modifier, joint, article = map(words.at, ("N", "JG", "I", "D"))
    complete = np.zeros(noun.shape)  # after each word
    any_state: Floats | float = 1.0
    after_joint: Floats | float = 0.0
    for place in range(len(noun)):
        wants_noun = any_state * modifier[place] + after_joint * article[place]
        after_joint = complete[place - 1] * joint[place] if place else 0.0
        complete[place] = any_state * noun[place]
        any_state = wants_noun + complete[place] + after_joint
    return np.asarray(complete[words.size - 1, np.arange(len(words.size))])


_CLASSES: Final = ("N", "NJ", "G", "NJG", "V", "IDPX", "JG", "I", "D")
"""Unions of classes that the features read."""

SHARES: Final[Mapping[str, Callable[[WordValues], Floats]]] = {
    "noun_last": lambda words: words.last("N"),
    "nominal_first": lambda words: words.first("NJ"),
    "gerund_last": lambda words: words.last("G"),
    "least_nominal": lambda words: words.min("NJG"),
    "mean_nominal": lambda words: words.mean("NJG"),
    "most_verbal": lambda words: words.max("V"),
    "function_words_inside": function_words_inside,
    "noun_phrase": noun_phrase,
    "noun_phrase_with_prepositions": noun_phrase_with_prepositions,
}
"""Columns of a candidate by name, (candidates,), in the order of the trained columns; letters as in ``CLASSES``."""
