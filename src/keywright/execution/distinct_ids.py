"""Ids of outcomes: no two in one output are equal."""

from dataclasses import dataclass, field, replace

from keywright.core.predictions import Prediction
from keywright.execution.extraction import Outcome


@dataclass(slots=True)
class DistinctIds:
    """A function that all outcomes of one output pass in order; a repeated id gets a number, and a warning says so.

    Files of records may repeat ids, and folders may hold files of one name: nothing is lost, and an id still means one
    document. Memory grows by some 80 bytes for each document.
    """

    _taken: set[str] = field(default_factory=set)
    _repeats: dict[str, int] = field(default_factory=dict)

    def __call__(self, outcome: Outcome) -> Outcome:
        """Return the outcome, under another id if an earlier one has its id."""
        name = outcome.document_id
        numbered = self.distinct(name)
        if numbered == name:
            return outcome
        if isinstance(outcome, Prediction):
            warning = f"an earlier document has the id {name!r}: this one is called {numbered!r}"
            return replace(outcome, document_id=numbered, warnings=(*outcome.warnings, warning))
        return replace(outcome, document_id=numbered)

    def distinct(self, name: str) -> str:
        """Return an id that was not returned before: the name, or with a number."""
        numbered, number = name, self._repeats.get(name, 1)
        while numbered in self._taken:
            number += 1
            numbered = f"{name}#{number}"
        if number > 1:
            self._repeats[name] = number
        self._taken.add(numbered)
        return numbered
