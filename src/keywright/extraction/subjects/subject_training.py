"""Training of a ranker of subjects, cross-fitted: no document is described or scored by what was learnt from it.

The rows of a document come from counts and similar documents of the other four folds; trees that learn from these rows
apply it to all documents. The figures and the probabilities come from trees that learnt from four folds, whose rows
come from counts without the fifth and without their own: documents as in use.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.learners.examples import assign_folds, cross_fit
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.trees import Trees
from keywright.extraction.subjects.described_documents import DescribedDocument, GoldConcepts, SubjectLookup, describe
from keywright.extraction.subjects.indexed_documents import IndexedDocuments, candidate_rows
from keywright.extraction.subjects.subject_ranker import SubjectModel, SubjectRanker

FOLDS: Final = 5  # folds of cross-fitting; conventional
SETTINGS: Final = Boosting(trees=150, rate=0.05, leaves=12, least=20, share=0.7, features=0.4, penalty=5.0)
"""Settings of the trees; compared on the first halves of the collections of ``benchmarks/quality/subjects.py``, where
75 to 300 trees and 6 or 12 leaves made no difference."""
_SUBJECTS_PER_KNOT: Final = 10  # for each knot of the map; arbitrary: few documents cannot support many
_MOST_KNOTS: Final = 64  # maximum knots of the probability map, as for the default
_FEWEST_KNOTS: Final = 4  # minimum knots of the probability map: two lines
CUTOFFS: Final = (5, 10)  # cutoffs of the figures


@dataclass(frozen=True, slots=True, eq=False)
class TrainedSubjects:
    """A trained ranker with what its training says of it.

    ``documents``: with a subject in the vocabulary; ``subjects``: of each document; ``figures``: cross-validated means
    by measure; ``probabilities``, ``answers``: cross-fitted ones of the first ten concepts of each, (shown,).
    """

    ranker: SubjectRanker
    documents: int
    subjects: tuple[GoldConcepts, ...]
    figures: Mapping[str, float]
    probabilities: Floats
    answers: Bools


Rows: TypeAlias = tuple[Floats, Bools]  # candidates with rows and answers, (candidates, ...)


@dataclass(frozen=True, slots=True, eq=False)
class _Examples:
    """Documents with subjects of a vocabulary of so many concepts."""

    documents: list[DescribedDocument]
    subjects: list[GoldConcepts]
    concepts: int

    def index(self, chosen: Bools) -> IndexedDocuments:
        """Return some documents, (documents,), as indexed ones."""
        places = [subjects.places for subjects in itertools.compress(self.subjects, chosen)]
        return IndexedDocuments.of(list(itertools.compress(self.documents, chosen)), places, self.concepts)

    def rows(self, chosen: Bools, indexed: Bools) -> dict[int, Rows]:
        """Return the rows of chosen documents as indexed ones describe them, by number; masks are (documents,)."""
        index = self.index(indexed)
        rows = {}
        for number in np.flatnonzero(chosen).tolist():
            places, features, _ = candidate_rows(self.documents[number], index)
            rows[number] = features, np.isin(places, self.subjects[number].places)
        return rows


def train_subjects(untrained: SubjectRanker, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> TrainedSubjects:
    """Return a ranker that learnt from documents whose keyphrases are labels or URIs of its vocabulary."""
    if untrained.vocabulary is None:
        hint = "name the folder of an index: --vocabulary DIR (vocabulary=), made by `keywright vocabulary build`"
        raise BadParameter("subjects without a vocabulary", hint)
    lookup = SubjectLookup(untrained.vocabulary)
    subjects, examples = [], _Examples([], [], len(untrained.vocabulary.need_concepts()))
    for example in labelled:
        subjects.append(of_document := lookup.of(example))
        if len(of_document.places):
            examples.documents.append(describe(example.document, untrained.vocabulary, untrained.base))
            examples.subjects.append(of_document)
    names = [f"{document.text}" for document in examples.documents]  # documents of one text are in one fold
    if len(set(names)) < FOLDS:
        lacking = next((label for of_document in subjects for label in of_document.lacking), "")
        hint = f", such as {lacking!r:.60}, which it lacks" if lacking else ""
        raise BadParameter(
            f"{len(set(names))} of {len(subjects)} documents have a subject of the vocabulary",
            f"expected at least {FOLDS} different ones, whose keyphrases are labels or URIs of the vocabulary{hint}",
        )
    fold = assign_folds(names, FOLDS)
    rows, scores = _cross_fit_trees(examples, fold)
    answers = [of_document for _, of_document in rows]
    probabilities = cross_fit(
        fold,
        lambda others: _fit_probabilities([scores[index] for index in others], [answers[index] for index in others]),
        lambda fitted, index: fitted.of(scores[index]),
    )
    indexed = examples.index(np.ones(len(names), bool))
    model = SubjectModel(
        indexed=indexed,
        trees=_grow_trees(rows),
        probability=_fit_probabilities(scores, answers),
        columns=candidate_rows(examples.documents[0], indexed)[2],
    )
    orders = [np.argsort(-of_document, kind="stable")[: CUTOFFS[-1]] for of_document in scores]
    ranked = [values[order] for values, order in zip(answers, orders, strict=True)]
    return TrainedSubjects(
        ranker=replace(untrained, vocabulary=untrained.vocabulary.in_memory(), model=model),
        documents=len(names),
        subjects=tuple(subjects),
        figures=_figures(ranked, [of_document.number for of_document in examples.subjects]),
        probabilities=np.concatenate([values[order] for values, order in zip(probabilities, orders, strict=True)]),
        answers=np.concatenate(ranked),
    )


def _cross_fit_trees(examples: _Examples, fold: Ints) -> tuple[list[Rows], list[Floats]]:
    """Return the rows of each document, and the log-odds of its candidates by trees that learned from other folds."""
    rows: dict[int, Rows] = {}
    scores: dict[int, Floats] = {}
    for held_out in range(FOLDS):
        others: dict[int, Rows] = {}
        for number in {*range(FOLDS)} - {held_out}:
            others |= examples.rows(fold == number, ~np.isin(fold, (number, held_out)))
        trees = _grow_trees([others[index] for index in sorted(others)])
        of_fold = examples.rows(fold == held_out, fold != held_out)
        rows |= of_fold
        scores |= {index: trees.scores(features) for index, (features, _) in of_fold.items()}
    order = range(len(fold))
    return [rows[index] for index in order], [scores[index] for index in order]


def _grow_trees(rows: Sequence[Rows]) -> Trees:
    features, answers = zip(*rows, strict=True)
    return boosted_trees(np.concatenate(features), np.concatenate(answers), SETTINGS)


def _fit_probabilities(scores: Sequence[Floats], answers: Sequence[Bools]) -> ProbabilityMap:
    every_answer = np.concatenate(answers)
    knots = int(every_answer.sum()) // _SUBJECTS_PER_KNOT
    return ProbabilityMap.fit(np.concatenate(scores), every_answer, min(_MOST_KNOTS, max(_FEWEST_KNOTS, knots)))


def _figures(ranked: Sequence[Bools], sizes: Sequence[int]) -> dict[str, float]:
    """Return means of F1 and nDCG from first concepts, best first, and all subjects, found in the vocabulary or not."""
    pairs = list(zip(ranked, sizes, strict=True))
    figures = {}
    for cutoff in CUTOFFS:
        figures[f"F@{cutoff}"] = float(np.mean([2 * hits[:cutoff].sum() / (cutoff + size) for hits, size in pairs]))
    deepest = CUTOFFS[-1]
    gains = [1 / math.log2(place + 2) for place in range(deepest)]
    ndcg = [sum(itertools.compress(gains, hits.tolist())) / sum(gains[:size]) for hits, size in pairs]
    return figures | {f"nDCG@{deepest}": float(np.mean(ndcg))}
