"""Ids of outcomes: no two in one output are equal."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeVar

from keywright.core.finished_records import FinishedRecord
from keywright.core.id_set import IdSet
from keywright.core.predictions import Failure, Prediction

_MOST_REPEATS: Final = 100_000
"""Repeated ids whose last number is remembered; that of others is searched again from 2. Arbitrary."""
Named = TypeVar("Named", Prediction | Failure, FinishedRecord)


class DistinctIds:
    """A function that all outcomes of one output pass in order; a repeated id gets a number, and a warning says so.

    Files of records may repeat ids, and folders may hold files of one name: nothing is lost, and an id still means one
    document. Memory grows by some 17 bytes for each document, see ``IdSet``.

    Args:
        taken: ids that are not free.
    """

    def __init__(self, taken: Iterable[str] | IdSet = ()) -> None:
        """Take some ids."""
        self._taken = taken.copy() if isinstance(taken, IdSet) else IdSet(taken)
        self._repeats: dict[str, int] = {}

    def __call__(self, outcome: Named) -> Named:
        """Return the outcome, under another id if an earlier one has its id."""
        name = outcome.document_id
        numbered = self.distinct(name)
        if numbered == name:
            return outcome
        warning = f"an earlier document has the id {name!r}: this one is called {numbered!r}"
        match outcome:
            case FinishedRecord():
                return outcome.renamed(numbered, warning)
            case Prediction():
                return replace(outcome, document_id=numbered, warnings=(*outcome.warnings, warning))
            case _:
                return replace(outcome, document_id=numbered)

    def distinct(self, name: str) -> str:
        """Return an id that was not returned before: the name, or with a number."""
        if self._taken.add(name):
            return name
        number = self._repeats.get(name, 1) + 1
        while not self._taken.add(numbered := f"{name}#{number}"):
            number += 1
        if len(self._repeats) > _MOST_REPEATS:
            self._repeats.clear()
        self._repeats[name] = number
        return numbered
