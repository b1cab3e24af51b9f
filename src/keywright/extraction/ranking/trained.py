"""The frame of systems that learn from features of their candidates, so that a system's file shows its paper only."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from keywright.core.arrays import Bools, Floats, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import NotFitted, unknown_name
from keywright.core.interfaces import CandidateSystem, Feature
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.learners.examples import training_rows

System = TypeVar("System", bound=CandidateSystem)
Part = TypeVar("Part")


def fit_system(
    system: System,
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    keys_of: Callable[[AnalysedDocument], Keys],
    fit: Callable[[Floats, Bools], Any],
    least: int = 1,
) -> System:
    """Return a system with its ``collection`` and a ``model`` fitted to its candidates' features and labels."""
    examples = list(labelled)
    collection = LabelledCollection.of(examples, keys_of, least)
    prepared = cast("System", replace(cast("Any", system), collection=collection))
    rows, answers = training_rows(examples, prepared.candidates, prepared.features)
    return cast("System", replace(cast("Any", prepared), model=fit(rows, answers)))


def require_fitted(part: Part | None, system: str) -> Part:
    """Return a part that training made."""
    if part is None:
        raise not_fitted(system)
    return part


def not_fitted(system: str) -> NotFitted:
    """Return the error of a system that is used before it was trained."""
    hint = f"keywright train {system} semeval2010/train -o DIR, then --system DIR"
    return NotFitted(f"the system {system} has not been trained", hint)


Column = TypeVar("Column")


def matrix(columns: Sequence[Feature], candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return all features of all candidates, (candidates, features), also for no candidates or no features."""
    rows = np.empty((len(candidates), len(columns)))
    for index, feature in enumerate(columns):
        rows[:, index] = feature(candidates, document)
    return rows


def chosen_columns(columns: Mapping[str, Column], without: Collection[str], system: str) -> dict[str, Column]:
    """Return a system's features by name without some of them, for ablations."""
    for name in without:
        if name not in columns:
            raise unknown_name(f"feature of {system}", name, columns, f"keywright systems {system}")
    return {name: column for name, column in columns.items() if name not in without}
