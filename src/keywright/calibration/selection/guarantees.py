"""Guarantees of precision, with a confidence level, and of recall, on average, for the phrases that are shown.

A guarantee is a threshold of probability, chosen on judged documents. It holds for documents drawn from the same
population, whether or not the probabilities are calibrated: bad ones cost phrases, not the guarantee. The unit is the
document, since phrases of one document depend on each other.

Precision is that of a document's list, averaged over documents with a non-empty list (``Empty.APART``), which is what a
reader sees. With ``Empty.RIGHT`` an empty list counts as right, as often in the literature: then any precision can be
guaranteed by showing next to nothing, and what is shown may be much worse.

Testing begins with the strictest threshold that is not above the target: calibrated phrases of just this probability
have just this precision. From there it goes to more lenient ones, in steps of .01.
"""

import enum
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.selection.thresholds import (
    THRESHOLDS,
    ThresholdCounts,
    conformal,
    fixed_sequence,
    hoeffding_bentkus,
)
from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter, CannotGuarantee

CONFIDENCE: Final = 0.9
"""Default confidence level; a usual one."""
TARGETS: Final = tuple(step / 100 for step in range(99, 0, -1))
"""Targets that are tried to find the highest."""
TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""Targets whose cost is reported."""
_ROUNDING: Final = 1e-12
"""Tolerance for levels such as 1 - .9."""


class Empty(enum.StrEnum):
    """How an empty list counts in the mean precision."""

    APART = "apart"  # it does not count
    RIGHT = "right"  # its precision is 1


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A guarantee, and its cost on the documents that it was fitted on.

    Attributes:
        measure: ``precision`` or ``recall``.
        target: least value of the measure, above 0 and below 1.
        confidence: share of calibrations for which the guarantee holds; None for recall, which is guaranteed on average
            over calibrations.
        threshold: least probability of a phrase that is shown.
        most: longest list; None for any.
        empty: how an empty list counts.
        documents: number of documents that it was fitted on.
        phrases: mean number of phrases shown per document.
        empties: share of documents with an empty list, 0 to 1.
        pooled: precision of all phrases shown, taken together, 0 to 1; None where none is shown.
    """

    measure: str
    target: float
    confidence: float | None
    threshold: float
    most: int | None
    empty: Empty
    documents: int
    phrases: float
    empties: float
    pooled: float | None

    @property
    def summary(self) -> str:
        """The guarantee and its cost in words."""
        level = "on average" if self.confidence is None else f"with confidence {self.confidence:g}"
        return (
            f"{self.measure} at least {self.target:g} {level}: phrases from probability {self.threshold:g} on;"
            f" on the {self.documents} documents of calibration {self.phrases:.1f} phrases per document,"
            f" {100 * self.empties:.0f} % of documents with an empty list"
        )

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return asdict(self)


def guarantee_precision(
    judged: JudgedPhrases,
    target: float,
    confidence: float = CONFIDENCE,
    *,
    most: int | None = None,
    empty: Empty = Empty.APART,
) -> Guarantee:
    """Return the most lenient threshold whose precision reaches the target for a share ``confidence`` of calibrations.

    Learn then test, with p-values of Hoeffding and Bentkus, in a fixed sequence of thresholds.

    Args:
        judged: phrases with probabilities that were fitted on other documents.
        target: mean precision of lists, above 0 and below 1.
        confidence: confidence level, above 0 and below 1.
        most: longest list.
        empty: how an empty list counts.

    Raises:
        CannotGuarantee: no threshold can; the message has the highest precision that could be guaranteed.
        BadParameter: a number is out of its range, or a confidence is not a probability.
    """
    _check_share("precision", target)
    _check_share("confidence", confidence)
    counts = ThresholdCounts.from_judged(judged, most)
    place = precision_place(counts, target, confidence, empty)
    if place is None:
        raise CannotGuarantee(*_why_not(counts, target, confidence, empty))
    return _guarantee(counts, place, target, confidence, most=most, empty=empty)


def guarantee_recall(judged: JudgedPhrases, target: float) -> Guarantee:
    """Return the strictest threshold that shows at least a share of the right phrases in a new document's list.

    Conformal risk control. The share is an average, over calibrations and over documents with a right phrase in their
    list; keyphrases that the system does not list at all are out of reach and do not count. ``judged``: as for
    ``guarantee_precision``; ``target``: mean recall, above 0 and below 1.

    Raises:
        CannotGuarantee: there are too few documents.
        BadParameter: the target is out of its range, or a confidence is not a probability.
    """
    _check_share("recall", target)
    counts = ThresholdCounts.from_judged(judged)
    place = recall_place(counts, target)
    if place is None:
        needed = int(np.ceil(target / (1 - target) - 1e-9))  # 1 / (n + 1) <= 1 - target, without rounding errors
        documents = np.count_nonzero(counts.reachable)
        message = f"no threshold can guarantee recall {target:g} on {documents} documents with correct phrases"
        raise CannotGuarantee(message, f"calibrate on {needed} such documents or more, or ask for less")
    return _guarantee(counts, place, target, None)


def precision_guarantees(
    judged: JudgedPhrases, confidence: float = CONFIDENCE, *, most: int | None = None
) -> tuple[Guarantee, ...]:
    """Return the guarantee of each tenth of precision that is possible, lowest first; ``most``: longest list."""
    counts = ThresholdCounts.from_judged(judged, most)
    places = {target: precision_place(counts, target, confidence) for target in TENTHS}
    possible = {target: place for target, place in places.items() if place is not None}
    return tuple(_guarantee(counts, place, target, confidence, most=most) for target, place in possible.items())


def highest_precision(
    counts: ThresholdCounts, confidence: float = CONFIDENCE, empty: Empty = Empty.APART, below: float = 1.0
) -> float | None:
    """Return the highest precision of ``TARGETS`` below a number that can be guaranteed; None where none can.

    The data choose it, so that its guarantee is a little weaker than its confidence level says.
    """
    possible = (
        target
        for target in TARGETS
        if target < below and precision_place(counts, target, confidence, empty) is not None
    )
    return next(possible, None)


def precision_place(
    counts: ThresholdCounts, target: float, confidence: float, empty: Empty = Empty.APART
) -> int | None:
    """Return the index in ``THRESHOLDS`` of the most lenient one that guarantees a precision; None without one."""
    risk, documents = _risk(counts, empty)
    start = next(place for place, threshold in enumerate(THRESHOLDS) if threshold <= target)
    p_values = hoeffding_bentkus(risk[start:], documents[start:], 1 - target)
    rejected = fixed_sequence(p_values, 1 - confidence + _ROUNDING)
    return start + rejected - 1 if rejected else None


def recall_place(counts: ThresholdCounts, target: float) -> int | None:
    """Return the index in ``THRESHOLDS`` of the strictest one that guarantees a recall; None without one."""
    lenient_first = counts.missed[counts.reachable > 0, ::-1]
    passing = conformal(lenient_first, 1 - target + _ROUNDING)
    return len(THRESHOLDS) - passing if passing else None


def _check_share(name: str, value: float) -> None:
    """Check that a share is above 0 and below 1, and not nan."""
    if not 0 < value < 1:
        raise BadParameter(
            f"{name} {value:g} cannot be guaranteed", "expected a number above 0 and below 1, such as 0.5"
        )


def _risk(counts: ThresholdCounts, empty: Empty) -> tuple[Floats, Ints]:
    """Return the mean share of wrong phrases, and the number of documents that it is the mean of, (thresholds,)."""
    documents = np.full(len(THRESHOLDS), len(counts)) if empty is Empty.RIGHT else counts.non_empty
    return counts.wrong.sum(0) / np.maximum(documents, 1), documents


def _why_not(counts: ThresholdCounts, target: float, confidence: float, empty: Empty) -> tuple[str, str]:
    """Return message and hint where a precision cannot be guaranteed."""
    needed = int(np.ceil(np.log(1 - confidence) / np.log(target)))  # all n right: target ** n <= 1 - confidence
    message = f"precision {target:g} cannot be guaranteed with confidence {confidence:g}"
    non_empty = int(counts.non_empty[-1])
    if non_empty < needed:
        reason = f": {non_empty} documents with a phrase to show are too few, even if all were correct"
        return message + reason, f"ask for less, or calibrate on {needed} such documents or more"
    highest = highest_precision(counts, confidence, empty, target)  # a higher target may pass where this one fails
    if highest is None:
        return f"{message}, nor can a lower one: {len(counts)} documents", "calibrate on more documents"
    return (
        f"{message}: {len(counts)} documents of calibration allow {highest:g}, the nearest below it",
        f"ask for --min-precision {highest:g} or a lower --confidence-level, or calibrate on more documents",
    )


def _guarantee(
    counts: ThresholdCounts,
    place: int,
    target: float,
    confidence: float | None,
    *,
    most: int | None = None,
    empty: Empty = Empty.APART,
) -> Guarantee:
    """Return the guarantee of a threshold, of recall where there is no confidence level."""
    sizes = counts.sizes[:, place]
    total = int(sizes.sum())
    return Guarantee(
        measure="precision" if confidence is not None else "recall",
        target=target,
        confidence=confidence,
        threshold=THRESHOLDS[place],
        most=most,
        empty=empty,
        documents=len(counts),
        phrases=total / len(counts),
        empties=float((sizes == 0).mean()),
        pooled=float(counts.hits[:, place].sum() / total) if total else None,
    )
