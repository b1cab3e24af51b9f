"""Approximate matching: ``matching`` rules that give credit for phrases which are almost a gold phrase.

The credit of a rank is that of the list up to there minus that of the list before it, so that every measure follows as
from exact hits. Forms are words with their endings (``normalise=lowered``).
"""

import enum
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter, needs_extra
from keywright.evaluation.rules import Entries, Form, PartialCredit
from keywright.text.stems import semeval_stem

Words: TypeAlias = tuple[str, ...]


class Level(enum.StrEnum):
    """Kind of similarity of a prediction to a gold phrase, nearest first."""

    EXACT = "exact"  # the same words
    MORPH = "morph"  # the same stems
    INCLUDES = "includes"  # the gold phrase is a run of the prediction's words
    PARTOF = "partof"  # the prediction is a run of the gold phrase's words


def lowered(phrase: str) -> Form:
    """Apply Unicode NFKC, fold case, collapse white space; words keep their endings."""
    return " ".join(unicodedata.normalize("NFKC", phrase).casefold().split())


@dataclass(frozen=True, slots=True)
class Approximate:
    """Approximate matching after Zesch and Gurevych (RANLP 2009): one credit for a prediction near a gold phrase.

    A gold entry is credited once: nearer levels choose first, then better ranks, then earlier gold entries. With
    ``morph`` among the levels, runs are of stems, otherwise of words. Raises BadParameter: no level.
    """

    levels: tuple[Level, ...] = tuple(Level)

    name: ClassVar[str] = "approximate"

    def __post_init__(self) -> None:
        if not self.levels:
            raise BadParameter("no level of approximate matching", f"expected some of: {', '.join(Level)}")

    def __call__(self, forms: Sequence[Form], entries: Entries) -> list[int]:
        """Return the credit of each rank, 0 or 1."""
        gold = [(_stem_phrase(form), numbers) for form, numbers in entries.items()]
        near: list[dict[int, Level]] = []
        for phrase in map(_stem_phrase, forms):
            levels: dict[int, Level] = {}  # the nearest level to each gold entry that matches on any level
            for accepted, numbers in gold:
                if level := self._level(phrase, accepted):
                    for number in numbers:
                        levels[number] = min(level, levels.get(number, level), key=_PLACE.__getitem__)
            near.append(levels)
        # Adding a prediction to a greedy assignment changes it along one path, so the credit grows by 0 or 1.
        return [round(credit) for credit in _credit_ranks(near, _count_assigned)]

    def level(self, form: Form, gold: Form) -> Level | None:
        """Return the nearest of the levels on which a prediction matches an accepted form; None where none does."""
        return self._level(_stem_phrase(form), _stem_phrase(gold))

    def _level(self, prediction: "_Phrase", gold: "_Phrase") -> Level | None:
        if prediction.distinct.isdisjoint(gold.distinct):  # no stem in common, or an empty phrase
            return None
        if prediction.words == gold.words and Level.EXACT in self.levels:
            return Level.EXACT
        words, others = prediction.words, gold.words
        if Level.MORPH in self.levels:
            words, others = prediction.stems, gold.stems
            if words == others:
                return Level.MORPH
        if Level.INCLUDES in self.levels and _has_run(words, others):
            return Level.INCLUDES
        return Level.PARTOF if Level.PARTOF in self.levels and _has_run(others, words) else None


class Weights(enum.StrEnum):
    """Weight of a word by its place in the longer phrase."""

    UNIFORM = "uniform"  # 1
    HEAD = "head"  # 1 for the last word, 1/2 for the others
    LINEAR = "linear"  # its place, counted from 1


@dataclass(frozen=True, slots=True)
class WordOverlap(PartialCredit):
    """Partial credit for words in common, after the R-precision of Kim, Baldwin and Kan (COLING 2010).

    Two phrases earn the weight of the words they share, by stem, divided by the weight of the longer phrase (of equal
    ones the gold phrase). Both sides are paired one to one for the largest total. A word that occurs twice is shared at
    most twice, its last places first. The weights and the pairing are our own.
    """

    weights: Weights = Weights.UNIFORM

    name: ClassVar[str] = "word_overlap"

    def __call__(self, forms: Sequence[Form], entries: Entries) -> list[float]:
        """Return the credit of each rank, from 0 to 1."""
        gold = [(_stem_words(form), numbers) for form, numbers in entries.items()]
        near: list[dict[int, float]] = []
        for words in map(_stem_words, forms):
            credit: dict[int, float] = {}  # with each gold entry that shares a word
            for others, numbers in gold:
                if shared := self.pair(words, others):
                    credit |= {number: max(shared, credit.get(number, 0.0)) for number in numbers}
            near.append(credit)
        return _credit_ranks(near, _pair_best)

    def pair(self, words: Words, gold: Words) -> float:
        """Return the credit of two phrases of stems; 0 where either is empty."""
        longer, shorter = (words, gold) if len(words) > len(gold) else (gold, words)
        if not shorter:
            return 0.0
        weights = {
            Weights.UNIFORM: [1.0] * len(longer),
            Weights.HEAD: [0.5] * (len(longer) - 1) + [1.0],
            Weights.LINEAR: [place + 1.0 for place in range(len(longer))],
        }[self.weights]
        left, shared = Counter(shorter), 0.0
        for word, weight in zip(reversed(longer), reversed(weights), strict=True):
            if left[word] > 0:
                left[word] -= 1
                shared += weight
        return shared / sum(weights)


T = TypeVar("T")
_PLACE: Final = {level: place for place, level in enumerate(Level)}


def _credit_ranks(near: Iterable[Mapping[int, T]], worth: Callable[[Sequence[Mapping[int, T]]], float]) -> list[float]:
    """Return the credit of each rank: that of the list up to there minus that before; ``worth`` does not decrease."""
    earned: list[float] = []
    rows: list[Mapping[int, T]] = []
    before = 0.0
    for row in near:
        rows += [row] if row else []
        now = worth(rows) if row else before
        earned.append(max(0.0, now - before))
        before = now
    return earned


def _count_assigned(rows: Sequence[Mapping[int, Level]]) -> float:
    """Count the predictions that get a gold entry of their own: by level, then by rank, then by entry."""
    done: set[int] = set()
    taken: set[int] = set()
    for level in Level:
        for rank, row in enumerate(rows):
            free = (entry for entry in sorted(row) if row[entry] is level and entry not in taken)
            if rank not in done and (entry := next(free, None)) is not None:
                done.add(rank)
                taken.add(entry)
    return float(len(done))


def _pair_best(rows: Sequence[Mapping[int, float]]) -> float:
    """Return the largest total credit of one-to-one pairs of predictions and gold entries."""
    with needs_extra("eval", "partial credit needs scipy"):
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, only partial credit needs it

    entries = sorted(set().union(*rows))
    credit: Floats = np.array([[row.get(entry, 0.0) for entry in entries] for row in rows], dtype=np.float64)
    credit = credit.reshape(len(rows), len(entries))
    return float(credit[linear_sum_assignment(credit, maximize=True)].sum())


class _Phrase(NamedTuple):
    """Words, stems and distinct stems of a phrase."""

    words: Words
    stems: Words
    distinct: frozenset[str]


def _stem_phrase(form: Form) -> _Phrase:
    stems = _stem_words(form)
    return _Phrase(tuple(form.split()), stems, frozenset(stems))


def _has_run(words: Words, run: Words) -> bool:
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))


def _stem_words(form: Form) -> Words:
    return tuple(semeval_stem(form).split())
