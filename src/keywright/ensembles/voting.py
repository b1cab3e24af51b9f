"""Voting: several ranked lists of one document become one, by votes, by ranks, or by probabilities.

Votes: phrases are ordered by the number of lists that have them; nothing is fitted. Ties are broken by the mean
confidence where every list has one that can be compared (a probability, or one from the probabilities of tokens), then
by the mean reciprocal rank, then by the order of the lists.

Ranks: reciprocal rank fusion (Cormack, Clarke and Buettcher 2009: Reciprocal rank fusion outperforms Condorcet and
individual rank learning methods), the sum of 1 / (60 + rank) over the lists that have a phrase.

Probabilities: the mean over calibrated lists, where a list without the phrase counts with the probability of phrases
that it leaves out. A mean of calibrated probabilities is itself not calibrated, but too close to the middle; it is a
score, and a calibrator can be fitted to it.
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

MIN_LISTS: Final = 2
"""Least number of lists of a vote."""
VOTES: Final = "votes"
"""Name of the evidence of a keyphrase: the number of lists that have it."""
_COMPARABLE: Final = frozenset(Confidence) - {Confidence.SCORE}


class Method(enum.StrEnum):
    """Method of voting."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"


def method_named(name: str) -> Method:
    """Return the method of this name."""
    if name not in list(Method):
        raise unknown("method of voting", name, [method.value for method in Method], "keywright combine --help")
    return Method(name)


@dataclass(frozen=True, slots=True)
class Voting:
    """A method of voting with its parameters.

    Attributes:
        smoothing: added to each rank by method ``ranks``; a larger value lowers the weight of the tops of lists. 0 or
            above.
        absence: for method ``probabilities``, the probability of phrases that a list leaves out: of each list, present
            ones and absent ones; empty for 0 throughout.

    Raises:
        UnknownName: there is no such method.
        BadParameter: a number is out of its range.
    """

    method: Method = Method.VOTES
    smoothing: float = 60.0  # as in the paper
    absence: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        method_named(self.method)
        if not 0 <= self.smoothing < np.inf:
            raise BadParameter(f"smoothing {self.smoothing}", "expected a number from 0, such as 60")
        if odd := [p for pair in self.absence for p in pair if not 0 <= p <= 1]:
            raise BadParameter(f"absence {odd[0]} is not a probability", "expected numbers from 0 to 1")

    def ranked(self, ballots: Ballots) -> tuple[Keyphrase, ...]:
        """Return the phrases of all lists, best first, each with its votes as evidence; scores never rise."""
        if not len(ballots):
            return ()
        scores, *ties = self.columns(ballots)
        order = np.lexsort([-column for column in (*reversed(ties), scores)])
        return voted_keyphrases(ballots, scores, order.tolist())

    def columns(self, ballots: Ballots) -> tuple[Floats, ...]:
        """Return the scores of phrases, then what breaks ties, each (phrases,)."""
        reciprocal, confidence = ballots.reciprocal_rank, ballots.mean_confidence
        match self.method:
            case Method.VOTES:
                # A tie-breaker is at most 1, so that the sum keeps the order of votes.
                tie_breaker = reciprocal if confidence is None else confidence
                return ballots.votes + tie_breaker, ballots.votes, reciprocal
            case Method.RANKS:
                fused = np.nansum(1 / (self.smoothing + ballots.rank), axis=1)
                return (fused, reciprocal) if confidence is None else (fused, confidence, reciprocal)
            case Method.PROBABILITIES:
                return self._mean_probability(ballots), ballots.votes, reciprocal

    def _mean_probability(self, ballots: Ballots) -> Floats:
        """Return the mean over all lists, (phrases,)."""
        lists = ballots.rank.shape[1]
        absence = np.array(self.absence or ((0.0, 0.0),) * lists)
        if len(absence) != lists:
            raise BadParameter(f"{lists} lists and the absence of {len(absence)}", "expected one pair for each list")
        missing = np.where(ballots.present[:, None], absence[:, 0], absence[:, 1])
        mean: Floats = np.where(ballots.listed, ballots.confidence, missing).mean(axis=1)
        return mean


def voted_keyphrases(
    ballots: Ballots, scores: Floats, order: Sequence[int], probabilities: Floats | None = None
) -> tuple[Keyphrase, ...]:
    """Return phrases in an order, each with its score, (phrases,), its votes, and its probability if there are any."""
    votes = ballots.votes
    return tuple(
        replace(
            ballots.keyphrases[row],
            score=float(scores[row]),
            probability=None if probabilities is None else float(probabilities[row]),
            evidence={VOTES: float(votes[row])},
            grounds=None,
            generation=None,
        )
        for row in order
    )


def comparable_confidences(lists: Sequence[Sequence[Keyphrase]], method: Method) -> tuple[Confidence | None, ...]:
    """Return each list's confidence that can be compared with others; None for one that has scores only.

    Method ``probabilities`` takes the probabilities and no other.
    """
    if method is Method.PROBABILITIES:
        return (Confidence.PROBABILITY,) * len(lists)
    return tuple(kind if kind in _COMPARABLE else None for kind in map(usual_confidence, lists))
