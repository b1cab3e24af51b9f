"""Shortlists of candidates with what groups of columns share: word values, word classes, longer candidates.

Classes of words are those of a lexicon, so no tagger is needed. Words are taken to be tagged independently, so that the
probability of classes is a product of shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_tokens
from keywright.core.documents import GoldKeyphrase, Style, WordFlag
from keywright.extraction.features.functions.nestedness import LongerAround
from keywright.text.tag_lexicon import CLASSES


class WordValues(NamedTuple):
    """Values of the words of each candidate's first mention, aggregated by column name, (candidates,) each."""

    present: Bools  # where there is a word, (longest, candidates)
    size: Ints  # words, at least 1, (candidates,)
    at: dict[str, Floats]  # at each position, past the end that of the last word, (longest, candidates) each
    first: dict[str, Floats]
    last: dict[str, Floats]
    sum: dict[str, Floats]
    mean: dict[str, Floats]
    min: dict[str, Floats]
    max: dict[str, Floats]

    @classmethod
    def of(cls, names: tuple[str, ...], values: Floats, present: Bools, size: Ints) -> "WordValues":
        """Aggregate values, (columns, longest, candidates)."""
        # Word after word: numpy's own sum would add the words of a single candidate in another order.
        total = values[:, 0].copy()
        for place in range(1, len(present)):
            total += values[:, place] * present[place]
        # Each aggregate covers all columns in one call: for short texts, numpy's overhead exceeds the arithmetic.
        low, high = values.min(axis=1), values.max(axis=1)
        columns = (values, values[:, 0], values[:, -1], total, total / size, low, high)
        return cls(present, size, *(dict(zip(names, column, strict=True)) for column in columns))


class LongerCandidates(NamedTuple):
    """Mentions of the most frequent longer candidate, one token and any longer, around each, (shortlist,)."""

    next_mentions: Floats
    most_mentions: Floats
    share_inside: Floats


@dataclass(frozen=True, eq=False)
class DescribedCandidates:
    """Candidates of one document or several, by first mention, and those ``in_shortlist``, (candidates,)."""

    document: Analysed
    candidates: Candidates
    in_shortlist: Bools

    @cached_property
    def shortlist(self) -> Candidates:
        """The described candidates."""
        return self.candidates.where(self.in_shortlist)

    @cached_property
    def number(self) -> Ints:
        """Document of each described candidate, (shortlist,)."""
        return self.document.numbers(self.shortlist.first)

    @cached_property
    def tokens(self) -> Ints:
        """Tokens of the document of each described candidate, at least 1, (shortlist,)."""
        return np.maximum(1, count_tokens(self.document))[self.number]

    @cached_property
    def bounds(self) -> Ints:
        """Described candidates of document ``i`` are ``bounds[i]:bounds[i + 1]``, (documents + 1,)."""
        return np.asarray(self.shortlist.first.searchsorted(self.document.bounds))

    @cached_property
    def _position(self) -> Ints:
        """Positions of words in a first mention, (longest, 1)."""
        return np.arange(int(self.shortlist.length.max(initial=1)))[:, None]

    @cached_property
    def _words(self) -> Ints:
        """Word form at each position of first mentions, the last word behind it, (longest, shortlist)."""
        return self.document.word[self.shortlist.first + np.minimum(self._position, self.shortlist.length - 1)]

    @cached_property
    def word_forms(self) -> Ints:
        """Word forms of first mentions, ascending, (word forms,)."""
        used = np.zeros(len(self.document.words), bool)
        used[self._words] = True
        return np.flatnonzero(used)

    def word_values(self, columns: Mapping[str, Numbers | Bools]) -> WordValues:
        """Return columns over ``word_forms``, (word forms,) each, by candidate."""
        # Inverse index: values exist only for the words in use, so each document word maps to its place among them.
        place = np.empty(len(self.document.words), np.int64)
        place[self.word_forms] = np.arange(len(self.word_forms))
        values = np.concatenate([np.zeros(0), *columns.values()]).reshape(len(columns), -1)
        size = self.shortlist.length
        return WordValues.of(tuple(columns), values.take(place[self._words], axis=1), self._position < size, size)

    def mean_over_mentions(self, values: Bools | Floats) -> Floats:
        """Return the mean of values (mentions,) over the mentions of each candidate, (shortlist,)."""
        sums = np.bincount(self.shortlist.owner, weights=values, minlength=len(self.shortlist))
        return np.asarray(sums / np.maximum(self.shortlist.frequency, 1))

    def shares_of_mentions(self, masks: Mapping[str, Bools]) -> dict[str, Floats]:
        """Return the share of each candidate's mentions that each mask (mentions,) marks, (shortlist,), by name."""
        if not len(self.shortlist):
            return dict.fromkeys(masks, np.zeros(0))
        # Segmented sum: mentions of a candidate are adjacent, so one ``reduceat`` sums all masks of all candidates.
        sums = np.add.reduceat(np.array(list(masks.values()), np.int32), self.shortlist.offsets[:-1], axis=1)
        return dict(zip(masks, sums / self.shortlist.frequency, strict=True))

    @cached_property
    def longer(self) -> LongerCandidates:
        """Longer candidates around the mentions of the shortlist; 0 for a candidate that none contains."""
        shortlist = self.shortlist
        if not len(shortlist):
            return LongerCandidates(*(np.zeros(0),) * 3)
        longer, heads = LongerAround.of(self.candidates), shortlist.offsets[:-1]
        most = longer.most[shortlist.widths, shortlist.positions + 1]
        return LongerCandidates(
            next_mentions=np.maximum.reduceat(longer.next_of(shortlist), heads).astype(float),
            most_mentions=np.maximum.reduceat(most, heads).astype(float),
            share_inside=self.mean_over_mentions(most > 1),
        )


STYLES: Final = tuple(Style)
_STYLE_OF_GOLD: Final = {
    "author": Style.AUTHOR, "reader": Style.READER, "combined": Style.READER, "tag": Style.SUBJECT,
    "descriptor": Style.SUBJECT,
}  # fmt: skip


def add_style_column(rows: Floats, style: Style) -> Floats:
    """Return rows with the style as one column more, (shortlist, columns + 1)."""
    column = np.full((1, len(rows)), STYLES.index(style), np.float32)
    return np.vstack([rows.T, column]).T  # column by column in memory, as trees read them


def style_of(gold: GoldKeyphrase) -> Style:
    """Return the style that a kind of gold teaches: author, reader (also of both together), subject, else indexer."""
    return _STYLE_OF_GOLD.get(gold.by, Style.INDEXER)


def class_columns(shares: Floats) -> dict[str, Floats]:
    """Return the shares of all classes and unions in ``_CLASSES``, (words,) each, from shares (words, classes)."""
    return {classes: share_of(classes, shares) for classes in _CLASSES}


def share_of(classes: str, shares: Floats) -> Floats:
    """Return the sum of the shares of some classes, (words,), from shares (words, classes)."""
    first, *others = (shares[:, CLASSES.index(letter)] for letter in classes)
    return np.asarray(sum(others, first))


def function_words_inside(words: WordValues) -> Floats:
    """Return the expected number of function words between the first and the last word, (candidates,)."""
    edges = words.first["IDPX"] + np.where(words.size > 1, words.last["IDPX"], 0)
    return np.asarray(np.maximum(words.sum["IDPX"] - edges, 0))


def noun_phrase(words: WordValues) -> Floats:
    """Return the probability of the classes ``(J|N|G)*N``, 0 to 1, (candidates,)."""
    all_but_last = np.where(words.present[1:], words.at["NJG"][:-1], 1)
    return np.asarray(all_but_last.prod(axis=0) * words.last["N"])


def noun_phrase_with_prepositions(words: WordValues) -> Floats:
    """Return the probability of ``(J|N|G)*N(I D?(J|N|G)*N)*`` (*quality of service*), 0 to 1, (candidates,)."""
    # Forward algorithm: the probability of each state of a three-state automaton, one step per word for all
    # candidates at once, instead of a sum over all sequences of classes.
    noun, modifier, joint, article = (words.at[classes] for classes in ("N", "JG", "I", "D"))
    complete = np.zeros(noun.shape)  # after each word
    any_state: Floats | float = 1.0
    after_joint: Floats | float = 0.0
    for place in range(len(noun)):
        wants_noun = any_state * modifier[place] + after_joint * article[place]
        after_joint = complete[place - 1] * joint[place] if place else 0.0
        complete[place] = any_state * noun[place]
        any_state = wants_noun + complete[place] + after_joint
    return np.asarray(complete[words.size - 1, np.arange(len(words.size))])


_CLASSES: Final = ("N", "NJ", "G", "NJG", "V", "IDPX", "JG", "I", "D")  # unions of classes that the features read
SHARES: Final[Mapping[str, Callable[[WordValues], Floats]]] = {
    "noun_last": lambda words: words.last["N"], "nominal_first": lambda words: words.first["NJ"],
    "gerund_last": lambda words: words.last["G"], "least_nominal": lambda words: words.min["NJG"],
    "mean_nominal": lambda words: words.mean["NJG"], "most_verbal": lambda words: words.max["V"],
    "function_words_inside": function_words_inside, "noun_phrase": noun_phrase,
    "noun_phrase_with_prepositions": noun_phrase_with_prepositions,
}  # fmt: skip
"""Columns of a candidate by name, (candidates,), in the order of the trained columns; letters as in ``CLASSES``."""
_BEFORE: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I", "determiner": "D"}
_BEHIND: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I"}
NAMES: Final = (
    *(f"{name} before" for name in _BEFORE),
    *(f"{name} behind" for name in _BEHIND),
    *("nothing before", "nothing behind", "whole", "first whole", "ever whole"),
)
"""Columns of ``neighbours``; names of columns of the trained trees."""


def find_neighbours(described: DescribedCandidates) -> tuple[tuple[Ints, Bools], tuple[Ints, Bools]]:
    """Return the word forms before, and behind, the mentions, and whether there is one, (mentions,) each."""
    document, positions = described.document, described.shortlist.positions
    first, end = (document.bounds[document.numbers(positions) + side] for side in (0, 1))

    def words_at(token: Ints) -> tuple[Ints, Bools]:
        exists = (token >= first) & (token < end)
        token = np.where(exists, token, first)
        word = document.word[token]
        is_word = document.word_flags[word] & int(WordFlag.PUNCTUATION) == 0
        return word, exists & is_word & (document.sentence[token] == document.sentence[positions])

    return words_at(positions - 1), words_at(positions + described.shortlist.widths)


def neighbours(
    described: DescribedCandidates, before: tuple[Ints, Bools], behind: tuple[Ints, Bools], shares: Floats
) -> dict[str, Floats]:
    """Return shares of word classes around the mentions of the shortlist, and how far these are whole noun phrases.

    A mention is whole with probability ``(1 - b) (1 - a)``: ``b`` is the share of noun, adjective, gerund or participle
    of the word before, ``a`` that of noun, gerund or participle of the word after; both are 0 for stop words, signs and
    ends of sentences. *First whole* is the value of the first mention, *ever whole* the maximum; all other columns are
    means over the mentions. Columns are by ``NAMES``, (shortlist,) each, 0 to 1; ``before`` and ``behind`` are those of
    ``find_neighbours``, ``shares`` are (words, classes).
    """
    shortlist = described.shortlist
    if not len(shortlist):
        return dict.fromkeys(NAMES, np.zeros(0))
    (left, has_left), (right, has_right) = before, behind
    content = described.document.word_flags & int(WordFlag.STOP) == 0
    extended_left = (share_of("NJG", shares) * content)[left] * has_left
    extended_right = (share_of("NG", shares) * content)[right] * has_right
    whole = (1 - extended_left) * (1 - extended_right)
    by_mention = [
        *(share_of(classes, shares)[left] * has_left for classes in _BEFORE.values()),
        *(share_of(classes, shares)[right] * has_right for classes in _BEHIND.values()),
        ~has_left,
        ~has_right,
        whole,
    ]
    heads = shortlist.offsets[:-1]
    # Segmented sum: mentions of a candidate are adjacent, so one ``reduceat`` sums all columns of all candidates.
    means = np.add.reduceat(np.array(by_mention, float), heads, axis=1) / shortlist.frequency
    return dict(zip(NAMES, (*means, whole[heads], np.maximum.reduceat(whole, heads)), strict=True))
