"""Training of a ranker of subjects, cross-fitted: no document is described or scored by what was learnt from it.

Documents are in five folds. The rows of a document come from counts and similar documents of the other folds; trees
that learn from these rows apply it to all documents. The figures and the probabilities come from trees that learnt
from four folds, whose rows come from counts without the fifth and without their own: they meet documents that nothing
was learnt from, as in use.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.learners.examples import assign_folds
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.trees import Trees
from keywright.extraction.subjects.candidate_rows import candidate_rows
from keywright.extraction.subjects.concept_matches import GoldConcepts, SubjectLookup, concepts_of
from keywright.extraction.subjects.described_documents import DescribedDocument, describe
from keywright.extraction.subjects.indexed_documents import IndexedDocuments
from keywright.extraction.subjects.subject_ranker import SubjectModel, SubjectRanker

FOLDS: Final = 5
"""Folds of cross-fitting; conventional."""
SETTINGS: Final = Boosting(trees=150, rate=0.05, leaves=12, least=20, share=0.7, features=0.4, penalty=5.0)
"""Settings of the trees; compared on the first halves of the collections of ``benchmarks/quality/subjects.py``, where
75 to 300 trees and 6 or 12 leaves made no difference."""
_SUBJECTS_PER_KNOT: Final = 10
"""Subjects for each knot of the probability map; arbitrary: few documents cannot support many knots."""
_MOST_KNOTS: Final = 64
"""Maximum knots of the probability map, as for the default."""
_FEWEST_KNOTS: Final = 4
"""Minimum knots of the probability map: two lines."""
CUTOFFS: Final = (5, 10)
"""Cutoffs of the figures."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainedSubjects:
    """A trained ranker with what its training says of it.

    Attributes:
        ranker: the system.
        documents: number of documents with a subject in the vocabulary.
        subjects: subjects of each document that was given.
        figures: cross-validated means over these documents, by name of the measure.
        probabilities, answers: cross-fitted probabilities of the first ten concepts of all documents, and whether they
            are subjects, (shown,) both.
    """

    ranker: SubjectRanker
    documents: int
    subjects: tuple[GoldConcepts, ...]
    figures: Mapping[str, float]
    probabilities: Floats
    answers: Bools


@dataclass(frozen=True, slots=True, eq=False)
class _Example:
    """A document with its subjects."""

    document: DescribedDocument
    subjects: GoldConcepts


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Candidates of a document with rows and answers, (candidates, columns) and (candidates,)."""

    rows: Floats
    answers: Bools


def train_subjects(
    untrained: SubjectRanker, labelled: Iterable[LabelledDocument[AnalysedDocument]], seed: int = 1
) -> TrainedSubjects:
    """Return a ranker that learnt from documents whose keyphrases are labels or URIs of its vocabulary.

    Args:
        untrained: ranker with a vocabulary of concepts.
        labelled: the documents; those without a subject in the vocabulary teach nothing.
        seed: of the trees.

    Raises:
        BadParameter: there is no vocabulary of concepts, or too little to learn from.
    """
    if untrained.vocabulary is None:
        hint = "name the folder of an index: --vocabulary DIR (vocabulary=), made by `keywright vocabulary build`"
        raise BadParameter("subjects without a vocabulary", hint)
    lookup = SubjectLookup(untrained.vocabulary)
    subjects, examples, names = [], [], []
    for example in labelled:
        subjects.append(of_document := lookup.of(example))
        if len(of_document.places):
            described = describe(example.document, untrained.vocabulary, untrained.base)
            examples.append(_Example(described, of_document))
            names.append(f"{described.text}")  # documents of one text are in one fold
    _check(names, subjects)
    fold = assign_folds(names, FOLDS)
    number = len(concepts_of(untrained.vocabulary))
    settings = replace(SETTINGS, seed=seed)
    rows, scores = _cross_fitted(examples, fold, number, settings)
    answers = [each.answers for each in rows]
    indexed = _index_examples(examples, number)
    model = SubjectModel(
        indexed=indexed,
        trees=_trees(rows, settings),
        probability=_probability_map(scores, answers),
        columns=candidate_rows(examples[0].document, indexed)[2],
    )
    probabilities = _cross_fitted_probabilities(scores, answers, fold)
    orders = [np.argsort(-of_document, kind="stable")[: CUTOFFS[-1]] for of_document in scores]
    return TrainedSubjects(
        ranker=replace(untrained, vocabulary=untrained.vocabulary.in_memory(), model=model),
        documents=len(examples),
        subjects=tuple(subjects),
        figures=_figures([answer[order] for answer, order in zip(answers, orders, strict=True)], examples),
        probabilities=np.concatenate([values[order] for values, order in zip(probabilities, orders, strict=True)]),
        answers=np.concatenate([values[order] for values, order in zip(answers, orders, strict=True)]),
    )


def _check(names: Sequence[str], subjects: Sequence[GoldConcepts]) -> None:
    """Raise ``BadParameter`` where there is too little to learn from."""
    if len(set(names)) < FOLDS:
        lacking = next((label for of_document in subjects for label in of_document.lacking), "")
        example = f", such as {lacking!r:.60}, which it lacks" if lacking else ""
        raise BadParameter(
            f"{len(set(names))} of {len(subjects)} documents have a subject of the vocabulary",
            f"expected at least {FOLDS} different ones, whose keyphrases are labels or URIs of the vocabulary{example}",
        )


def _cross_fitted(
    examples: Sequence[_Example], fold: Ints, concepts: int, settings: Boosting
) -> tuple[list[_Rows], list[Floats]]:
    """Return the rows of each document, and the log-odds of its candidates by trees that learned from other folds."""
    rows: dict[int, _Rows] = {}
    scores: dict[int, Floats] = {}
    for held_out in range(FOLDS):
        others: dict[int, _Rows] = {}
        for number in {*range(FOLDS)} - {held_out}:
            others |= _rows(examples, fold == number, ~np.isin(fold, (number, held_out)), concepts)
        trees = _trees([others[index] for index in sorted(others)], settings)
        of_fold = _rows(examples, fold == held_out, fold != held_out, concepts)
        rows |= of_fold
        scores |= {index: trees.scores(each.rows) for index, each in of_fold.items()}
    order = range(len(examples))
    return [rows[index] for index in order], [scores[index] for index in order]


def _rows(examples: Sequence[_Example], chosen: Bools, indexed: Bools, concepts: int) -> dict[int, _Rows]:
    """Return the rows of chosen documents as indexed ones describe them, by number; masks are (examples,)."""
    documents = _index_examples([examples[index] for index in np.flatnonzero(indexed).tolist()], concepts)
    rows = {}
    for index in np.flatnonzero(chosen).tolist():
        places, features, _ = candidate_rows(examples[index].document, documents)
        rows[index] = _Rows(features, np.isin(places, examples[index].subjects.places))
    return rows


def _index_examples(examples: Sequence[_Example], concepts: int) -> IndexedDocuments:
    documents, subjects = zip(*((example.document, example.subjects.places) for example in examples), strict=True)
    return IndexedDocuments.of(documents, subjects, concepts)


def _trees(rows: Sequence[_Rows], settings: Boosting) -> Trees:
    answers = np.concatenate([each.answers for each in rows])
    return boosted_trees(np.concatenate([each.rows for each in rows]), answers, settings)


def _probability_map(scores: Sequence[Floats], answers: Sequence[Bools]) -> ProbabilityMap:
    every_answer = np.concatenate(answers)
    knots = int(every_answer.sum()) // _SUBJECTS_PER_KNOT
    return ProbabilityMap.fit(np.concatenate(scores), every_answer, min(_MOST_KNOTS, max(_FEWEST_KNOTS, knots)))


def _cross_fitted_probabilities(scores: Sequence[Floats], answers: Sequence[Bools], fold: Ints) -> list[Floats]:
    """Return the probabilities of each document's candidates by a map that was fitted on the other folds."""
    probabilities: list[Floats] = [np.zeros(0)] * len(scores)
    for number in range(FOLDS):
        others = np.flatnonzero(fold != number).tolist()
        fitted = _probability_map([scores[index] for index in others], [answers[index] for index in others])
        for index in np.flatnonzero(fold == number).tolist():
            probabilities[index] = fitted.of(scores[index])
    return probabilities


def _figures(ranked: Sequence[Bools], examples: Sequence[_Example]) -> dict[str, float]:
    """Return means of F1 and nDCG, from whether each document's first concepts are subjects, best first.

    Subjects that the vocabulary lacks count as not found. Cutoffs are places: a shorter list has empty ones.
    """
    sizes = [example.subjects.number for example in examples]
    figures = {
        f"F@{cutoff}": float(
            np.mean([2 * hits[:cutoff].sum() / (cutoff + size) for hits, size in zip(ranked, sizes, strict=True)])
        )
        for cutoff in CUTOFFS
    }
    deepest = CUTOFFS[-1]
    gains = [1 / math.log2(place + 2) for place in range(deepest)]
    ndcg = [
        sum(itertools.compress(gains, hits.tolist())) / sum(gains[:size])
        for hits, size in zip(ranked, sizes, strict=True)
    ]
    return figures | {f"nDCG@{deepest}": float(np.mean(ndcg))}
