"""Rows of the study of the default: ablations, points of learning curves, counts and examples of errors."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from keywright.experiments.study import TableRow

EVERYTHING: Final = "everything"
"""The condition that all others are compared with."""
MISS: Final = "miss"
FALSE_ALARM: Final = "false alarm"


@dataclass(frozen=True, slots=True)
class Ablated(TableRow):
    """One value with something left out.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        documents: number of documents.
        gold: kind of gold.
        measure: such as ``F@15``.
        kind: of the change: ``everything`` for none, ``columns``, ``tables``, ``trees``, ``candidates``.
        condition: the part that was left out or replaced.
        value: 0 to 1.
        low, high: ends of 95 percent, from resampling documents: of the difference, or of the value itself in the row
            ``everything``.
        difference: to the value of ``everything``; 0 there.
    """

    collection: str
    documents: int
    gold: str
    measure: str
    kind: str
    condition: str
    value: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CurvePoint(TableRow):
    """One value after training on a number of documents.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        gold: kind of gold.
        measure: such as ``F@15``.
        learnt: training documents; for all of them, the mean over the folds.
        draws: number of samples of training documents.
        value: mean over the samples, 0 to 1.
        least, most: smallest and largest value of a sample.
        low, high: ends of 95 percent, from resampling held-out documents; means over the samples.
    """

    collection: str
    gold: str
    measure: str
    learnt: int
    draws: int
    value: float
    least: float
    most: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ErrorCount(TableRow):
    """The frequency of a property among errors.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        about: ``class`` (each error has one), ``trait`` (an error has any number) or ``group``: the columns that took
            most from a missed candidate's score, relative to the keyphrases that were shown.
        name: of the class, trait or group.
        number: of errors.
        share: of all errors of the side; for ``group``, of the errors that were on the shortlist.
        hits: share of the keyphrases shown that have the trait; None where that has no meaning.
    """

    collection: str
    side: str
    about: str
    name: str
    number: int
    share: float
    hits: float | None = None

    part: ClassVar[str] = "count"


@dataclass(frozen=True, slots=True)
class ErrorExample(TableRow):
    """One error.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        document: its id.
        phrase: as in the document; as in the gold where it is not among the candidates.
        name: its class.
        rank: of the phrase, from 1; None where it was not ranked.
        probability: that it is a keyphrase, from held-out scores; None where it was not ranked.
        group: of columns that took most from its score; None for false alarms and phrases without a rank.
    """

    collection: str
    side: str
    document: str
    phrase: str
    name: str
    rank: int | None
    probability: float | None
    group: str | None = None

    part: ClassVar[str] = "example"


ErrorRow: TypeAlias = ErrorCount | ErrorExample
