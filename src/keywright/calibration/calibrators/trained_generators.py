"""Trained generators with the calibrators in their folders."""

from pathlib import Path

from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.core.interfaces import Extractor
from keywright.neural.model_folder import CALIBRATOR
from keywright.neural.systems.generator_system import load_system


def calibrated_generator(folder: Path) -> Extractor:
    """Return a generator's system, with the calibrator of its folder if there is one.

    Raises:
        MissingData: there is no generator.
        BrokenFile: card or calibrator is damaged.
    """
    generator, file = load_system(folder), folder / CALIBRATOR
    return Calibrated(generator, Calibrator.read(file)) if file.is_file() else generator
