"""Choice of a method by the number of labelled documents, and what is said of few of them.

The numbers come from the study of calibrators (``docs/reference/calibrators.md``): calibration error on the rest of
each development collection, by number of documents.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from keywright.calibration.calibrators.model import FOLDS, METHODS, method_named
from keywright.calibration.calibrators.shift import SHIFT
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.errors import BadParameter

MIN_DOCUMENTS: Final = 20
"""Documents below which nothing but a shift is fitted; arbitrary."""
ADVISED: Final = 50
"""Documents advised; arbitrary, between the 20 that do most of it and the 100 from which on more bring little."""
USUAL: Final = next(iter(METHODS))
"""Method for many documents, and for systems without probabilities."""
SHIFT_BELOW: Final = 20
"""Documents below which the shift is chosen: with 10 its error is smaller than that of beta, with 20 greater, also
where any of the collections is left out of the choice."""
SHIFT_LEAST: Final = 2
"""Documents that a shift takes: without one to fit and another to test, its effect cannot be measured."""
SHIFT_ADVISED: Final = 10
"""Documents advised for a shift: 4.3 % of error are left then, 5.0 with 5."""
WARNED_BELOW: Final = 5
"""Documents below which a note has the expected error; agreed, not fitted."""
EXPECTED_ERROR: Final[Mapping[int, float]] = MappingProxyType({2: 0.06, 3: 0.055, 4: 0.05, SHIFT_ADVISED: 0.04})
"""Calibration error after a shift by so many documents, mean over collections, each left out of the training of
the default."""


def chosen_method(method: str | None, kind: Confidence, documents: int) -> str:
    """Return the method, by default the shift for few documents of a system with probabilities, else ``USUAL``.

    Raises:
        UnknownName: there is no such method.
        BadParameter: there are too few documents for the method, or it is the shift without probabilities.
    """
    shiftable = kind is Confidence.PROBABILITY
    chosen = method or (SHIFT if shiftable and documents < SHIFT_BELOW else USUAL)
    method_named(chosen)
    if chosen == SHIFT and not shiftable:
        message = f"shift corrects probabilities of the system's own, and its phrases are judged by {kind.value} here"
        raise BadParameter(message, f"choose another method, such as {USUAL}, or a system with probabilities")
    least = SHIFT_LEAST if chosen == SHIFT else MIN_DOCUMENTS
    if documents < least:
        message = f"{documents} documents have both predictions and gold"
        advised = SHIFT_ADVISED if chosen == SHIFT else f"{ADVISED} to 100"
        raise BadParameter(message, f"expected at least {least}, better {advised}")
    return chosen


def folds_for(folds: int, documents: int) -> int:
    """Return the number of folds: each of fewer documents than the usual number is left out once."""
    return documents if documents < FOLDS else folds


def cautions(method: str, ids: Sequence[str], *, automatic: bool) -> list[str]:
    """Return what a reader has to know of a fit on few documents: the choice of method, and the error to expect."""
    notes, documents = [], len(ids)
    if method == SHIFT and automatic:
        notes.append(
            f"method shift: {documents} documents are fewer than the {SHIFT_BELOW} from which on {USUAL} has the"
            " smaller error"
        )
    if method == SHIFT and documents < WARNED_BELOW:
        error, later = (f"{100 * EXPECTED_ERROR[number]:.0f}" for number in (documents, SHIFT_ADVISED))
        notes.append(
            f"{documents} documents: the calibration error on others is about {error} % on average,"
            f" {later} % with {SHIFT_ADVISED}"
        )
    elif documents < (SHIFT_ADVISED if method == SHIFT else ADVISED):
        advised = f"{SHIFT_ADVISED} or more" if method == SHIFT else f"{ADVISED} to 100"
        notes.append(f"{documents} documents: intervals are wide; {advised} are advised")
    return notes
