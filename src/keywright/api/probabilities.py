"""Systems with calibrated probabilities, whether documents drift away from those of calibration, and guarantees."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keywright.api.inputs import SystemLike, system_of
from keywright.api.options import guarantees_of
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Wrapper
from keywright.core.predictions import Outcome, Prediction, Run
from keywright.core.records import FinishedRecord
from keywright.running.runs import WrittenRun

if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrator import Calibrator
    from keywright.calibration.guarantees import Guarantee


def calibrated(system: SystemLike, calibrator: "Calibrator | str | Path") -> Extractor:
    """Add a calibrator to a system: its phrases keep their order and get probabilities.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> prediction = kw.extract(kw.read("examples/article.txt"), kw.calibrated("kpminer", calibrator))
    >>> 0 < prediction.keyphrases[0].probability < 1
    True

    Raises:
        BadParameter: the calibrator was fitted for another system.
    """
    from keywright.calibration.calibrators.calibrated import Calibrated  # noqa: PLC0415 - most extraction does without
    from keywright.calibration.calibrators.calibrator import Calibrator  # noqa: PLC0415 - most extraction does without

    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    return Calibrated(system_of(system), fitted)


def calibrator_of(system: object) -> "Calibrator | None":
    """Return the calibrator of a system, limited or not; code of calibration is loaded for systems that wrap others."""
    if not isinstance(system, Wrapper):
        return None
    from keywright.calibration.calibrators.calibrated import Calibrated, Limited  # noqa: PLC0415 - as above

    inner = system.inner if isinstance(system, Limited) else system
    return inner.calibrator if isinstance(inner, Calibrated) else None


def drift_warner(system: Extractor) -> Callable[[Any], Any]:
    """Return a function that all outcomes or records pass in order; it adds a warning once documents have drifted."""
    calibrator = calibrator_of(system)
    if calibrator is None:
        return lambda outcome: outcome
    from keywright.calibration.calibrators.drift import WINDOW, DriftMonitor  # noqa: PLC0415 - most extraction does without

    monitor = DriftMonitor(calibrator.reference, WINDOW)

    def warn(outcome: Outcome | FinishedRecord) -> Outcome | FinishedRecord:
        if isinstance(outcome, Prediction) and (warning := monitor.add(outcome.profile)):
            return replace(outcome, warnings=(*outcome.warnings, warning))
        if isinstance(outcome, FinishedRecord) and not outcome.failure and (warning := monitor.add(outcome.profile)):
            return outcome.add_warning(warning)
        return outcome

    return warn


def drift(system: Extractor, run: Run | WrittenRun) -> tuple[dict[str, float] | None, tuple[str, ...]]:
    """Measure how far the documents of the run of a calibrated system have drifted from those of calibration.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> system = kw.calibrated("kpminer", calibrator)
    >>> stability, warnings = kw.drift(system, kw.run(system, "papers.jsonl"))
    >>> stability["index"], warnings
    (0.0, ())

    Returns:
        The population stability index and its chance level, None without calibrator or for too few documents; and a
        warning if it is due.
    """
    calibrator = calibrator_of(system)
    if calibrator is None:
        return None, ()
    from keywright.calibration.calibrators.drift import monitor_profiles  # noqa: PLC0415 - most extraction does without

    profiles = run.profiles if isinstance(run, WrittenRun) else [each.profile for each in run.predictions]
    monitor = monitor_profiles(calibrator.reference, profiles)
    return monitor.as_json(), monitor.warnings


def limit_system(system: Extractor, top: int | None, keywords: Mapping[str, Any]) -> Extractor:
    """Return a calibrated system that shows only what the options allow; any system unchanged without options.

    ``top``: longest list; ``keywords``: options for guarantees; others are ignored.

    Raises:
        CannotGuarantee: the documents of calibration do not allow the guarantee.
        BadParameter: the system has no calibrator, a number is out of range, or options do not go together.
    """
    options = guarantees_of(keywords)
    if not options.changed:
        return system
    from keywright.calibration import guarantees  # noqa: PLC0415 - rarely needed
    from keywright.calibration.calibrators import calibrated as limits  # noqa: PLC0415 - rarely needed

    if not isinstance(system, limits.Calibrated):
        hint = "fit one on labelled documents: keywright calibrate RUN --gold DATASET -o FILE, then --calibrator FILE"
        raise BadParameter(f"{options.changed[0]} needs a calibrator, and {system.name} has none", hint)
    top = _within_depth(top, system.calibrator)
    if options.min_recall is not None and top is not None:
        raise BadParameter("min_recall and top together", "recall cannot be guaranteed for lists that are cut")
    cut = limits.Cut(most=top, abstain_below=options.abstain_below, best_f1=options.best_f1)
    judged, guarantee = system.calibrator.held_out, None
    if options.min_precision is not None:
        level = guarantees.CONFIDENCE if options.confidence_level is None else options.confidence_level
        judged = limits.drop_abstained(judged, cut.abstain_below)
        guarantee = guarantees.guarantee_precision(judged, options.min_precision, level, most=top)
    elif options.min_recall is not None:
        guarantee = guarantees.guarantee_recall(judged, options.min_recall)
    if guarantee is not None:
        cut = replace(cut, least=guarantee.threshold)
    return limits.Limited(system, cut, guarantee)


def guarantees_by_tenths(system: Extractor, top: int | None) -> "tuple[Guarantee, ...]":
    """Return the guarantee of each tenth of precision that lists of ``top`` phrases allow; none if not calibrated."""
    calibrator = calibrator_of(system)
    if calibrator is None:
        return ()
    from keywright.calibration.guarantees import list_precision_guarantees  # noqa: PLC0415 - rarely needed

    return list_precision_guarantees(calibrator.held_out, most=_within_depth(top, calibrator))


def _within_depth(top: int | None, calibrator: "Calibrator") -> int | None:
    """Return the length of lists; None for one that the calibrator does not distinguish from any longer one."""
    return None if top is not None and top >= calibrator.card.depth else top


def guarantee_of(system: object) -> "Guarantee | None":
    """Return the guarantee of a limited system; None for any other."""
    return getattr(system, "guarantee", None) if isinstance(system, Wrapper) else None
