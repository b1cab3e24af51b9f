"""Rows of the study of guarantees."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from keywright.experiments.study import TableRow


@dataclass(frozen=True, slots=True)
class Coverage(TableRow):
    """One guarantee, given anew after each of many divisions of a collection into calibration and rest.

    Attributes:
        system: that predicted the phrases; ``simulated`` for simulated documents.
        dataset: of the documents.
        measure: ``precision`` or ``recall``.
        empty: how a list without phrases counts: ``apart`` or ``right``.
        target: the least value that is guaranteed, 0 to 1.
        confidence: confidence level; None for recall, which is guaranteed on average.
        splits: number of divisions.
        documents: of calibration.
        promised: share of splits in which a guarantee could be given, 0 to 1.
        violated: share of all splits in which it was given and the rest of the documents fell short, 0 to 1.
        violated_of_all: the same over all documents of the collection: a small rest may fall short by chance.
        allowed: share of splits that may be violated, plus two standard errors of the simulation; None for recall.
        holds: whether no more are violated; for recall, whether the mean is at least the target less two standard
            errors.
        value: precision of lists or recall on the rest, mean over the splits with a guarantee; None where there are
            none, as for all that follow.
        value_of_all: the same on all documents of the collection.
        phrases: shown per document of the rest.
        empties: share of documents of the rest with an empty list.
        pooled: precision of all phrases that are shown of the rest, over all documents together.
        threshold: probability above which phrases are shown.
    """

    system: str
    dataset: str
    measure: str
    empty: str
    target: float
    confidence: float | None
    splits: int
    documents: int
    promised: float
    violated: float
    violated_of_all: float
    allowed: float | None
    holds: bool
    value: float | None
    value_of_all: float | None
    phrases: float | None
    empties: float | None
    pooled: float | None
    threshold: float | None

    keys: ClassVar[Mapping[str, str]] = MappingProxyType({"holds": "kept"})
