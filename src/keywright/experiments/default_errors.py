"""What the default gets wrong on held-out folds of training papers and abstracts, sorted by rules and counted.

A miss is a keyphrase that is not among the phrases shown; a false alarm is a phrase shown that is none. Each is put
into the first class that fits. Fifty of either are listed: the false alarms with the highest probability, and misses of
each class in proportion to its size, those ranked lowest first.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.interfaces import Progress
from keywright.corpus.knowledge import Knowledge
from keywright.experiments.default_answers import Answered, groups_of
from keywright.experiments.default_data import (
    COLLECTIONS,
    StudyCollection,
    described_as_shipped,
    grown,
    held_out,
)
from keywright.experiments.default_error_rows import (
    FALSE_ALARM,
    LISTED,
    MISS,
    ErrorCount,
    ErrorExample,
    Row,
    worst_misses,
)
from keywright.experiments.default_phrases import (
    Text,
    all_readings,
    beside_nouns,
    holds,
    other_writings,
    parts_of,
    relation,
)
from keywright.learners.probability import ProbabilityMap
from keywright.learners.training import Boosting
from keywright.text.gold_keys import gold_keys

NAME: Final = "default-errors"
READ: Final = COLLECTIONS[:2]
"""Collections whose errors are read."""
_BANDS: Final = ((30, "ranked down to 30"), (100, "ranked 31 to 100"), (10_000, "ranked behind 100"))
_COMMON: Final = 0.01
"""A phrase in more than this share of the background's documents is general."""
_MOSTLY: Final = 0.5


@dataclass(frozen=True, eq=False)
class Reading:
    """The errors of one collection.

    Attributes:
        here: the collection.
        columns: names of the columns.
        answered: its documents, held out.
        knowledge: tables of phrases and words.
    """

    here: StudyCollection
    columns: tuple[str, ...]
    answered: tuple[Answered, ...]
    knowledge: Knowledge = field(default_factory=Knowledge)

    @classmethod
    def of(
        cls,
        here: StudyCollection,
        mirror: Path | None = None,
        most: int | None = None,
        boosting: Boosting | None = None,
    ) -> "Reading":
        """Trees grown on four folds, asked about the fifth."""
        how = boosting or Boosting()
        papers, columns = described_as_shipped(here.name, mirror, most)
        answered = held_out(papers, lambda known, _: grown(here, known, how))
        return cls(here, columns, tuple(Answered.by(one, trees, here) for one, trees in answered))

    @cached_property
    def likely(self) -> ProbabilityMap:
        """From held-out odds to the share of keyphrases."""
        odds = np.concatenate([one.odds for one in self.answered])
        return ProbabilityMap.fit(odds, np.concatenate([one.one.answers[0] for one in self.answered]))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Groups of columns."""
        return tuple(dict.fromkeys(groups_of(self.columns)))

    def grouped(self, parts: Floats) -> Floats:
        """Sums of columns by group, (rows, groups)."""
        which = np.array([self.groups.index(name) for name in groups_of(self.columns)])
        return np.stack([parts[:, which == place].sum(axis=1) for place in range(len(self.groups))], axis=1)

    @cached_property
    def usual(self) -> Floats:
        """What each group gives on average to a keyphrase that is shown, (groups,)."""
        shown = [one.parts[(one.rank <= self.here.shown)[one.one.answers[0]]] for one in self.answered]
        return np.asarray(self.grouped(np.concatenate(shown)).mean(axis=0))

    def probability(self, odds: float) -> float:
        """Of a keyphrase, 0 to 1."""
        return round(float(self.likely.of(np.array([odds]))[0]), 3)

    def rows(self) -> Iterator[Row]:
        """Counts, then the listed errors."""
        misses, alarms = list(self.misses()), list(self.false_alarms())
        yield from self._classes(MISS, misses)
        yield from self._shares(MISS, "group", Counter(one.group for one in misses if one.group))
        yield from self.nearly()
        yield from self._classes(FALSE_ALARM, alarms)
        yield from self.traits()
        yield from worst_misses(misses)
        yield from sorted(alarms, key=lambda one: (-(one.probability or 0), one.rank))[:LISTED]

    def _classes(self, side: str, errors: Sequence[ErrorExample]) -> Iterator[ErrorCount]:
        return self._shares(side, "class", Counter(one.name for one in errors))

    def _shares(self, side: str, about: str, counted: Mapping[str, int]) -> Iterator[ErrorCount]:
        total = sum(counted.values())
        for name, number in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            yield ErrorCount(self.here.name, side, about, name, number, round(number / total, 4))

    def misses(self) -> Iterator[ErrorExample]:
        """Every keyphrase that is not shown."""
        for answer in self.answered:
            yield from self._missed(answer)

    def _missed(self, answer: Answered) -> Iterator[ErrorExample]:
        labelled, few = answer.one.labelled, answer.one.few
        text, groups = Text(labelled.document), self.grouped(answer.parts)
        for entry in dict.fromkeys(labelled.given_by(self.here.questions[0].gold)):
            where = self.here.name, MISS, labelled.id
            if reason := text.lost(entry, few.key):
                yield ErrorExample(*where, entry.forms[0], reason, None, None)
                continue
            own = np.flatnonzero(np.isin(few.key, gold_keys([entry], "en")))
            best = int(own[answer.rank[own].argmin()])
            rank = int(answer.rank[best])
            if rank <= self.here.shown:
                continue
            band = next(name for last, name in _BANDS if rank <= last)
            place = int(np.count_nonzero(answer.one.answers[0][:best]))
            group = self.groups[int((self.usual - groups[place]).argmax())]
            yield ErrorExample(
                *where, answer.writing(best), band, rank, self.probability(float(answer.odds[best])), group
            )

    def nearly(self) -> Iterator[ErrorCount]:
        """Of misses, how many are shown in part, with more words, or as their short or long form."""
        found = Counter[str]()
        total = 0
        for answer in self.answered:
            shown = answer.shown(self.here.shown)
            pairs = Text(answer.one.labelled.document).abbreviated
            for entry in dict.fromkeys(answer.one.labelled.given_by(self.here.questions[0].gold)):
                forms = all_readings([entry])
                if any(form in shown for form in forms):
                    continue
                total += 1
                other = {one for form in forms for one in other_writings(form, pairs)}
                found["a part of it is shown"] += any(holds(form, one) for form in forms for one in shown)
                found["it is shown with more words"] += any(holds(one, form) for form in forms for one in shown)
                found["its short or long form is shown"] += any(one in other for one in shown)
        for name, number in found.items():
            yield ErrorCount(self.here.name, MISS, "trait", name, number, round(number / max(1, total), 4))

    def false_alarms(self) -> Iterator[ErrorExample]:
        """Every phrase that is shown and no keyphrase."""
        for answer in self.answered:
            traits, name_of = self._traits(answer), self._namer(answer)
            where = self.here.name, FALSE_ALARM, answer.one.labelled.id
            for index in answer.order[: self.here.shown].tolist():
                if not answer.one.answers[0][index]:
                    phrase, key = answer.writing(index), int(answer.one.few.key[index])
                    name = name_of(phrase, key) or _unrelated({key: bool(of[index]) for key, of in traits.items()})
                    rank, odds = int(answer.rank[index]), float(answer.odds[index])
                    yield ErrorExample(*where, phrase, name, rank, self.probability(odds))

    def _namer(self, answer: Answered) -> Callable[[str, int], str | None]:
        """How a phrase, and its key, are related to the document's gold."""
        labelled, kind = answer.one.labelled, self.here.questions[0].gold
        gold = all_readings(labelled.given_by(kind))
        others = set(gold_keys([entry for entry in labelled.gold if entry.by != kind], "en").tolist())
        pairs = Text(labelled.document).abbreviated

        def named(phrase: str, key: int) -> str | None:
            own = parts_of(phrase)
            if key in others:
                return "keyphrase of another kind of gold"
            if other_writings(own, pairs) & set(gold):
                return "short or long form of a keyphrase"
            return relation(own, gold)

        return named

    def traits(self) -> Iterator[ErrorCount]:
        """What is true of false alarms, and of the keyphrases that are shown."""
        right, wrong = [], []
        for answer in self.answered:
            shown = answer.order[: self.here.shown]
            answers = answer.one.answers[0][shown]
            table = np.array(list(self._traits(answer).values())).reshape(len(_TRAITS), -1)[:, shown]
            right.append(table[:, answers])
            wrong.append(table[:, ~answers])
        hits, alarms = (np.concatenate(some, axis=1) for some in (right, wrong))
        for name, of_alarms, of_hits in zip(_TRAITS, alarms, hits, strict=True):
            number, share = int(of_alarms.sum()), round(float(of_alarms.mean()), 4)
            yield ErrorCount(self.here.name, FALSE_ALARM, "trait", name, number, share, round(float(of_hits.mean()), 4))

    def _traits(self, answer: Answered) -> dict[str, Bools]:
        few, document = answer.one.few, answer.one.labelled.document
        column = {name.partition(": ")[2]: answer.one.rows[:, place] for place, name in enumerate(self.columns)}
        before, behind = beside_nouns(document, few, self.knowledge.tags) if self.knowledge.tags else (few.key < 0,) * 2
        background = self.knowledge.background
        common = background.of(few.key) > _COMMON * background.documents
        values = (
            before,
            behind,
            few.length == 1,
            common,
            column["chosen"] > 0,
            column["independence"] < _MOSTLY,
        )
        return dict(zip(_TRAITS, values, strict=True))


_TRAITS: Final = (
    "a noun stands before most mentions",
    "a noun stands behind most mentions",
    "one word",
    "general: in more than one of a hundred scholarly texts",
    "a keyphrase of other documents",
    "most mentions are part of one longer candidate",
)


def _unrelated(traits: Mapping[str, bool]) -> str:
    """The class of a phrase that is related to no keyphrase."""
    before, behind, _, general, elsewhere, _ = traits.values()
    if general:
        return "unrelated, general"
    if before or behind:
        return "unrelated, a piece of a longer noun phrase"
    return "unrelated, but a keyphrase of other documents" if elsewhere else "unrelated, never a keyphrase elsewhere"


def rows(progress: Progress | None = None, mirror: Path | None = None, *, most: int | None = None) -> tuple[Row, ...]:
    """Counts of all misses and false alarms by class, what else is true of them, and the listed ones.

    Args:
        progress: told how many collections are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        most: documents of a collection that are used; None for all.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    found: list[Row] = []
    for number, here in enumerate(READ, 1):
        found += Reading.of(here, mirror, most).rows()
        if progress:
            progress(number, len(READ))
    return tuple(found)
