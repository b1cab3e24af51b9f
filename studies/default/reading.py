"""The default asked about held-out documents of a collection, so that its errors can be read."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from keywright.core.arrays import Floats
from keywright.corpus.knowledge import Knowledge
from keywright.learners.growing import Boosting
from keywright.learners.probability import ProbabilityMap
from studies.default.answers import Answered, groups_of
from studies.default.data import StudyCollection, described_as_shipped, grown, held_out


@dataclass(frozen=True, eq=False)
class Reading:
    """The answers for one collection.

    Attributes:
        here: the collection.
        columns: names of the columns.
        answered: its documents, held out.
        knowledge: tables of phrases and words.
    """

    here: StudyCollection
    columns: tuple[str, ...]
    answered: tuple[Answered, ...]
    knowledge: Knowledge = field(default_factory=Knowledge)

    @classmethod
    def of(
        cls,
        here: StudyCollection,
        mirror: Path | None = None,
        most: int | None = None,
        boosting: Boosting | None = None,
    ) -> "Reading":
        """Trees grown on four folds, asked about the fifth."""
        how = boosting or Boosting()
        papers, columns = described_as_shipped(here.name, mirror, most)
        answered = held_out(papers, lambda known, _: grown(here, known, how))
        return cls(here, columns, tuple(Answered.by(one, trees, here) for one, trees in answered))

    @cached_property
    def likely(self) -> ProbabilityMap:
        """From held-out odds to the share of keyphrases."""
        odds = np.concatenate([one.odds for one in self.answered])
        return ProbabilityMap.fit(odds, np.concatenate([one.one.answers[0] for one in self.answered]))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Groups of columns."""
        return tuple(dict.fromkeys(groups_of(self.columns)))

    def grouped(self, parts: Floats) -> Floats:
        """Sums of columns by group, (rows, groups)."""
        which = np.array([self.groups.index(name) for name in groups_of(self.columns)])
        return np.stack([parts[:, which == place].sum(axis=1) for place in range(len(self.groups))], axis=1)

    @cached_property
    def usual(self) -> Floats:
        """What each group gives on average to a keyphrase that is shown, (groups,)."""
        shown = [one.parts[(one.rank <= self.here.shown)[one.one.answers[0]]] for one in self.answered]
        return np.asarray(self.grouped(np.concatenate(shown)).mean(axis=0))

    def probability(self, odds: float) -> float:
        """Of a keyphrase, 0 to 1."""
        return round(float(self.likely.of(np.array([odds]))[0]), 3)
