"""Several ranked lists of one document into one: by votes, by ranks, by probabilities.

Votes: the phrase that more lists hold is the better one; nothing is fitted. Ties go by the mean confidence where every
list has one that can be compared (a probability, or one from the probabilities of tokens), then by the mean reciprocal
rank, then to the list that was named first.

Ranks: reciprocal rank fusion (Cormack, Clarke and Buettcher 2009: Reciprocal rank fusion outperforms Condorcet and
individual rank learning methods), the sum of 1 / (60 + rank) over the lists that hold a phrase.

Probabilities: the mean of what calibrated lists give, where a list that does not hold a phrase counts with the
probability of phrases that it leaves out. A mean of calibrated probabilities is itself not calibrated (it is too
cautious): so it is a score, and a calibrator can be fitted to it.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, usual_confidence
from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter, unknown
from keywright.core.predictions import Keyphrase
from keywright.ensembles.ballots import Ballots

FEWEST: Final = 2
"""Lists that a vote takes at the least."""

VOTES: Final = "votes"
"""Evidence of a keyphrase: how many lists hold it."""

_COMPARABLE: Final = frozenset(Confidence) - {Confidence.SCORE}


class Method(enum.StrEnum):
    """What decides."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"


def method_named(name: str) -> Method:
    """The method of this name.

    Raises:
        UnknownName: there is none.
    """
    if name not in list(Method):
        raise unknown("method of voting", name, [one.value for one in Method], "keywright combine --help")
    return Method(name)


@dataclass(frozen=True, slots=True)
class Voting:
    """How lists become one.

    Attributes:
        method: what decides.
        smoothing: added to each rank by method ``ranks``; larger, and the tops of lists matter less. 0 or above.
        absence: for method ``probabilities``, how probable phrases are that a list leaves out: of each list, present
            ones and absent ones; empty for 0 throughout.

    Raises:
        UnknownName: there is no such method.
        BadParameter: a number is out of its range.
    """

    method: Method = Method.VOTES
    smoothing: float = 60.0
    absence: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no vote."""
        method_named(self.method)
        if not 0 <= self.smoothing < np.inf:
            raise BadParameter(f"smoothing {self.smoothing}", "expected a number from 0, such as 60")
        if odd := [one for pair in self.absence for one in pair if not 0 <= one <= 1]:
            raise BadParameter(f"absence {odd[0]} is no probability", "expected numbers from 0 to 1")

    def ranked(self, ballots: Ballots, top: int | None = None) -> tuple[Keyphrase, ...]:
        """The phrases of all lists, best first, each with its votes as evidence; scores never rise."""
        if not len(ballots):
            return ()
        scores, *ties = self.columns(ballots)
        order = np.lexsort([-column for column in (*reversed(ties), scores)])[:top]
        return listed(ballots, scores, [int(one) for one in order])

    def columns(self, ballots: Ballots) -> tuple[Floats, ...]:
        """What each phrase is ranked by, then what breaks ties, each (phrases,).

        Raises:
            BadParameter: method ``probabilities`` knows the absence of another number of lists.
        """
        reciprocal, sure = ballots.reciprocal_rank, ballots.mean_confidence
        match self.method:
            case Method.VOTES:
                # A tie-breaker is at most 1, so that the sum keeps the order of votes.
                return ballots.votes + (reciprocal if sure is None else sure), ballots.votes, reciprocal
            case Method.RANKS:
                fused = np.nansum(1 / (self.smoothing + ballots.rank), axis=1)
                return (fused, reciprocal) if sure is None else (fused, sure, reciprocal)
            case Method.PROBABILITIES:
                return self._mean_probability(ballots), ballots.votes, reciprocal

    def _mean_probability(self, ballots: Ballots) -> Floats:
        """Over all lists, (phrases,)."""
        lists = ballots.rank.shape[1]
        left_out = np.array(self.absence or ((0.0, 0.0),) * lists)
        if len(left_out) != lists:
            raise BadParameter(f"{lists} lists and the absence of {len(left_out)}", "expected one pair for each list")
        missing = np.where(ballots.present[:, None], left_out[:, 0], left_out[:, 1])
        mean: Floats = np.where(ballots.listed, ballots.confidence, missing).mean(axis=1)
        return mean


def listed(
    ballots: Ballots, scores: Floats, order: Sequence[int], probabilities: Floats | None = None
) -> tuple[Keyphrase, ...]:
    """Phrases in an order, each with its score, (phrases,), and its votes; probabilities only where they are given."""
    votes = ballots.votes
    return tuple(
        replace(
            ballots.keyphrases[at],
            score=float(scores[at]),
            probability=None if probabilities is None else float(probabilities[at]),
            evidence={VOTES: float(votes[at])},
            grounds=None,
            generation=None,
        )
        for at in order
    )


def kinds_of(lists: Sequence[Sequence[Keyphrase]], method: Method) -> tuple[Confidence | None, ...]:
    """Which confidence each list has that can be compared with others; None for one that has scores only.

    Method ``probabilities`` takes the probabilities and no other.
    """
    if method is Method.PROBABILITIES:
        return (Confidence.PROBABILITY,) * len(lists)
    usual = map(usual_confidence, lists)
    return tuple(kind if kind in _COMPARABLE else None for kind in usual)
