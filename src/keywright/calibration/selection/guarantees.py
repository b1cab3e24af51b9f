"""Promises about what is shown: at least so much precision, with a confidence; at least so much recall, on average.

A promise is a threshold of probability, chosen on judged documents. It holds for documents like these, drawn as they
were, whatever the probabilities are worth: bad ones cost phrases, not the promise. Documents are what is drawn, since
phrases of one document are right together.

Precision is that of a document's list, averaged over the documents that show anything (``Empty.APART``), as that is
what a reader sees. With ``Empty.RIGHT`` a list without phrases counts as right, as often in the literature: then any
precision can be promised by showing next to nothing, and what is shown may be much worse than the promise.

Testing begins with the strictest threshold that is not above the promised precision, for phrases that are each that
probable are so often right if probabilities are; from there it goes to more lenient ones, in steps of .01.
"""

import enum
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.selection.risk_control import conformal, fixed_sequence, hoeffding_bentkus
from keywright.calibration.selection.thresholds import THRESHOLDS, Shown
from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter, CannotPromise

CONFIDENCE: Final = 0.9
TARGETS: Final = tuple(step / 100 for step in range(99, 0, -1))
"""Promises that are tried to find the highest."""

TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""Promises of which the price is told."""


class Empty(enum.StrEnum):
    """What a list without phrases counts as in the mean precision."""

    APART = "apart"  # it does not count
    RIGHT = "right"  # its precision is 1


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A promise, and what it costs on the documents that it was fitted on.

    Attributes:
        measure: ``precision`` or ``recall``.
        target: what it is at least, above 0 and below 1.
        confidence: of how many calibrations the promise holds; None for recall, which is promised on average over
            calibrations.
        threshold: probability from which on phrases are shown.
        most: longest list; None for any.
        empty: what a list without phrases counts as.
        documents: that it was fitted on.
        phrases: shown on average for a document.
        empties: share of documents that show nothing, 0 to 1.
        pooled: precision of all that is shown, taken together, 0 to 1; None where nothing is shown.
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
    def told(self) -> str:
        """The promise and its price in words."""
        sure = "on average" if self.confidence is None else f"with confidence {self.confidence:g}"
        return (
            f"{self.measure} at least {self.target:g} {sure}: phrases from probability {self.threshold:g} on;"
            f" on the {self.documents} documents of calibration {self.phrases:.1f} phrases a document,"
            f" {100 * self.empties:.0f} % of documents without any"
        )

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def promise_precision(
    judged: JudgedPhrases | Shown,
    target: float,
    confidence: float = CONFIDENCE,
    *,
    most: int | None = None,
    empty: Empty = Empty.APART,
) -> Guarantee:
    """The most lenient threshold whose precision is at least the target, but for 1 - confidence of all calibrations.

    Learn then test, with p-values of Hoeffding and Bentkus, in a fixed sequence of thresholds.

    Args:
        judged: phrases with probabilities that were fitted on other documents, or what is shown of them.
        target: mean precision of lists, above 0 and below 1.
        confidence: likewise.
        most: longest list, if phrases are given.
        empty: what a list without phrases counts as.

    Raises:
        CannotPromise: no threshold can; the message has the highest precision that could be promised.
        BadParameter: a number is out of its range, or probabilities are none.
    """
    check_share("precision", target)
    check_share("confidence", confidence)
    shown = judged if isinstance(judged, Shown) else Shown.of(judged, most)
    place = precision_place(shown, target, confidence, empty)
    if place is None:
        raise CannotPromise(*_why_not(shown, target, confidence, empty))
    return _guarantee(shown, place, "precision", (target, confidence, most, empty))


def promise_recall(judged: JudgedPhrases | Shown, target: float) -> Guarantee:
    """The strictest threshold that shows at least a share of the right phrases there are in a new document's list.

    Conformal risk control. The share is an average, over calibrations and over documents with a right phrase in their
    list; keyphrases that the system does not list at all are out of reach and do not count.

    Args:
        judged: as for ``promise_precision``.
        target: mean recall, above 0 and below 1.

    Raises:
        CannotPromise: there are too few documents.
        BadParameter: the target is out of its range, or probabilities are none.
    """
    check_share("recall", target)
    shown = judged if isinstance(judged, Shown) else Shown.of(judged)
    place = recall_place(shown, target)
    if place is None:
        needed = int(np.ceil(target / (1 - target) - 1e-9))
        documents = np.count_nonzero(shown.reachable)
        message = f"no threshold can promise recall {target:g} on {documents} documents with right phrases"
        raise CannotPromise(message, f"calibrate on {needed} such documents or more, or ask for less")
    return _guarantee(shown, place, "recall", (target, None, None, Empty.APART))


def precisions(judged: JudgedPhrases, confidence: float = CONFIDENCE) -> tuple[Guarantee, ...]:
    """What each tenth of precision would cost, lowest first; those that cannot be promised are left out."""
    shown = Shown.of(judged)
    places = {one: precision_place(shown, one, confidence) for one in TENTHS}
    return tuple(
        _guarantee(shown, place, "precision", (target, confidence, None, Empty.APART))
        for target, place in places.items()
        if place is not None
    )


def highest_precision(
    shown: Shown, confidence: float = CONFIDENCE, empty: Empty = Empty.APART, below: float = 1.0
) -> float | None:
    """The highest precision of ``TARGETS``, below some number, that can be promised; None where none can.

    It is chosen by the data, so that the promise of just this precision is a little weaker than its confidence says.
    """
    possible = (one for one in TARGETS if one < below and precision_place(shown, one, confidence, empty) is not None)
    return next(possible, None)


def precision_place(shown: Shown, target: float, confidence: float, empty: Empty = Empty.APART) -> int | None:
    """Place in ``THRESHOLDS`` of the most lenient one that keeps a promise of precision; None if none does."""
    risk, documents = _risk(shown, empty)
    start = next(place for place, one in enumerate(THRESHOLDS) if one <= target)
    p_values = hoeffding_bentkus(risk[start:], documents[start:], 1 - target)
    rejected = fixed_sequence(p_values, 1 - confidence + 1e-12)
    return start + rejected - 1 if rejected else None


def recall_place(shown: Shown, target: float) -> int | None:
    """Place in ``THRESHOLDS`` of the strictest one that keeps a promise of recall; None if none does."""
    lenient_first = shown.missed[shown.reachable > 0, ::-1]
    kept = conformal(lenient_first, 1 - target + 1e-12)
    return len(THRESHOLDS) - kept if kept else None


def check_share(name: str, value: float) -> None:
    """That a share is between 0 and 1.

    Raises:
        BadParameter: it is not, or it is nan.
    """
    if not 0 < value < 1:
        raise BadParameter(f"{name} {value:g} cannot be promised", "expected a number above 0 and below 1, such as 0.5")


def _risk(shown: Shown, empty: Empty) -> tuple[Floats, Ints]:
    """Mean share of wrong phrases, and of how many documents, (thresholds,)."""
    documents = np.full(len(THRESHOLDS), len(shown)) if empty is Empty.RIGHT else shown.filled
    return shown.wrong.sum(0) / np.maximum(documents, 1), documents


def _why_not(shown: Shown, target: float, confidence: float, empty: Empty) -> tuple[str, str]:
    """Message and hint where nothing can be promised."""
    needed = int(np.ceil(np.log(1 - confidence) / np.log(target)))
    message = f"precision {target:g} cannot be promised with confidence {confidence:g}"
    filled = int(shown.filled[-1])
    if filled < needed:
        told = f": {filled} documents with a phrase to show are too few, even if all were right"
        return message + told, f"ask for less, or calibrate on {needed} such documents or more"
    highest = highest_precision(shown, confidence, empty, target)  # a higher one may pass, by the luck of other tests
    if highest is None:
        return f"{message}, nor can a lower one: {len(shown)} documents", "calibrate on more documents"
    return (
        f"{message}: {len(shown)} documents of calibration allow {highest:g}, the nearest below it",
        f"ask for --min-precision {highest:g}, for a lower --confidence-level, or calibrate on more documents",
    )


def _guarantee(
    shown: Shown, place: int, measure: str, asked: tuple[float, float | None, int | None, Empty]
) -> Guarantee:
    target, confidence, most, empty = asked
    sizes = shown.sizes[:, place]
    total = int(sizes.sum())
    return Guarantee(
        measure=measure,
        target=target,
        confidence=confidence,
        threshold=THRESHOLDS[place],
        most=most,
        empty=empty,
        documents=len(shown),
        phrases=total / len(shown),
        empties=float((sizes == 0).mean()),
        pooled=float(shown.hits[:, place].sum() / total) if total else None,
    )
