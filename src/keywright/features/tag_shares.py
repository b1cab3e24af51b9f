"""What the words of a phrase usually are, noun, adjective ..., from a lexicon of word forms: no tagger needed.

Every feature is a number of the first mention of each candidate. Words are taken to be tagged independently of each
other, so the probability of a sequence of classes is a product of shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown
from keywright.text.tag_lexicon import CLASSES, TagLexicon


@dataclass(frozen=True, eq=False)
class FirstMentions:
    """Shares of the classes of each word of each candidate's first mention.

    Attributes:
        shares: 0 behind a mention's end, (candidates, longest, classes).
        present: which of these are words of the mention, (candidates, longest).
    """

    shares: Floats
    present: Bools

    @classmethod
    def of(cls, lexicon: TagLexicon, candidates: Candidates, document: AnalysedDocument) -> "FirstMentions":
        """Look up the words of a document, and gather them by candidate."""
        ahead = np.arange(int(candidates.length.max(initial=1)))
        present = ahead < candidates.length[:, None]
        tokens = np.where(present, candidates.first[:, None] + ahead, 0)
        words = document.word[tokens] if len(document) else tokens
        return cls(lexicon.shares(document)[words] * present[:, :, None], present)

    def of_classes(self, classes: str) -> Floats:
        """Share of some classes together, (candidates, longest); 0 behind a mention's end."""
        first, *others = (self.shares[:, :, CLASSES.index(letter)] for letter in classes)
        return np.asarray(sum(others, first))

    @cached_property
    def words(self) -> Ints:
        """Words of each mention, at least 1, (candidates,)."""
        return np.asarray(self.present.sum(axis=1))

    def last(self, numbers: Floats) -> Floats:
        """Of numbers (candidates, longest) the one of the last word, (candidates,)."""
        return np.asarray(numbers[np.arange(len(numbers)), self.words - 1])


def noun_last(mentions: FirstMentions) -> Floats:
    """Share of noun of the last word, 0 to 1, (candidates,)."""
    return mentions.last(mentions.of_classes("N"))


def nominal_first(mentions: FirstMentions) -> Floats:
    """Share of noun or adjective of the first word, 0 to 1, (candidates,)."""
    return np.asarray(mentions.of_classes("NJ")[:, 0])


def gerund_last(mentions: FirstMentions) -> Floats:
    """Share of gerund or participle of the last word, 0 to 1, (candidates,): *machine learning*, *method proposed*."""
    return mentions.last(mentions.of_classes("G"))


def least_nominal(mentions: FirstMentions) -> Floats:
    """Least share of noun, adjective, gerund or participle of a word, 0 to 1, (candidates,)."""
    return np.asarray(np.where(mentions.present, mentions.of_classes("NJG"), 1).min(axis=1))


def mean_nominal(mentions: FirstMentions) -> Floats:
    """Mean share of noun, adjective, gerund or participle over the words, 0 to 1, (candidates,)."""
    return np.asarray(mentions.of_classes("NJG").sum(axis=1) / mentions.words)


def most_verbal(mentions: FirstMentions) -> Floats:
    """Greatest share of finite verb or infinitive of a word, 0 to 1, (candidates,)."""
    return np.asarray(mentions.of_classes("V").max(axis=1))


def function_words_inside(mentions: FirstMentions) -> Floats:
    """Expected number of words that are no noun, adjective or verb between the first and the last, (candidates,)."""
    shares = mentions.of_classes("IDPX")
    edges = shares[:, 0] + np.where(mentions.words > 1, mentions.last(shares), 0)
    return np.asarray(np.maximum(shares.sum(axis=1) - edges, 0))


def noun_phrase(mentions: FirstMentions) -> Floats:
    """Probability that the classes are ``(J|N|G)*N``, 0 to 1, (candidates,)."""
    return _match(mentions, prepositions=False)


def noun_phrase_with_prepositions(mentions: FirstMentions) -> Floats:
    """Probability that the classes are ``(J|N|G)*N(I D?(J|N|G)*N)*``, 0 to 1, (candidates,): *quality of service*."""
    return _match(mentions, prepositions=True)


def _match(mentions: FirstMentions, *, prepositions: bool) -> Floats:
    """Sum of the probabilities of all sequences that an automaton of three states accepts, (candidates,)."""
    noun, modifier, joint, article = (mentions.of_classes(classes) for classes in ("N", "JG", "I", "D"))
    wants_noun, complete, after_joint = np.ones(len(noun)), np.zeros(len(noun)), np.zeros(len(noun))
    for place in range(noun.shape[1]):
        any_state = wants_noun + complete + after_joint
        following = (
            any_state * modifier[:, place] + after_joint * article[:, place],
            any_state * noun[:, place],
            complete * joint[:, place] * prepositions,
        )
        here = mentions.present[:, place]
        wants_noun, complete, after_joint = (
            np.where(here, new, old) for new, old in zip(following, (wants_noun, complete, after_joint), strict=True)
        )
    return np.asarray(complete)


SHARES: Final[Mapping[str, Callable[[FirstMentions], Floats]]] = {
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
        mentions = FirstMentions.of(self.lexicon, candidates, document)
        return np.column_stack([feature(mentions) for feature in SHARES.values()])


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
            listing = "python -c 'import keywright.features.tag_shares as t; print(*t.SHARES)'"
            raise unknown("feature of part-of-speech shares", self.of, SHARES, listing)

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return SHARES[self.of](FirstMentions.of(self.lexicon, candidates, document))
