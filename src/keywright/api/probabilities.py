"""Systems with probabilities from a calibrator, and whether these still hold."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from keywright.api.inputs import Chosen, system_of
from keywright.core.interfaces import Extractor, Wrapper
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.execution.extraction import Outcome

if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrated import Calibrated
    from keywright.calibration.calibrators.calibrator import Calibrator


def calibrated(system: Chosen, calibrator: "Calibrator | str | Path") -> Extractor:
    """A system whose phrases have probabilities: the same phrases in the same order.

    Args:
        system: a name, the folder of a trained one, or a system itself.
        calibrator: what ``calibrate`` gave or wrote.

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
    """Whether a system has a calibrator; code of calibration is loaded only for systems that wrap another."""
    if not isinstance(system, Wrapper):
        return False
    from keywright.calibration.calibrators.calibrated import Calibrated  # noqa: PLC0415 - most extraction does without

    return isinstance(system, Calibrated)


def watcher(system: Extractor) -> Callable[[Outcome], Outcome]:
    """What outcomes go through in their order: the first at which the last documents have drifted gets a warning."""
    if not is_calibrated(system):
        return lambda outcome: outcome
    from keywright.calibration.calibrators.drift import WINDOW, DriftMonitor  # noqa: PLC0415 - most extraction does without

    monitor = DriftMonitor(system.calibrator.reference, WINDOW)

    def told(outcome: Outcome) -> Outcome:
        if isinstance(outcome, Prediction) and (warning := monitor.add(outcome.profile)):
            return replace(outcome, warnings=(*outcome.warnings, warning))
        return outcome

    return told


def drift(system: Extractor, run: Run) -> tuple[dict[str, float] | None, tuple[str, ...]]:
    """How far all documents of a run are from those of calibration, and what is to be said of it.

    Args:
        system: the one with the calibrator, also where less than its lists was shown.
        run: that it made.

    Returns:
        The population stability index beside chance, None for a system without calibrator and for too few documents;
        and a warning if one is due.
    """
    if not is_calibrated(system):
        return None, ()
    from keywright.calibration.calibrators.drift import monitored  # noqa: PLC0415 - most extraction does without

    monitor = monitored(system.calibrator.reference, (one.profile for one in run.predictions))
    return monitor.as_json(), monitor.warnings
