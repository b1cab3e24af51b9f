"""What each part of the default is worth: groups of columns, tables, trees and candidates left out in turn.

Every row is measured on held-out folds of training collections and stands beside the system with everything, on the
same documents: the interval of the difference draws documents, and keeps both results of a document together.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from keywright.core.interfaces import Progress
from keywright.core.predictions import Prediction
from keywright.corpus.by_language import ANY, knowledge_of
from keywright.corpus.knowledge import Knowledge
from keywright.datasets.author_lists import author_lists
from keywright.evaluation.statistics.bootstrap import Functional, Resampling, interval, resampled
from keywright.evaluation.statistics.significance import paired
from keywright.experiments.rows import TableRow
from keywright.experiments.run_units import run_units
from keywright.features.description.columns import GROUPS, RANKS
from keywright.learners.growing import Boosting
from keywright.systems.default import Default
from studies.default.data import (
    COLLECTIONS,
    StudyCollection,
    collection,
    described,
    described_as_shipped,
    documents,
    grown,
    held_out,
    measured,
    ranked,
)

EVERYTHING: Final = "everything"
"""The row that all others are compared with."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A way of leaving something out.

    Attributes:
        name: in tables.
        kind: what is changed: ``columns``, ``tables``, ``trees`` or ``candidates``.
        group: of columns that the trees do not see; they may still have been used to choose candidates.
        tables: of knowledge that are empty, also where candidates are chosen.
        trees: how many.
        few: candidates that are described.
        papers: whether it makes a difference for long documents alone.
    """

    name: str
    kind: str
    group: str | None = None
    tables: tuple[str, ...] = ()
    trees: int = field(default_factory=lambda: Boosting().trees)
    few: int = Default.shortlist_size
    papers: bool = False


_CHOSEN: Final = ("chosen", "chosen_words", "chosen_heads")
CONDITIONS: Final = (
    Condition(EVERYTHING, EVERYTHING),
    *(Condition(group, "columns", group=group) for group in (*GROUPS, RANKS)),
    Condition("author keyphrases", "tables", tables=_CHOSEN),
    Condition("background", "tables", tables=("background",)),
    Condition("titles", "tables", tables=("titles",)),
    Condition("general English", "tables", tables=("general",)),
    Condition("nouns of a dictionary", "tables", tables=("nouns",)),
    Condition("parts of speech", "tables", tables=("tags",)),
    Condition("all tables", "tables", tables=(*_CHOSEN, "background", "titles", "general", "nouns", "tags")),
    Condition("half the trees", "trees", trees=Boosting().trees // 2),
    Condition("twice the trees", "trees", trees=Boosting().trees * 2),
    *(Condition(f"{few} candidates", "candidates", few=few, papers=True) for few in (100, 200, 500)),
)
"""All rows of the table."""


@dataclass(frozen=True, slots=True)
class Ablated(TableRow):
    """One value with something left out.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        documents: how many.
        gold: kind of gold.
        measure: such as ``F@15``.
        kind: what was changed: ``everything`` for nothing, ``columns``, ``tables``, ``trees``, ``candidates``.
        condition: what was left out, or put in its place.
        value: 0 to 1.
        low, high: ends of 95 percent, from drawing documents: of the difference, or of the value itself in the row
            ``everything``.
        difference: to the value of everything; 0 there.
    """

    collection: str
    documents: int
    gold: str
    measure: str
    kind: str
    condition: str
    value: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trial:
    """Measures one condition on one collection; travels to other processes.

    Attributes:
        mirror: folder of data sets, where it is not the usual one.
        most: documents of a collection that are used; None for all.
        boosting: numbers of the trees; how many a condition says where it changes that.
    """

    mirror: Path | None = None
    most: int | None = None
    boosting: Boosting = field(default_factory=Boosting)

    def __call__(self, unit: tuple[str, str]) -> dict[tuple[str, str], Functional]:
        """What is reported of a collection and a condition, both by name."""
        here = collection(unit[0])
        condition = next(one for one in CONDITIONS if one.name == unit[1])
        papers, columns = self._described(here, condition)
        boosting = replace(self.boosting, trees=condition.trees) if condition.kind == "trees" else self.boosting
        seen = [place for place, name in enumerate(columns) if name not in hidden(condition.group, columns)]
        predictions: list[list[Prediction]] = [[] for _ in here.questions]
        for one, trees in held_out(papers, lambda known, _: grown(here, known, boosting, seen)):
            for question, some in zip(here.questions, predictions, strict=True):
                some.append(ranked(one, trees, question.style, seen))
        return measured(here, papers, predictions)

    def _described(self, here: StudyCollection, condition: Condition) -> Any:
        if condition.kind not in {"tables", "candidates"}:
            return described_as_shipped(here.name, self.mirror, self.most)
        system = Default(shortlist_size=condition.few, knowledge=without(Knowledge(), condition.tables))
        papers = documents(here.name, self.mirror, self.most)
        return described(here, papers, system, author_lists("en", self.mirror))


def without(knowledge: Knowledge, tables: tuple[str, ...]) -> Knowledge:
    """The knowledge with some of its tables empty."""
    nothing = knowledge_of(ANY)
    return replace(knowledge, **{name: getattr(nothing, name) for name in tables})


def hidden(group: str | None, columns: tuple[str, ...]) -> set[str]:
    """Columns of a group, and ranks of its columns among the candidates."""
    own = {column.partition(": ")[2] for column in columns if column.partition(": ")[0] == group}
    ranks = {f"{RANKS}: rank of {name}" for name in own}
    return {column for column in columns if column.partition(": ")[0] == group or column in ranks}


def rows(
    progress: Progress | None = None, mirror: Path | None = None, *, jobs: int | None = None, most: int | None = None
) -> tuple[Ablated, ...]:
    """Every collection with everything, then with each part left out.

    Args:
        progress: told how many conditions are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.
        most: documents of a collection that are used; None for all.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    units = [
        (here.name, condition.name)
        for here in COLLECTIONS
        for condition in CONDITIONS
        if here is COLLECTIONS[0] or not condition.papers
    ]
    found: list[Ablated] = []
    whole: dict[tuple[str, str], Functional] = {}
    for unit, outcome in run_units(Trial(mirror, most), units, progress, jobs):
        if unit[1] == EVERYTHING:
            whole = outcome
        found += _compared(unit, outcome, whole)
    return tuple(found)


def _compared(
    unit: tuple[str, str],
    outcome: dict[tuple[str, str], Functional],
    whole: dict[tuple[str, str], Functional],
) -> list[Ablated]:
    condition = next(one for one in CONDITIONS if one.name == unit[1])
    found = []
    for (gold, measure), functional in outcome.items():
        value = float(functional.observed[0])
        if unit[1] == EVERYTHING:
            low, high = interval(functional.of(resampled(functional.rows, Resampling())), Resampling().level)
            numbers = (value, 0.0, float(low[0]), float(high[0]))
        else:
            pair = paired(functional, whole[gold, measure], Resampling(), randomised=False)
            numbers = (value, float(pair.difference[0]), float(pair.low[0]), float(pair.high[0]))
        place = (unit[0], len(functional.ids), gold, measure, condition.kind, condition.name)
        found.append(Ablated(*place, *(round(number, 6) for number in numbers)))
    return found
