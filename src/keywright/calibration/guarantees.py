"""Guarantees of precision, with a confidence level, and of recall, on average, for the phrases that are shown.

A guarantee is a threshold of probability, chosen on judged documents. It holds for documents of the same population,
whether or not the probabilities are calibrated. Precision is averaged over documents with a non-empty list
(``Empty.APART``), which is what a reader sees; with ``Empty.RIGHT`` an empty list counts as right, so that any
precision can be guaranteed by showing next to nothing. Testing begins with the strictest threshold that is not above
the target. Learn then test (Angelopoulos, Bates, Candes, Jordan and Lei 2021: Learn then test: calibrating predictive
algorithms to achieve risk control) tests for each setting whether its risk is above a limit. Conformal risk control
(Angelopoulos, Bates, Fisch, Lei and Schuster 2022: Conformal risk control) bounds the mean of a falling risk.
"""

import enum
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np

from keywright.calibration.calibration_error import check_probabilities
from keywright.calibration.phrases import JudgedPhrases
from keywright.core.arrays import Bools, Floats, Ints, sum_segments
from keywright.core.errors import BadParameter, CannotGuarantee, needs_extra

THRESHOLDS: Final = tuple(step / 100 for step in range(99, -1, -1))
"""Thresholds, strictest first: fixed in steps of .01, so that no data choose them."""
CONFIDENCE: Final = 0.9  # default confidence level; a usual one
TARGETS: Final = tuple(step / 100 for step in range(99, 0, -1))  # tried to find the highest
TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 10))  # targets whose cost is reported
_LEVEL_ROUNDING: Final = 1e-12  # tolerance for levels such as 1 - .9
_COUNT_ROUNDING: Final = 1e-9  # sums of fractions may lie a rounding error above a whole number


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCounts:
    """Counts of the phrases of each document at each of ``THRESHOLDS``."""

    sizes: Ints  # phrases shown, (documents, thresholds)
    hits: Ints  # right phrases shown, (documents, thresholds)
    reachable: Ints  # right phrases in the whole list, (documents,)

    @classmethod
    def from_judged(cls, judged: JudgedPhrases, most: int | None = None) -> Self:
        """Return the counts of judged phrases, of which the ``most`` best ranked that pass a threshold are shown."""
        check_most(most)
        probabilities, correct = check_probabilities(judged.confidence, judged.correct)
        passing = probabilities >= np.array(THRESHOLDS)[:, None]  # (thresholds, phrases)
        if most is not None:
            # The running count less that before the document ranks the passing phrases of each document.
            running = np.cumsum(passing, axis=1)
            before = np.insert(running, 0, 0, axis=1)[:, judged.offsets[:-1]]
            passing &= running - before[:, judged.document] <= most
        sizes, hits = (sum_segments(shown, judged.offsets).T for shown in (passing, passing & correct))
        return cls(sizes, hits, np.bincount(judged.document[correct], minlength=len(judged.ids)))

    def __len__(self) -> int:
        return len(self.reachable)

    def where(self, documents: Bools) -> Self:
        """Return the counts of some documents, by truth values (documents,)."""
        return type(self)(self.sizes[documents], self.hits[documents], self.reachable[documents])

    @property
    def non_empty(self) -> Ints:
        """Number of documents with a non-empty list, (thresholds,)."""
        return np.asarray((self.sizes > 0).sum(0))

    @property
    def wrong(self) -> Floats:
        """Share of wrong phrases in each list; 0 for an empty one, (documents, thresholds)."""
        return np.asarray((self.sizes - self.hits) / np.maximum(self.sizes, 1))

    @property
    def missed(self) -> Floats:
        """Share of a document's right phrases that is not shown; 0 where there are none, (documents, thresholds)."""
        return np.asarray((self.reachable[:, None] - self.hits) / np.maximum(self.reachable, 1)[:, None])


def check_most(most: int | None) -> None:
    """Check that a list has room for a phrase."""
    if most is not None and most < 1:
        raise BadParameter(f"lists of {most} phrases", "expected a number from 1")


def compute_p_values(risk: Floats, documents: Ints, limit: float) -> Floats:
    """Return p-values of the hypotheses that the true risk is above a limit, (settings,); 1 without documents.

    The smaller of Hoeffding's and Bentkus's bound: exp(-n kl(risk, limit)), and e times the chance of a binomial of n
    and the limit to come to n risk, rounded up. ``risk``: mean loss of so many ``documents``, 0 to 1, (settings,).
    """
    with needs_extra("train", "guarantees need scipy"):
        from scipy.special import bdtr, kl_div  # noqa: PLC0415  (only guarantees need it)

    low = np.minimum(risk, limit)
    hoeffding = np.exp(-documents * (kl_div(low, limit) + kl_div(1 - low, 1 - limit)))
    bentkus = np.e * bdtr(np.ceil(documents * risk - _COUNT_ROUNDING), documents, limit)
    return np.asarray(np.where(documents > 0, np.minimum(1.0, np.minimum(hoeffding, bentkus)), 1.0))


def count_rejected(p_values: Floats, level: float) -> int:
    """Return how many hypotheses, in an order fixed before the data, are rejected before the first that is not."""
    return int(np.logical_and.accumulate(p_values <= level).sum())


def count_conformal(losses: Floats, limit: float) -> int:
    """Return how many settings, from the safest on, keep the expected loss of a new document at or below a limit.

    ``losses``: never falling along the settings, 0 to 1, (documents, settings); that of the new document counts as 1.
    """
    return count_rejected((losses.sum(0) + 1) / (len(losses) + 1), limit)


class Empty(enum.StrEnum):
    """How an empty list counts in the mean precision."""

    APART = "apart"  # it does not count
    RIGHT = "right"  # its precision is 1


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A guarantee, and its cost on the documents that it was fitted on."""

    measure: str  # ``precision`` or ``recall``
    target: float  # least value of the measure, above 0 and below 1
    confidence: float | None  # share of calibrations for which it holds; None for recall: on average over calibrations
    threshold: float  # least probability of a phrase that is shown
    most: int | None  # longest list; None for any
    empty: Empty
    documents: int  # number that it was fitted on
    phrases: float  # mean number of phrases shown per document
    empties: float  # share of documents with an empty list, 0 to 1
    pooled: float | None  # precision of all phrases shown, taken together, 0 to 1; None where none is shown

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

    Learn then test, with p-values of Hoeffding and Bentkus, in a fixed sequence of thresholds. ``judged``: phrases with
    probabilities that were fitted on other documents; ``target``: mean precision of lists, above 0 and below 1, as is
    the ``confidence`` level, else ``BadParameter``; ``most``: longest list; ``empty``: how an empty list counts. Raises
    CannotGuarantee: no threshold can; the message has the highest precision that could be guaranteed.
    """
    _check_share("precision", target)
    _check_share("confidence", confidence)
    counts = ThresholdCounts.from_judged(judged, most)
    place = find_precision_index(counts, target, confidence, empty)
    if place is not None:
        return _make_guarantee(counts, place, target, confidence, most=most, empty=empty)
    needed = int(np.ceil(np.log(1 - confidence) / np.log(target)))  # all n right: target ** n <= 1 - confidence
    message = f"precision {target:g} cannot be guaranteed with confidence {confidence:g}"
    non_empty = int(counts.non_empty[-1])
    if non_empty < needed:
        reason = f"{non_empty} documents with a phrase to show are too few, even if all were correct"
        hint = f"ask for less, or calibrate on {needed} such documents or more"
        raise CannotGuarantee(f"{message}: {reason}", hint)
    highest = find_highest_precision(counts, confidence, empty, target)  # a higher target may pass where this one fails
    if highest is None:
        hint = "calibrate on more documents"
        raise CannotGuarantee(f"{message}, nor can a lower one: {len(counts)} documents", hint)
    message = f"{message}: {len(counts)} documents of calibration allow {highest:g}, the nearest below it"
    hint = f"ask for --min-precision {highest:g} or a lower --confidence-level, or calibrate on more documents"
    raise CannotGuarantee(message, hint)


def guarantee_recall(judged: JudgedPhrases, target: float) -> Guarantee:
    """Return the strictest threshold that shows at least a share of the right phrases in a new document's list.

    Conformal risk control. The share is an average, over calibrations and over documents with a right phrase in their
    list; others are out of reach and do not count. ``judged``, ``target``: as for ``guarantee_precision``. Raises
    CannotGuarantee: there are too few documents; BadParameter: a number is out of its range.
    """
    _check_share("recall", target)
    counts = ThresholdCounts.from_judged(judged)
    place = find_recall_index(counts, target)
    if place is None:
        needed = int(np.ceil(target / (1 - target) - 1e-9))  # 1 / (n + 1) <= 1 - target, without rounding errors
        documents = np.count_nonzero(counts.reachable)
        message = f"no threshold can guarantee recall {target:g} on {documents} documents with correct phrases"
        raise CannotGuarantee(message, f"calibrate on {needed} such documents or more, or ask for less")
    return _make_guarantee(counts, place, target, None)


def list_precision_guarantees(judged: JudgedPhrases, *, most: int | None = None) -> tuple[Guarantee, ...]:
    """Return the guarantee of each tenth of precision that is possible, lowest first; ``most``: longest list."""
    counts = ThresholdCounts.from_judged(judged, most)
    places = [(target, find_precision_index(counts, target, CONFIDENCE)) for target in TENTHS]
    possible = ((target, place) for target, place in places if place is not None)
    return tuple(_make_guarantee(counts, place, target, CONFIDENCE, most=most) for target, place in possible)


def find_highest_precision(
    counts: ThresholdCounts, confidence: float = CONFIDENCE, empty: Empty = Empty.APART, below: float = 1.0
) -> float | None:
    """Return the highest precision of ``TARGETS`` below a number that can be guaranteed, slightly weaker, or None."""
    targets = (target for target in TARGETS if target < below)
    return next((each for each in targets if find_precision_index(counts, each, confidence, empty) is not None), None)


def find_precision_index(
    counts: ThresholdCounts, target: float, confidence: float, empty: Empty = Empty.APART
) -> int | None:
    """Return the index in ``THRESHOLDS`` of the most lenient one that guarantees a precision; None without one."""
    documents = np.full(len(THRESHOLDS), len(counts)) if empty is Empty.RIGHT else counts.non_empty
    risk = counts.wrong.sum(0) / np.maximum(documents, 1)
    start = next(place for place, threshold in enumerate(THRESHOLDS) if threshold <= target)
    p_values = compute_p_values(risk[start:], documents[start:], 1 - target)
    rejected = count_rejected(p_values, 1 - confidence + _LEVEL_ROUNDING)
    return start + rejected - 1 if rejected else None


def find_recall_index(counts: ThresholdCounts, target: float) -> int | None:
    """Return the index in ``THRESHOLDS`` of the strictest one that guarantees a recall; None without one."""
    lenient_first = counts.missed[counts.reachable > 0, ::-1]
    passing = count_conformal(lenient_first, 1 - target + _LEVEL_ROUNDING)
    return len(THRESHOLDS) - passing if passing else None


def _check_share(name: str, value: float) -> None:
    if not 0 < value < 1:  # nan is neither
        hint = "expected a number above 0 and below 1, such as 0.5"
        raise BadParameter(f"{name} {value:g} cannot be guaranteed", hint)


def _make_guarantee(
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
