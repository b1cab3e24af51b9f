"""The frame of systems that learn to classify their candidates, so that a system's file shows its paper only."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar, cast

from keywright.core.arrays import Bools, Floats, Keys
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import NotFitted
from keywright.core.interfaces import CandidateSystem
from keywright.corpus.labelled import LabelledCollection
from keywright.learners.labels import training_rows

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


def fitted(part: Part | None, system: str) -> Part:
    """Return a part that training made."""
    if part is None:
        raise not_fitted(system)
    return part


def not_fitted(system: str) -> NotFitted:
    """Return the error of a system that is used before it was trained."""
    hint = f"keywright train {system} semeval2010/train -o DIR, then --system DIR"
    return NotFitted(f"the system {system} has not been trained", hint)
