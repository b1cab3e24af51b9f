"""Matrices of features."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown
from keywright.core.interfaces import Feature

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
            raise unknown(f"feature of {system}", name, columns, f"keywright systems {system}")
    return {name: column for name, column in columns.items() if name not in without}
