"""Systems that show only what their probabilities allow, as verbs are told it."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypedDict

from keywright.api.probabilities import is_calibrated
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor

if TYPE_CHECKING:
    from keywright.calibration.calibrators.selective import Cut
    from keywright.calibration.judgements.phrases import JudgedPhrases
    from keywright.calibration.selection.guarantees import Guarantee

_USUAL: Final = MappingProxyType(
    {"min_precision": None, "guarantee": None, "min_recall": None, "abstain_below": 0.0, "best_f1": False}
)


class Limits(TypedDict, total=False):
    """What is shown of phrases with probabilities from a calibrator.

    min_precision  mean precision of the lists that are shown, above 0 and below 1
    guarantee      confidence of it, above 0 and below 1; .9 where none is named
    min_recall     mean share of the right phrases in a system's list that is shown, above 0 and below 1
    abstain_below  documents show nothing if their most probable phrase is less probable than this, 0 to 1
    best_f1        whether each document shows as many phrases as promise it the best F1
    """

    min_precision: float | None
    guarantee: float | None
    min_recall: float | None
    abstain_below: float
    best_f1: bool


def limited(system: Extractor, top: int | None, limits: Limits) -> Extractor:
    """A calibrated system that keeps within limits; any system as it is where there are none.

    Args:
        system: with a calibrator.
        top: longest list.
        limits: what it should keep.

    Raises:
        CannotPromise: the documents of calibration do not allow it.
        BadParameter: the system has no calibrator, a number is out of its range, or limits that do not go together.
    """
    asked = asked_for(limits)
    if not asked:
        return system
    if not is_calibrated(system):
        hint = "fit one on labelled documents: keywright calibrate RUN --gold DATASET -o FILE, then --calibrator FILE"
        raise BadParameter(f"{asked[0]} is asked for, and {system.name} has no calibrator", hint)
    if top is not None and top >= system.calibrator.card.depth:
        top = None  # no list is longer anyway
    _check(asked, top)
    from keywright.calibration.calibrators.selective import Cut, Limited  # noqa: PLC0415 - most extraction does without

    below = limits.get("abstain_below") or 0.0
    cut = Cut(most=top, abstain_below=below, best_f1=limits.get("best_f1", False))
    promise = _promise(system.calibrator.held_out, cut, limits)
    if promise is not None:
        cut = replace(cut, least=promise.threshold)
    made: Extractor = Limited(system, cut, promise)  # type: ignore[assignment]  # it needs what its system does
    return made


def asked_for(limits: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the limits that are not as they would be anyway; other names do not matter."""
    return tuple(name for name, usual in _USUAL.items() if limits.get(name, usual) != usual)


def promise_of(system: Extractor) -> "Guarantee | None":
    """What a limited system promises; None of any other."""
    found: Guarantee | None = getattr(system, "promise", None) if system.name == "limited" else None
    return found


def within(system: Extractor) -> Extractor:
    """The system that is limited; any other as it is."""
    inner: Extractor = getattr(system, "inner", system) if system.name == "limited" else system
    return inner


def _check(asked: tuple[str, ...], top: int | None) -> None:
    """That limits go together."""
    if "guarantee" in asked and "min_precision" not in asked:
        raise BadParameter("guarantee without min_precision", "say what is guaranteed, such as --min-precision 0.5")
    apart = [name for name in ("min_precision", "min_recall", "best_f1") if name in asked]
    if len(apart) > 1:
        raise BadParameter(f"{' and '.join(apart)} together", "each decides how many are shown: leave one out")
    if "min_recall" in asked and (top is not None or "abstain_below" in asked):
        other = "top" if top is not None else "abstain_below"
        raise BadParameter(f"min_recall and {other} together", "recall cannot be promised of lists that are cut")


def _promise(judged: "JudgedPhrases", cut: "Cut", limits: Limits) -> "Guarantee | None":
    """The promise that is asked for, of the documents of calibration; None without one."""
    from keywright.calibration.calibrators.selective import abstaining  # noqa: PLC0415 - most extraction does without
    from keywright.calibration.selection import guarantees  # noqa: PLC0415 - most extraction does without

    precision, recall, confidence = limits.get("min_precision"), limits.get("min_recall"), limits.get("guarantee")
    if precision is not None:
        sure = guarantees.CONFIDENCE if confidence is None else confidence
        return guarantees.promise_precision(abstaining(judged, cut.abstain_below), precision, sure, most=cut.most)
    return None if recall is None else guarantees.promise_recall(judged, recall)
