"""Systems that show only what guarantees and other limits on probabilities allow."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from keywright.api.options import GuaranteeKeywords, guarantees_of
from keywright.api.probabilities import is_calibrated
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Wrapper

if TYPE_CHECKING:
    from keywright.calibration.calibrators.selective import Limited
    from keywright.calibration.selection.guarantees import Guarantee


def limited(system: Extractor, top: int | None, keywords: GuaranteeKeywords) -> Extractor:
    """Return a calibrated system that shows only what the options allow; any system unchanged without options.

    Args:
        system: a system with a calibrator.
        top: longest list.
        keywords: options for guarantees; others are ignored.

    Raises:
        CannotGuarantee: the documents of calibration do not allow the guarantee.
        BadParameter: the system has no calibrator, a number is out of range, or options do not go together.
    """
    options = guarantees_of(keywords)
    if not options.changed:
        return system
    if not is_calibrated(system):
        hint = "fit one on labelled documents: keywright calibrate RUN --gold DATASET -o FILE, then --calibrator FILE"
        raise BadParameter(f"{options.changed[0]} needs a calibrator, and {system.name} has none", hint)
    if top is not None and top >= system.calibrator.card.depth:
        top = None  # the calibrator knows no longer lists
    if options.min_recall is not None and top is not None:
        raise BadParameter("min_recall and top together", "recall cannot be guaranteed for lists that are cut")
    from keywright.calibration.calibrators.selective import Cut, Limited, abstaining  # noqa: PLC0415 - rarely needed
    from keywright.calibration.selection import guarantees  # noqa: PLC0415 - rarely needed

    cut, guarantee = Cut(most=top, abstain_below=options.abstain_below, best_f1=options.best_f1), None
    judged = system.calibrator.held_out
    if options.min_precision is not None:
        level = guarantees.CONFIDENCE if options.confidence_level is None else options.confidence_level
        judged = abstaining(judged, cut.abstain_below)
        guarantee = guarantees.guarantee_precision(judged, options.min_precision, level, most=top)
    elif options.min_recall is not None:
        guarantee = guarantees.guarantee_recall(judged, options.min_recall)
    if guarantee is not None:
        cut = replace(cut, least=guarantee.threshold)
    return Limited(system, cut, guarantee)


def guarantee_of(system: Extractor) -> "Guarantee | None":
    """Return the guarantee of a limited system; None for any other."""
    return system.guarantee if is_limited(system) else None


def within(system: Extractor) -> Extractor:
    """Return the system inside a limited one; any other unchanged."""
    return system.inner if is_limited(system) else system


def is_limited(system: Extractor) -> "TypeGuard[Limited]":
    """Return whether a system is limited; code of calibration is loaded only for systems that wrap another."""
    if not isinstance(system, Wrapper):
        return False
    from keywright.calibration.calibrators.selective import Limited  # noqa: PLC0415 - rarely needed

    return isinstance(system, Limited)
