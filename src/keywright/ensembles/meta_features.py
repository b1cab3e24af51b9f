"""What a meta-ranker sees of a phrase: what several runs say of it, and a little of the phrase itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.text_stems import TextStems
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.core.gold import LabelledDocument
from keywright.ensembles.aligned_runs import Together
from keywright.ensembles.ballots import Ballots
from keywright.ensembles.combining import right

_OF_PHRASES = (
    "votes",
    "present",
    "words",
    "mentions",
    "first",
    "mean confidence",
    "highest confidence",
    "mean reciprocal rank",
    "best rank",
    "phrases",
)
_OF_RUNS = ("confidence", "reciprocal rank", "list")


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """The phrases of one document.

    Attributes:
        ballots: what the runs say.
        rows: ``rows`` of it, (phrases, columns).
    """

    ballots: Ballots
    rows: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """Labelled documents whose phrases are known to be right or wrong, (documents,) each."""

    ids: tuple[str, ...]
    seen: tuple[Described, ...]
    correct: tuple[Bools, ...]

    def some(self, chosen: Iterable[int]) -> "Answered":
        """The documents at these places, of which there is at least one."""
        places = tuple(chosen)
        return Answered(
            tuple(self.ids[at] for at in places),
            tuple(self.seen[at] for at in places),
            tuple(self.correct[at] for at in places),
        )


def columns(runs: int) -> tuple[str, ...]:
    """Names of what trees see of a phrase, (columns,): of the phrase, then of each run in their order."""
    return (*_OF_PHRASES, *(f"{what} {run}" for what in _OF_RUNS for run in range(1, runs + 1)))


def rows(ballots: Ballots, text: TextStems) -> Floats:
    """What trees see of each phrase, (phrases, columns).

    Mentions and lengths of lists are logarithms of one more; of a run that does not hold a phrase, confidence and
    reciprocal rank are 0.
    """
    if not len(ballots):
        return np.zeros((0, len(columns(ballots.rank.shape[1]))))
    phrases = [one.text for one in ballots.keyphrases]
    confidence = np.nan_to_num(ballots.confidence)
    sizes = np.broadcast_to(np.log1p(ballots.listed.sum(axis=0)), confidence.shape)
    of_phrases = (
        ballots.votes,
        ballots.present,
        np.array([len(one.split()) for one in phrases]),
        np.log1p([text.mentions(one) for one in phrases]),
        np.array([text.first(one) for one in phrases]),
        confidence.sum(axis=1) / ballots.votes,
        confidence.max(axis=1),
        ballots.reciprocal_rank,
        np.nanmin(ballots.rank, axis=1),
        np.full(len(phrases), len(phrases)),
    )
    return np.column_stack([*of_phrases, confidence, np.nan_to_num(1 / ballots.rank), sizes]).astype(float)


def all_described(given: Together, kinds: Sequence[Confidence | None]) -> dict[str, Described]:
    """The phrases of each document.

    Raises:
        BadRecord: a document has no text, or a phrase does not have what its run's confidence is computed from.
    """
    if missing := [name for name in given.ids if name not in given.texts]:
        message = f"{len(missing)} of {len(given.ids)} documents of the runs have no text, such as {missing[0]!r}"
        raise BadRecord(message, "name the data set that the runs were made on: --texts DATASET")
    given.check_kinds(kinds)
    found = {}
    for name in given.ids:
        ballots = given.ballots(name, kinds)
        found[name] = Described(ballots, rows(ballots, TextStems.of(given.texts[name].text, given.language(name))))
    return found


def answered(
    given: Together, seen: Mapping[str, Described], gold: Mapping[str, LabelledDocument[Document]]
) -> Answered:
    """The documents that have gold, which all counts.

    Raises:
        BadRecord: no document of the runs has.
    """
    ids = given.labelled_among(gold)
    correct = tuple(right(seen[name].ballots, gold[name], given.language(name)) for name in ids)
    return Answered(ids, tuple(seen[name] for name in ids), correct)
