"""Systems with calibrated probabilities, whether documents drift away from those of calibration, and guarantees."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from keywright.api.inputs import SystemLike, system_of
from keywright.api.options import guarantees_of
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Wrapper
from keywright.core.predictions import Outcome, Prediction, Run
from keywright.core.records import FinishedRecord
from keywright.running.runs import WrittenRun

if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrated import Calibrated
    from keywright.calibration.calibrators.calibrator import Calibrator


def calibrated(system: SystemLike, calibrator: "Calibrator | str | Path") -> Extractor:
    """Add a calibrator to a system: its phrases keep their order and get probabilities.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> prediction = kw.extract(kw.read("examples/article.txt"), kw.calibrated("kpminer", calibrator))
    >>> 0 < prediction.keyphrases[0].probability < 1
    True

    Args:
        system: a name, the folder of a trained system, or a system itself.
        calibrator: from ``calibrate``, or its file.

    Raises:
        MissingData: there is no such file.
        BrokenFile: it is damaged.
        BadParameter: it was fitted for another system.
    """
    from keywright.calibration.calibrators.calibrated import Calibrated  # noqa: PLC0415 - most extraction does without
    from keywright.calibration.calibrators.calibrator import Calibrator  # noqa: PLC0415 - most extraction does without

    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    return Calibrated(system_of(system), fitted)


def is_calibrated(system: object) -> "TypeGuard[Calibrated]":
    """Return whether a system has a calibrator; code of calibration is loaded only for systems that wrap another."""
    if not isinstance(system, Wrapper):
        return False
    from keywright.calibration.calibrators.calibrated import Calibrated  # noqa: PLC0415 - most extraction does without

    return isinstance(system, Calibrated)


def drift_warner(system: Extractor) -> Callable[[Any], Any]:
    """Return a function that all outcomes or records pass in order; it adds a warning once documents have drifted."""
    if not is_calibrated(system):
        return lambda outcome: outcome
    from keywright.calibration.calibrators.drift import WINDOW, DriftMonitor  # noqa: PLC0415 - most extraction does without

    monitor = DriftMonitor(system.calibrator.reference, WINDOW)

    def warned(outcome: Outcome | FinishedRecord) -> Outcome | FinishedRecord:
        if isinstance(outcome, Prediction) and (warning := monitor.add(outcome.profile)):
            return replace(outcome, warnings=(*outcome.warnings, warning))
        if isinstance(outcome, FinishedRecord) and not outcome.failure and (warning := monitor.add(outcome.profile)):
            return outcome.add_warning(warning)
        return outcome

    return warned


def drift(system: Extractor, run: Run | WrittenRun) -> tuple[dict[str, float] | None, tuple[str, ...]]:
    """Measure how far the documents of a run have drifted from those of calibration.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> system = kw.calibrated("kpminer", calibrator)
    >>> stability, warnings = kw.drift(system, kw.run(system, "papers.jsonl"))
    >>> stability["index"], warnings
    (0.0, ())

    Args:
        system: the system with the calibrator, without guarantees or other limits.
        run: its run.

    Returns:
        The population stability index and its chance level, None without calibrator or for too few documents; and a
        warning if it is due.
    """
    if not is_calibrated(system):
        return None, ()
    from keywright.calibration.calibrators.drift import monitor_profiles  # noqa: PLC0415 - most extraction does without

    profiles = run.profiles if isinstance(run, WrittenRun) else [each.profile for each in run.predictions]
    monitor = monitor_profiles(system.calibrator.reference, profiles)
    return monitor.as_json(), monitor.warnings


if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrated import Limited
    from keywright.calibration.guarantees import Guarantee


def limited(system: Extractor, top: int | None, keywords: Mapping[str, Any]) -> Extractor:
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
    top = _within_calibrated_depth(top, system)
    if options.min_recall is not None and top is not None:
        raise BadParameter("min_recall and top together", "recall cannot be guaranteed for lists that are cut")
    from keywright.calibration import guarantees  # noqa: PLC0415 - rarely needed
    from keywright.calibration.calibrators.calibrated import Cut, Limited, drop_abstained  # noqa: PLC0415 - rarely needed

    cut, guarantee = Cut(most=top, abstain_below=options.abstain_below, best_f1=options.best_f1), None
    judged = system.calibrator.held_out
    if options.min_precision is not None:
        level = guarantees.CONFIDENCE if options.confidence_level is None else options.confidence_level
        judged = drop_abstained(judged, cut.abstain_below)
        guarantee = guarantees.guarantee_precision(judged, options.min_precision, level, most=top)
    elif options.min_recall is not None:
        guarantee = guarantees.guarantee_recall(judged, options.min_recall)
    if guarantee is not None:
        cut = replace(cut, least=guarantee.threshold)
    return Limited(system, cut, guarantee)


def guarantees_by_tenths(system: Extractor, top: int | None) -> "tuple[Guarantee, ...]":
    """Return the guarantee of each tenth of precision that lists of ``top`` phrases allow; none if not calibrated."""
    if not is_calibrated(system):
        return ()
    from keywright.calibration.guarantees import list_precision_guarantees  # noqa: PLC0415 - rarely needed

    return list_precision_guarantees(system.calibrator.held_out, most=_within_calibrated_depth(top, system))


def _within_calibrated_depth(top: int | None, system: "Calibrated") -> int | None:
    """Return the length of lists; None for one that the calibrator does not distinguish from any longer one."""
    return None if top is not None and top >= system.calibrator.card.depth else top


def guarantee_of(system: Extractor) -> "Guarantee | None":
    """Return the guarantee of a limited system; None for any other."""
    return system.guarantee if is_limited(system) else None


def inner_system(system: Extractor) -> Extractor:
    """Return the system inside a limited one; any other unchanged."""
    return system.inner if is_limited(system) else system


def is_limited(system: Extractor) -> "TypeGuard[Limited]":
    """Return whether a system is limited; code of calibration is loaded only for systems that wrap another."""
    if not isinstance(system, Wrapper):
        return False
    from keywright.calibration.calibrators.calibrated import Limited  # noqa: PLC0415 - rarely needed

    return isinstance(system, Limited)
