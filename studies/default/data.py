"""What the default is studied on: training collections alone, described once, trees grown on four of five folds.

No test split is read here. Trees learn and are asked in the styles of the gold, as ``tools/train/train_default.py``
teaches them, but from documents of the same collection alone; tables of phrases and words are those that ship, and a
document's own author list is taken out of them.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.core.styles import Style
from keywright.datasets.author_lists import AuthorLists, author_lists
from keywright.datasets.training_mix import TELLING, TrainingPart, training_documents
from keywright.evaluation.formats.gold_sets import gold_sets
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Functional, functionals
from keywright.experiments.semeval2010.task import RULES, Labelled, folds
from keywright.features.description.style import styled
from keywright.learners.growing import Boosting, boosted_trees
from keywright.learners.trees import Trees
from keywright.ranking.rank import rank
from keywright.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.gold_keys import gold_keys
from studies.quality.collections import BY_DOCUMENT

TOP: Final = 40
"""Phrases of each document that are scored: some fall together when a scorer stems them."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the trees.

    Attributes:
        style: whose keyphrases.
        gold: kind of gold that holds them.
        measures: that are reported.
    """

    style: Style
    gold: str
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyCollection:
    """A training collection that is studied.

    Attributes:
        name: in tables.
        parts: where its documents are from.
        questions: what trees learn and are asked; of the first one errors are read.
        rules: by which is scored.
        shown: phrases of a document that count as shown where errors are read.
    """

    name: str
    parts: tuple[TrainingPart, ...]
    questions: tuple[Question, ...]
    rules: Protocol
    shown: int


_SHARE: Final = 3
"""One abstract in so many is used, so that a table takes a quarter of an hour on one core."""
_OTHERS: Final = ("papyrus", "paperlists", "krapivin2009", "www", "kdd")
COLLECTIONS: Final = (
    StudyCollection(
        "SemEval-2010 train",
        (TrainingPart("semeval2010/train", ("author", "reader", "combined"), Style.READER, rules=TELLING),),
        (
            Question(Style.READER, "combined", ("F@5", "F@15")),
            Question(Style.AUTHOR, "author", ("F@15",)),
        ),
        RULES,
        shown=15,
    ),
    StudyCollection(
        "Inspec train and validation",
        tuple(
            TrainingPart(f"inspec/{split}", ("uncontr", "contr"), Style.INDEXER, every=_SHARE)
            for split in ("train", "validation")
        ),
        (Question(Style.INDEXER, "uncontr", ("F@10",)),),
        BY_DOCUMENT,
        shown=10,
    ),
    StudyCollection(
        "KP20k-small training abstracts",
        (TrainingPart("train_mix/author", ("author",), Style.AUTHOR, besides={"source": _OTHERS}, every=_SHARE),),
        (Question(Style.AUTHOR, "author", ("F@5",)),),
        BY_DOCUMENT,
        shown=5,
    ),
)
"""In the order of the tables."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """A document as trees see it.

    Attributes:
        labelled: the document with all its gold.
        few: the candidates that are described.
        rows: their description, (few, columns).
        answers: for each question of the collection, which of the few are keyphrases, (questions, few).
    """

    labelled: LabelledDocument[AnalysedDocument]
    few: Candidates
    rows: Floats
    answers: Bools


def collection(name: str) -> StudyCollection:
    """A collection of the study by its name.

    Raises:
        UnknownName: it is not studied.
    """
    for one in COLLECTIONS:
        if one.name == name:
            return one
    raise unknown("collection of the study", name, [one.name for one in COLLECTIONS], "keywright reproduce --help")


@lru_cache(maxsize=len(COLLECTIONS))
def documents(name: str, mirror: Path | None = None, most: int | None = None) -> Labelled:
    """The analysed documents of a collection that have gold of its first question, the first ``most`` of them.

    Raises:
        MissingData: the collection is not on this machine.
    """
    here, analyser = collection(name), TextAnalyser("en")
    kind = here.questions[0].gold
    given = (one.labelled for one in training_documents(here.parts, mirror))
    wanted = islice((one for one in given if one.given_by(kind)), most)
    return tuple(LabelledDocument(analyser.analyse(one.document), one.gold) for one in wanted)


def described(
    here: StudyCollection, papers: Labelled, system: Default, lists: AuthorLists
) -> tuple[tuple[Described, ...], tuple[str, ...]]:
    """Documents as trees see them, own author lists taken out of what the system knows, and names of the columns."""
    found: list[Described] = []
    names: tuple[str, ...] = ()
    for one in papers:
        keys = [gold_keys(one.given_by(question.gold), "en") for question in here.questions]
        own = {number for some in keys for number in lists.like(some)}
        knowing = replace(system, knowledge=lists.taken_out(system.knowledge, own))
        view, weight = knowing.view(one.document)
        rows, names = knowing.rows(view, weight)
        answers = np.array([np.isin(view.shortlist.key, some) for some in keys])
        found.append(Described(one, view.shortlist, rows, answers))
    return tuple(found), names


@lru_cache(maxsize=2)
def described_as_shipped(
    name: str, mirror: Path | None = None, most: int | None = None
) -> tuple[tuple[Described, ...], tuple[str, ...]]:
    """All documents of a collection as the shipped default describes them, and names of the columns."""
    return described(collection(name), documents(name, mirror, most), Default(), author_lists("en", mirror))


def grown(
    here: StudyCollection, known: Sequence[Described], boosting: Boosting, columns: Collection[int] | None = None
) -> Trees:
    """Trees that learnt from some documents in every style that is asked.

    Args:
        here: the collection.
        known: what to learn from.
        boosting: numbers of the trees.
        columns: places of those that the trees may see; None for all.
    """
    rows = np.concatenate([_asked(one, q.style, columns) for q in here.questions for one in known])
    answers = np.concatenate([one.answers[place] for place in range(len(here.questions)) for one in known])
    return boosted_trees(rows, answers, boosting)


def held_out(
    papers: Sequence[Described], grow: Callable[[Sequence[Described], int], Trees]
) -> Iterator[tuple[Described, Trees]]:
    """Every document with trees that had not seen it, folds one after the other.

    Args:
        papers: all documents of a collection.
        grow: makes trees of documents and the number of the fold.
    """
    for number, (known, unseen) in enumerate(folds(papers)):
        trees = grow(known, number)
        yield from ((one, trees) for one in unseen)


def ranked(one: Described, trees: Trees, style: Style, columns: Collection[int] | None = None) -> Prediction:
    """The best candidates of a document in a style."""
    return rank(one.labelled.document, one.few, trees.scores(_asked(one, style, columns))).prediction(TOP)


def measured(
    here: StudyCollection, papers: Sequence[Described], predictions: Sequence[Sequence[Prediction]]
) -> dict[tuple[str, str], Functional]:
    """What is reported, by gold and measure, with what resampling needs.

    Args:
        here: the collection.
        papers: all its documents.
        predictions: for each question those of all documents, in any order.
    """
    found = {}
    labelled = [LabelledDocument(one.labelled.document.source, one.labelled.gold) for one in papers]
    for question, some in zip(here.questions, predictions, strict=True):
        rules = replace(here.rules, golds=(question.gold,))
        report = score(Run("", "", "", tuple(some)), gold_sets(labelled, rules.golds), rules)
        for functional in functionals(question.gold, report.counts[question.gold], rules):
            for place, value in enumerate(functional.values):
                if value.measure in question.measures:
                    found[question.gold, value.measure] = _only(functional, place)
    return found


def _only(functional: Functional, place: int) -> Functional:
    """One value of a functional."""
    return replace(functional, values=functional.values[place : place + 1], of=_One(functional, place))


@dataclass(frozen=True, slots=True, eq=False)
class _One:
    """One of the values that a functional computes."""

    functional: Functional
    place: int

    def __call__(self, totals: Floats) -> Floats:
        return self.functional.of(totals)[..., self.place : self.place + 1]


def _asked(one: Described, style: Style, columns: Collection[int] | None) -> Floats:
    """Rows of a document with the style as one column more, (few, columns + 1)."""
    return styled(one.rows if columns is None else one.rows[:, list(columns)], style)
