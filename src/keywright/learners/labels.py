"""Labels: whether each candidate of a training document is a keyphrase; and folds of documents."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.text.gold_keys import gold_keys

Answers = TypeVar("Answers")
"""Targets of learning: labels or grades, (candidates,)."""


def labels(candidates: Candidates, gold: Iterable[GoldKeyphrase], language: str | None = None) -> Bools:
    """Return whether each candidate equals a gold keyphrase, as written or stemmed, (candidates,)."""
    return np.isin(candidates.key, gold_keys(gold, language))


def training_rows(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
) -> tuple[Floats, Bools]:
    """Return features (rows, features) and labels (rows,) of all candidates of all documents; all gold counts.

    Statistics in the features that include a training document must leave it out.
    """
    parts = rows_of_documents(
        labelled,
        candidates_of,
        features_of,
        lambda candidates, example: labels(candidates, example.gold, example.document.source.language),
    )
    rows, answers = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(answers)


def rows_of_documents(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
    answers_of: Callable[[Candidates, LabelledDocument[AnalysedDocument]], Answers],
) -> list[tuple[Floats, Answers]]:
    """Return features (candidates, features) and targets (candidates,) of each document in turn."""
    parts = []
    for example in labelled:
        candidates = candidates_of(example.document)
        parts.append((features_of(candidates, example.document), answers_of(candidates, example)))
    if not parts:
        raise BadParameter("there is nothing to learn from", "give at least one document with gold keyphrases")
    return parts


def check_both_classes(answers: Bools, learner: str) -> None:
    """Raise ``BadParameter`` unless labels (rows,) are of both classes."""
    if answers.all() or not answers.any():
        raise BadParameter(f"{learner} needs rows of both classes", "do gold keyphrases occur in the documents?")


def assign_folds(names: Sequence[str], number: int) -> Ints:
    """Return the fold of each entry by its document's name, (entries,); sizes in distinct names differ by at most 1."""
    order = sorted(set(names), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: place % number for place, name in enumerate(order)}
    return np.array([fold[name] for name in names], int)
