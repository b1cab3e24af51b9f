"""Held-out rankings of the default on a collection, whose errors are counted and explained."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import GoldKeyphrase
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import RANKS
from keywright.extraction.learners.growing import Boosting
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import order_of, spans_of, surface_form
from studies.default.data import DescribedDocument, StudyCollection, described_as_shipped, held_out, train
from studies.default.phrases import Parts, parts_of

FIRST_RANKING: Final = "first ranking"  # group of the weight that chose the candidates, and of its rank


@dataclass(frozen=True, eq=False)
class HeldOutRanking:
    """A document as ranked by trees that were trained without it.

    Attributes:
        paper: the document.
        here: its collection.
        log_odds: of the shortlist, (shortlist,).
        contributions: of the columns to the log-odds of each keyphrase on the shortlist, (keyphrases, columns).
    """

    paper: DescribedDocument
    here: StudyCollection
    log_odds: Floats
    contributions: Floats

    @classmethod
    def by_trees(cls, paper: DescribedDocument, trees: Trees, here: StudyCollection) -> Self:
        """Rank a document in the collection's first style."""
        rows = paper.styled_rows(here.questions[0].style)
        contributions = trees.contributions(rows[paper.answers[0]])[:, : paper.rows.shape[1]]  # without the style
        return cls(paper, here, trees.scores(rows), contributions)

    @cached_property
    def order(self) -> Ints:
        """Positions on the shortlist, best first, (shortlist,)."""
        return order_of(self.paper.shortlist, self.log_odds)

    @cached_property
    def rank(self) -> Ints:
        """Rank of each candidate of the shortlist, from 1, (shortlist,)."""
        rank = np.empty(len(self.order), np.int64)
        rank[self.order] = np.arange(1, len(self.order) + 1)
        return rank

    @property
    def is_keyphrase(self) -> Bools:
        """Truth values of the shortlist: which candidates are keyphrases, (shortlist,)."""
        return np.asarray(self.paper.answers[0])

    @property
    def shown(self) -> Ints:
        """Positions of the candidates that are shown, best first."""
        return self.order[: self.here.shown]

    @property
    def keyphrases(self) -> tuple[GoldKeyphrase, ...]:
        """The gold of the first question, each entry once."""
        return tuple(dict.fromkeys(self.paper.labelled.given_by(self.here.questions[0].gold)))

    def surface_form(self, index: int) -> str:
        """Return the most frequent form of a candidate in the document."""
        document = self.paper.labelled.document
        return surface_form(document.source.text, spans_of(document, self.paper.shortlist, np.array([index]))[0])

    def shown_parts(self) -> Iterator[Parts]:
        """Yield the phrases that are shown, in stems."""
        return (parts_of(self.surface_form(index)) for index in self.shown.tolist())


@dataclass(frozen=True, eq=False)
class HeldOutRankings:
    """Held-out rankings of a collection.

    Attributes:
        here: the collection.
        columns: names of the columns.
        rankings: of its documents.
        knowledge: tables of phrases and words.
    """

    here: StudyCollection
    columns: tuple[str, ...]
    rankings: tuple[HeldOutRanking, ...]
    knowledge: Knowledge = field(default_factory=Knowledge)

    @classmethod
    def cross_validated(
        cls,
        here: StudyCollection,
        mirror: Path | None = None,
        most: int | None = None,
        boosting: Boosting | None = None,
    ) -> Self:
        """Train trees on four folds and rank the fifth, in turn."""
        papers, columns = described_as_shipped(here.name, mirror, most)
        ranked_by = held_out(papers, lambda training, _: train(here, training, boosting or Boosting()))
        return cls(here, columns, tuple(HeldOutRanking.by_trees(paper, trees, here) for paper, trees in ranked_by))

    @cached_property
    def _probabilities(self) -> ProbabilityMap:
        log_odds = np.concatenate([ranking.log_odds for ranking in self.rankings])
        return ProbabilityMap.fit(log_odds, np.concatenate([ranking.is_keyphrase for ranking in self.rankings]))

    def probability(self, log_odds: float) -> float:
        """Return the probability of a keyphrase, 0 to 1, fitted on the held-out log-odds."""
        return round(float(self._probabilities.of(np.array([log_odds]))[0]), 3)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Groups of columns."""
        return tuple(dict.fromkeys(groups_of(self.columns)))

    def by_group(self, contributions: Floats) -> Floats:
        """Return the contributions of columns summed by group, (rows, groups)."""
        which = np.array([self.groups.index(name) for name in groups_of(self.columns)])
        return np.stack([contributions[:, which == place].sum(axis=1) for place in range(len(self.groups))], axis=1)

    @cached_property
    def usual_contributions(self) -> Floats:
        """Mean contribution of each group to the keyphrases that are shown, (groups,)."""
        shown = [
            ranking.contributions[(ranking.rank <= self.here.shown)[ranking.is_keyphrase]] for ranking in self.rankings
        ]
        return np.asarray(self.by_group(np.concatenate(shown)).mean(axis=0))


def groups_of(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the group of each column; a rank belongs to the group of the column that it ranks.

    The weight that chose the candidates and its rank are a group of their own.
    """
    named = [(group, name) for group, _, name in (column.partition(": ") for column in columns)]
    group_of = {name: group for group, name in named if group != RANKS}
    return tuple(group_of.get(name.removeprefix("rank of "), FIRST_RANKING) for _, name in named)
