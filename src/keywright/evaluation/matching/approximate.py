"""Near matches: rules of matching that give credit for phrases which are almost a gold phrase.

Both stand where a protocol says ``matching``, and give credit by rank: what the list up to a rank earns, less what the
list before it earned. So every measure at every cutoff follows from them as from exact hits. They work on forms that
still have their words' endings (``normalise=lowered``).
"""

import enum
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter
from keywright.evaluation.rules import Entries, Form
from keywright.text.stems import semeval_stem

Words: TypeAlias = tuple[str, ...]


class Level(enum.StrEnum):
    """In what way a prediction is near a gold phrase, nearest first."""

    EXACT = "exact"  # the same words
    MORPH = "morph"  # the same stems
    INCLUDES = "includes"  # the gold phrase is a run of the prediction's words
    PARTOF = "partof"  # the prediction is a run of the gold phrase's words


def lowered(phrase: str) -> Form:
    """Unicode NFKC, case folded, white space collapsed; words keep their endings."""
    return " ".join(unicodedata.normalize("NFKC", phrase).casefold().split())


@dataclass(frozen=True, slots=True)
class Approximate:
    """Approximate matching after Zesch and Gurevych (RANLP 2009): one credit for a prediction near enough.

    A gold entry is credited once. Nearer levels choose first, then better ranks, then earlier gold entries. With
    ``morph`` among the levels, runs are of stems, otherwise of words as they are.

    Attributes:
        levels: what is near enough.

    Raises:
        BadParameter: no level.
    """

    levels: tuple[Level, ...] = tuple(Level)

    name: ClassVar[str] = "approximate"

    def __post_init__(self) -> None:
        """Refuse to match nothing."""
        if not self.levels:
            raise BadParameter("no level of approximate matching", f"levels are {', '.join(Level)}")

    def __call__(self, forms: Sequence[Form], entries: Entries) -> list[int]:
        """Credit by rank, 0 or 1."""
        gold = [(_seen(form), numbers) for form, numbers in entries.items()]
        near = [self._near(_seen(form), gold) for form in forms]
        # Adding a prediction to a greedy assignment changes it along one path, so the earnings grow by 0 or 1.
        return [round(credit) for credit in _earned(near, _assigned)]

    def level(self, form: Form, gold: Form) -> Level | None:
        """The nearest of the levels on which a prediction matches an accepted form; None where none does."""
        return self._level(_seen(form), _seen(gold))

    def _level(self, one: "_Seen", gold: "_Seen") -> Level | None:
        if one.kinds.isdisjoint(gold.kinds):  # no word in common, not even by stem; so it is with empty phrases
            return None
        if one.words == gold.words and Level.EXACT in self.levels:
            return Level.EXACT
        words, others = one.words, gold.words
        if Level.MORPH in self.levels:
            words, others = one.stems, gold.stems
            if words == others:
                return Level.MORPH
        if Level.INCLUDES in self.levels and _has_run(words, others):
            return Level.INCLUDES
        return Level.PARTOF if Level.PARTOF in self.levels and _has_run(others, words) else None

    def _near(self, one: "_Seen", gold: Iterable[tuple["_Seen", tuple[int, ...]]]) -> dict[int, Level]:
        """The nearest level to each gold entry that is near at all."""
        found: dict[int, Level] = {}
        for accepted, numbers in gold:
            if near := self._level(one, accepted):
                for number in numbers:
                    found[number] = min(near, found.get(number, near), key=_PLACE.__getitem__)
        return found


class Weights(enum.StrEnum):
    """What a word weighs by its place in the longer phrase."""

    UNIFORM = "uniform"  # 1
    HEAD = "head"  # 1 for the last word, 1/2 for the others
    LINEAR = "linear"  # its place, counted from 1


@dataclass(frozen=True, slots=True)
class WordOverlap:
    """Partial credit for words in common, after the R-precision of Kim, Baldwin and Kan (COLING 2010).

    Two phrases earn the weight of the words they share, divided by the weight of the longer phrase (of the gold phrase
    where both are as long). Predictions and gold entries are paired one to one so that they earn most. Words are
    compared by stem; a word that occurs twice is shared twice at most, its last places first. The paper's weighted
    forms favour the end of a phrase; the numbers used here are ours, and so is the pairing.

    Attributes:
        weights: what a word weighs.
    """

    weights: Weights = Weights.UNIFORM

    name: ClassVar[str] = "word_overlap"
    partial: ClassVar[bool] = True

    def __call__(self, forms: Sequence[Form], entries: Entries) -> list[float]:
        """Credit by rank, each from 0 to 1."""
        gold = [(_stems(form), numbers) for form, numbers in entries.items()]
        return _earned([self._near(_stems(form), gold) for form in forms], _best_pairs)

    def pair(self, words: Words, gold: Words) -> float:
        """What two phrases of stems earn; 0 where either is empty."""
        longer, shorter = (words, gold) if len(words) > len(gold) else (gold, words)
        if not shorter:
            return 0.0
        left, earned = Counter(shorter), 0.0
        for place in reversed(range(len(longer))):
            if left[longer[place]] > 0:
                left[longer[place]] -= 1
                earned += self._weight(place, len(longer))
        return earned / sum(self._weight(place, len(longer)) for place in range(len(longer)))

    def _weight(self, place: int, length: int) -> float:
        """Weight of the word at a place, counted from 0, of a phrase."""
        match self.weights:
            case Weights.UNIFORM:
                return 1.0
            case Weights.HEAD:
                return 1.0 if place == length - 1 else 0.5
            case Weights.LINEAR:
                return place + 1.0

    def _near(self, words: Words, gold: Iterable[tuple[Words, tuple[int, ...]]]) -> dict[int, float]:
        """What the prediction earns with each gold entry it shares a word with."""
        found: dict[int, float] = {}
        for others, numbers in gold:
            if earned := self.pair(words, others):
                found |= {number: max(earned, found.get(number, 0.0)) for number in numbers}
        return found


T = TypeVar("T")
_PLACE: Final = {level: place for place, level in enumerate(Level)}


def _earned(near: Iterable[Mapping[int, T]], worth: Callable[[Sequence[Mapping[int, T]]], float]) -> list[float]:
    """Credit by rank: what the list up to there is worth, less what it was worth before.

    Args:
        near: for each prediction, best first, the gold entries it is near to, and how.
        worth: what such predictions earn together; it does not fall when one is added.
    """
    earned: list[float] = []
    rows: list[Mapping[int, T]] = []
    before = 0.0
    for row in near:
        now = worth([*rows, row]) if row else before
        if row:
            rows.append(row)
        earned.append(max(0.0, now - before))
        before = now
    return earned


def _assigned(rows: Sequence[Mapping[int, Level]]) -> float:
    """How many predictions get a gold entry of their own: by level, then by rank, then by entry."""
    done: set[int] = set()
    taken: set[int] = set()
    for level in Level:
        for rank, row in enumerate(rows):
            free = (entry for entry in sorted(row) if row[entry] is level and entry not in taken)
            if rank not in done and (entry := next(free, None)) is not None:
                done.add(rank)
                taken.add(entry)
    return float(len(done))


def _best_pairs(rows: Sequence[Mapping[int, float]]) -> float:
    """The most that one-to-one pairs of predictions and gold entries earn."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, only partial credit needs it

    columns = {entry: place for place, entry in enumerate(sorted(set().union(*rows)))}
    earned: Floats = np.zeros((len(rows), len(columns)))
    for rank, row in enumerate(rows):
        for entry, credit in row.items():
            earned[rank, columns[entry]] = credit
    return float(earned[linear_sum_assignment(earned, maximize=True)].sum())


class _Seen(NamedTuple):
    """A phrase, split once."""

    words: Words
    stems: Words
    kinds: frozenset[str]


def _seen(form: Form) -> _Seen:
    stems = _stems(form)
    return _Seen(tuple(form.split()), stems, frozenset(stems))


def _has_run(words: Words, run: Words) -> bool:
    """Whether the words hold the run, which is not empty, in one piece."""
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))


def _stems(form: Form) -> Words:
    """Stems of the words between blanks."""
    return tuple(semeval_stem(form).split())
