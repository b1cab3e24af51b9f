"""A document as trees ranked it that had not seen it, and what moved the scores of its keyphrases."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.features.description.columns import RANKS
from keywright.features.description.style import styled
from keywright.learners.trees import Trees
from keywright.ranking.rank import order_of, spans_of, surface_form
from studies.default.data import Described, StudyCollection
from studies.default.phrases import Parts, parts_of

FIRST: Final = "first ranking"
"""The weight that chose the candidates, and its rank."""


@dataclass(frozen=True, eq=False)
class Answered:
    """A document as trees ranked it that had not seen it.

    Attributes:
        one: the document.
        odds: of the few, (few,).
        parts: what columns gave to the odds of each keyphrase among the few, (keyphrases, columns).
    """

    one: Described
    odds: Floats
    parts: Floats

    @classmethod
    def by(cls, one: Described, trees: Trees, here: StudyCollection) -> "Answered":
        """The trees' answer."""
        rows = styled(one.rows, here.questions[0].style)
        return cls(one, trees.scores(rows), trees.contributions(rows[one.answers[0]])[:, : one.rows.shape[1]])

    @cached_property
    def order(self) -> Ints:
        """The few, best first, (few,)."""
        return order_of(self.one.few, self.odds)

    @cached_property
    def rank(self) -> Ints:
        """Rank of each of the few, from 1, (few,)."""
        rank = np.empty(len(self.order), np.int64)
        rank[self.order] = np.arange(1, len(self.order) + 1)
        return rank

    def writing(self, index: int) -> str:
        """A candidate as the document writes it most."""
        document = self.one.labelled.document
        return surface_form(document.source.text, spans_of(document, self.one.few, index))

    def shown(self, most: int) -> tuple[Parts, ...]:
        """The first phrases in stems."""
        return tuple(parts_of(self.writing(index)) for index in self.order[:most].tolist())


def groups_of(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The group of each column; a rank is of the group of what is ranked, weight and its rank are one of their own."""
    named = [(group, name) for group, _, name in (column.partition(": ") for column in columns)]
    own = {name: group for group, name in named if group != RANKS}
    return tuple(own.get(name.removeprefix("rank of "), FIRST) for _, name in named)
