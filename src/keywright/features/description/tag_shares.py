"""What the words of a phrase usually are, noun, adjective ..., from a lexicon of word forms: no tagger needed.

Every feature is a number of the first mention of each candidate. Words are taken to be tagged independently of each
other, so the probability of a sequence of classes is a product of shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown
from keywright.features.description.described_candidates import OverWords, View
from keywright.text.tag_lexicon import CLASSES, TagLexicon


def class_columns(shares: Floats) -> dict[str, Floats]:
    """Shares of the classes that the features need, alone and together, (words,) each, from all, (words, classes)."""
    return {classes: share_of(classes, shares) for classes in _CLASSES}


def share_of(classes: str, shares: Floats) -> Floats:
    """Share of some classes together, (words,), from those of all, (words, classes)."""
    first, *others = (shares[:, CLASSES.index(letter)] for letter in classes)
    return np.asarray(sum(others, first))


def noun_last(words: OverWords) -> Floats:
    """Share of noun of the last word, 0 to 1, (candidates,)."""
    return words.last("N")


def nominal_first(words: OverWords) -> Floats:
    """Share of noun or adjective of the first word, 0 to 1, (candidates,)."""
    return words.first("NJ")


def gerund_last(words: OverWords) -> Floats:
    """Share of gerund or participle of the last word, 0 to 1, (candidates,): *machine learning*, *method proposed*."""
    return words.last("G")


def least_nominal(words: OverWords) -> Floats:
    """Least share of noun, adjective, gerund or participle of a word, 0 to 1, (candidates,)."""
    return words.least("NJG")


def mean_nominal(words: OverWords) -> Floats:
    """Mean share of noun, adjective, gerund or participle over the words, 0 to 1, (candidates,)."""
    return words.mean("NJG")


def most_verbal(words: OverWords) -> Floats:
    """Greatest share of finite verb or infinitive of a word, 0 to 1, (candidates,)."""
    return words.most("V")


def function_words_inside(words: OverWords) -> Floats:
    """Expected number of words that are no noun, adjective or verb between the first and the last, (candidates,)."""
    edges = words.first("IDPX") + np.where(words.size > 1, words.last("IDPX"), 0)
    return np.asarray(np.maximum(words.sum("IDPX") - edges, 0))


def noun_phrase(words: OverWords) -> Floats:
    """Probability that the classes are ``(J|N|G)*N``, 0 to 1, (candidates,)."""
    all_but_last = np.where(words.present[1:], words.at("NJG")[:-1], 1)
    return np.asarray(all_but_last.prod(axis=0) * words.last("N"))


def noun_phrase_with_prepositions(words: OverWords) -> Floats:
    """Probability that the classes are ``(J|N|G)*N(I D?(J|N|G)*N)*``, 0 to 1, (candidates,): *quality of service*."""
    # The sum of the probabilities of all sequences that an automaton of three states accepts.
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
SHARES: Final[Mapping[str, Callable[[OverWords], Floats]]] = {
    function.__name__: function
    for function in (
        noun_last,
        nominal_first,
        gerund_last,
        least_nominal,
        mean_nominal,
        most_verbal,
        function_words_inside,
        noun_phrase,
        noun_phrase_with_prepositions,
    )
}
"""All features of this file by name."""


@dataclass(frozen=True, slots=True)
class TagShares:
    """All features of ``SHARES`` of each candidate with one look-up, (candidates, features); in the order of ``names``.

    lexicon  shares by word form
    """

    lexicon: TagLexicon
    names: ClassVar[tuple[str, ...]] = tuple(SHARES)

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The features of one document's candidates."""
        words = _over_words(self.lexicon, candidates, document)
        return np.column_stack([feature(words) for feature in SHARES.values()])


@dataclass(frozen=True, slots=True)
class TagShare:
    """One feature of ``SHARES``, (candidates,).

    lexicon  shares by word form
    of       name of the feature

    Raises:
        UnknownName: there is no such feature.
    """

    lexicon: TagLexicon
    of: str

    def __post_init__(self) -> None:
        """Refuse names that mean nothing."""
        if self.of not in SHARES:
            listing = "python -c 'import keywright.features.description.tag_shares as t; print(*t.SHARES)'"
            raise unknown("feature of part-of-speech shares", self.of, SHARES, listing)

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return SHARES[self.of](_over_words(self.lexicon, candidates, document))


def _over_words(lexicon: TagLexicon, candidates: Candidates, document: AnalysedDocument) -> OverWords:
    view = View(document, candidates, np.ones(len(candidates), bool))
    return view.over_words(class_columns(lexicon.shares(document, view.used)))
