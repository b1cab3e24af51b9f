"""The worth of each part of the default: groups of columns, tables, trees and candidates left out in turn.

Every value is measured on held-out folds of training collections and compared with the complete system on the same
documents: the interval of the difference resamples documents, and keeps both results of a document together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.evaluation.statistics.significance import compare_pair
from keywright.experiments.study import run_units
from keywright.extraction.corpus.knowledge import ANY, Knowledge, knowledge_of
from keywright.extraction.features.description.columns import GROUPS, RANKS
from keywright.extraction.learners.growing import Boosting
from keywright.extraction.systems.default import Default
from studies.default.data import (
    COLLECTIONS,
    Described,
    Scores,
    StudyCollection,
    collection,
    describe,
    described_as_shipped,
    documents,
    held_out,
    measure,
    train,
)
from studies.default.rows import EVERYTHING, Ablated
from studies.training_data.author_lists import author_lists


@dataclass(frozen=True, slots=True)
class Condition:
    """A change of the default.

    Attributes:
        name: in tables.
        kind: of the change: ``columns``, ``tables``, ``trees`` or ``candidates``.
        group: of columns that are hidden from the trees; they may still have been used to choose candidates.
        tables: of knowledge that are empty, also where candidates are chosen.
        trees: number of trees.
        shortlist_size: number of candidates that are described.
        papers: whether only long documents have enough candidates for a difference.
    """

    name: str
    kind: str
    group: str | None = None
    tables: tuple[str, ...] = ()
    trees: int = field(default_factory=lambda: Boosting().trees)
    shortlist_size: int = Default.shortlist_size
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
    *(Condition(f"{size} candidates", "candidates", shortlist_size=size, papers=True) for size in (100, 200, 500)),
)
"""All lines of the table; numbers of candidates are arbitrary."""


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None
) -> tuple[Ablated, ...]:
    """Measure every collection with the complete system, then with each part left out.

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
    compared: list[Ablated] = []
    complete: Scores = {}
    for unit, scores in run_units(partial(evaluate, mirror=mirror), units, progress, jobs):
        if unit[1] == EVERYTHING:
            complete = scores
        compared += _compared(unit, scores, complete)
    return tuple(compared)


def evaluate(
    unit: tuple[str, str], *, mirror: Path | None = None, most: int | None = None, boosting: Boosting | None = None
) -> Scores:
    """Measure one condition on one collection.

    Args:
        unit: collection and condition by name.
        mirror: folder of data sets, where it is not the usual one.
        most: number of documents of the collection; None for all.
        boosting: parameters of the trees; the condition may change their number.
    """
    here, condition = collection(unit[0]), _condition(unit[1])
    papers, columns = _described(here, condition, mirror, most)
    usual = boosting or Boosting()
    changed = replace(usual, trees=condition.trees) if condition.kind == "trees" else usual
    visible = [place for place, name in enumerate(columns) if name not in hidden(condition.group, columns)]
    ranked_by = held_out(papers, lambda training, _: train(here, training, changed, visible))
    return measure(here, papers, ranked_by, visible)


def _condition(name: str) -> Condition:
    return next(condition for condition in CONDITIONS if condition.name == name)


def _described(here: StudyCollection, condition: Condition, mirror: Path | None, most: int | None) -> Described:
    if condition.kind not in {"tables", "candidates"}:
        return described_as_shipped(here.name, mirror, most)
    system = Default(shortlist_size=condition.shortlist_size, knowledge=without(Knowledge(), condition.tables))
    return describe(here, documents(here.name, mirror, most), system, author_lists("en", mirror))


def without(knowledge: Knowledge, tables: tuple[str, ...]) -> Knowledge:
    """Return the knowledge with some of its tables empty."""
    nothing = knowledge_of(ANY)
    return replace(knowledge, **{name: getattr(nothing, name) for name in tables})


def hidden(group: str | None, columns: tuple[str, ...]) -> set[str]:
    """Return the columns of a group, and the ranks of its columns among the candidates."""
    in_group = {column for column in columns if column.partition(": ")[0] == group}
    ranks = {f"{RANKS}: rank of {column.partition(': ')[2]}" for column in in_group}
    return in_group | (ranks & set(columns))


def _compared(unit: tuple[str, str], scores: Scores, complete: Scores) -> Iterator[Ablated]:
    condition = _condition(unit[1])
    for (gold, name), functional in scores.items():
        value = float(functional.observed[0])
        if condition.name == EVERYTHING:
            low, high = percentile_interval(functional.of(resample(functional.rows, Resampling())), Resampling().level)
            numbers = (value, 0.0, float(low[0]), float(high[0]))
        else:
            pair = compare_pair(functional, complete[gold, name], Resampling(), randomised=False)
            numbers = (value, float(pair.difference[0]), float(pair.low[0]), float(pair.high[0]))
        place = (unit[0], len(functional.ids), gold, name, condition.kind, condition.name)
        yield Ablated(*place, *(round(number, 6) for number in numbers))
