"""Contributions to a score by subject: those of a model's columns, added up in the words of explanations."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Floats

_SUBJECTS: Final = {
    "how often": "how often",
    "where": "where",
    "in which sections": "where",
    "how rare": "how rare",
    "known as a keyphrase": "known as a keyphrase",
    "how it is written": "well-formed",
    "well-formed": "well-formed",
    "its neighbours": "well-formed",
    "on its own": "well-formed",
    "beside the other candidates": "how central",
    "the document": "kind of document",
    "style": "kind of document",
}
"""Subject of each group of columns."""


def contributions_by_subject(contributions: Floats, columns: Sequence[str]) -> dict[str, Floats]:
    """Return the sums of contributions to the log-odds for each subject, (rows,) each.

    Contributions are Shapley values, (rows, columns), or with one column more for the mean, which is not counted;
    columns are named ``group: name``.
    """
    moved: dict[str, Floats] = {subject: np.zeros(len(contributions)) for subject in dict.fromkeys(_SUBJECTS.values())}
    for column, name in zip(contributions.T, columns, strict=False):
        moved[_SUBJECTS[name.partition(":")[0]]] += column
    return moved
