"""Training collections that the default is studied on, and their described documents."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument, Style
from keywright.core.errors import unknown_name
from keywright.core.predictions import Prediction, Run
from keywright.datasets.training_mix import TELLING, TrainingPart
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Functional, make_functionals
from keywright.experiments.semeval2010_task import RULES, Labelled, split_folds
from keywright.extraction.features.description.described_candidates import add_style_column
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import rank
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.quality.collections import BY_DOCUMENT
from studies.training_data.author_lists import AuthorLists, author_lists
from studies.training_data.training_documents import training_documents


@dataclass(frozen=True, slots=True)
class Question:
    """A style to predict, and how the predictions are scored.

    Attributes:
        style: of the keyphrases.
        gold: kind of gold that has them.
        measures: to report.
    """

    style: Style
    gold: str
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyCollection:
    """A training collection that is studied.

    Attributes:
        name: in tables.
        parts: sources of its documents.
        questions: styles that trees are trained on and evaluated in; errors are those of the first.
        protocol: that scores.
        shown: length of the lists whose errors are counted.
    """

    name: str
    parts: tuple[TrainingPart, ...]
    questions: tuple[Question, ...]
    protocol: Protocol
    shown: int


_SHARE: Final = 3  # one abstract in three is used; arbitrary: a table then takes a quarter of an hour on one core
_OTHER_SOURCES: Final = ("papyrus", "paperlists", "krapivin2009", "www", "kdd")
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
        (
            TrainingPart(
                "train_mix/author", ("author",), Style.AUTHOR, besides={"source": _OTHER_SOURCES}, every=_SHARE
            ),
        ),
        (Question(Style.AUTHOR, "author", ("F@5",)),),
        BY_DOCUMENT,
        shown=5,
    ),
)
"""In the order of the tables."""


def collection(name: str) -> StudyCollection:
    """Return a collection of the study by its name.

    Raises:
        UnknownName: it is not studied.
    """
    for studied in COLLECTIONS:
        if studied.name == name:
            return studied
    names = [studied.name for studied in COLLECTIONS]
    raise unknown_name("collection of the study", name, names, "python -m studies --help")


TOP: Final = 40  # phrases of each document that are scored: some become equal when a scorer stems them; arbitrary

Scores: TypeAlias = Mapping[tuple[str, str], Functional]
"""Reported values by gold and measure, as functions of what resampling needs."""


@dataclass(frozen=True, slots=True, eq=False)
class DescribedDocument:
    """A document as trees see it.

    Attributes:
        labelled: the document with all its gold.
        shortlist: the candidates that are described.
        rows: their description, (shortlist, columns).
        answers: for each question of the collection, which candidates are keyphrases, (questions, shortlist).
    """

    labelled: LabelledDocument[AnalysedDocument]
    shortlist: Candidates
    rows: Floats
    answers: Bools

    def styled_rows(self, style: Style, columns: Collection[int] | None = None) -> Floats:
        """Return the rows with the style as one column more, (shortlist, columns + 1)."""
        return add_style_column(self.rows if columns is None else self.rows[:, list(columns)], style)


Described: TypeAlias = tuple[tuple[DescribedDocument, ...], tuple[str, ...]]
"""The documents of a collection, and names of the columns."""


@lru_cache(maxsize=len(COLLECTIONS))
def documents(name: str, mirror: Path | None = None, most: int | None = None) -> Labelled:
    """Return the first ``most`` documents of a collection that have gold of its first question, analysed.

    Raises:
        MissingData: the collection is not on this machine.
    """
    here, analyser = collection(name), TextAnalyser("en")
    kind = here.questions[0].gold
    labelled = (document.labelled for document in training_documents(here.parts, mirror))
    with_gold = islice((document for document in labelled if document.given_by(kind)), most)
    return tuple(LabelledDocument(analyser.analyse(document.document), document.gold) for document in with_gold)


def describe(here: StudyCollection, papers: Labelled, system: Default, lists: AuthorLists) -> Described:
    """Describe documents, each without its own author list in the system's knowledge."""
    described: list[DescribedDocument] = []
    names: tuple[str, ...] = ()
    for paper in papers:
        keys = [gold_keys(paper.given_by(question.gold), "en") for question in here.questions]
        same_lists = {number for gold in keys for number in lists.like(gold)}
        knowing = replace(system, knowledge=lists.taken_out(system.knowledge, same_lists))
        view, weight = knowing.view(paper.document)
        rows, names = knowing.rows(view, weight)
        answers = np.array([np.isin(view.shortlist.key, gold) for gold in keys])
        described.append(DescribedDocument(paper, view.shortlist, rows, answers))
    return tuple(described), names


@lru_cache(maxsize=2)
def described_as_shipped(name: str, mirror: Path | None = None, most: int | None = None) -> Described:
    """Return the documents of a collection as the shipped default describes them."""
    return describe(collection(name), documents(name, mirror, most), Default(), author_lists("en", mirror))


def train(
    here: StudyCollection,
    papers: Sequence[DescribedDocument],
    boosting: Boosting,
    columns: Collection[int] | None = None,
) -> Trees:
    """Train trees on documents in every style of the collection.

    Args:
        here: the collection.
        papers: to learn from.
        boosting: parameters of the trees.
        columns: positions of those that the trees may use; None for all.
    """
    rows = np.concatenate([paper.styled_rows(asked.style, columns) for asked in here.questions for paper in papers])
    answers = np.concatenate([paper.answers[place] for place in range(len(here.questions)) for paper in papers])
    return boosted_trees(rows, answers, boosting)


def held_out(
    papers: Sequence[DescribedDocument], train_fold: Callable[[Sequence[DescribedDocument], int], Trees]
) -> Iterator[tuple[DescribedDocument, Trees]]:
    """Yield every document with trees that were trained without it, fold by fold.

    Args:
        papers: all documents of a collection.
        train_fold: returns trees from training documents and the number of the fold.
    """
    for number, (training, rest) in enumerate(split_folds(papers)):
        trees = train_fold(training, number)
        yield from ((paper, trees) for paper in rest)


def measure(
    here: StudyCollection,
    papers: Sequence[DescribedDocument],
    ranked_by: Iterable[tuple[DescribedDocument, Trees]],
    columns: Collection[int] | None = None,
) -> Scores:
    """Score the rankings of trees in every style of the collection.

    Args:
        here: the collection.
        papers: all its documents.
        ranked_by: the documents in any order, each with the trees that rank its candidates.
        columns: positions of those that the trees use; None for all.
    """
    predictions: list[list[Prediction]] = [[] for _ in here.questions]
    for paper, trees in ranked_by:
        for asked, of_question in zip(here.questions, predictions, strict=True):
            scores = trees.scores(paper.styled_rows(asked.style, columns))
            of_question.append(rank(paper.labelled.document, paper.shortlist, scores).prediction(TOP))
    labelled = [LabelledDocument(paper.labelled.document.source, paper.labelled.gold) for paper in papers]
    values = {}
    for asked, of_question in zip(here.questions, predictions, strict=True):
        protocol = replace(here.protocol, golds=(asked.gold,))
        report = score(Run("", "", "", tuple(of_question)), make_gold_sets(labelled, protocol.golds), protocol)
        for functional in make_functionals(asked.gold, report.counts[asked.gold], protocol):
            for place, value in enumerate(functional.values):
                if value.measure in asked.measures:
                    values[asked.gold, value.measure] = _single(functional, place)
    return values


def _single(functional: Functional, place: int) -> Functional:
    """Return one value of a functional."""
    return replace(functional, values=functional.values[place : place + 1], of=_Single(functional, place))


@dataclass(frozen=True, slots=True, eq=False)
class _Single:
    """One of the values that a functional computes; a class, so that it pickles."""

    functional: Functional
    place: int

    def __call__(self, totals: Floats) -> Floats:
        return self.functional.of(totals)[..., self.place : self.place + 1]
