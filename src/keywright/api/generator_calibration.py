"""Calibration of a generator whose folder keeps its calibrator."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from keywright.api.extracting import DEPTH
from keywright.calibration.calibrators.applying import recalibrated
from keywright.calibration.calibrators.calibrating import Calibration, calibrate
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.measures.measuring import measure
from keywright.calibration.measures.report import CalibrationReport
from keywright.core.documents import Document, LabelledDocument
from keywright.core.predictions import Run
from keywright.execution import collection_runs
from keywright.execution.extraction import Extraction
from keywright.neural.model_folder import CALIBRATOR, add_file
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.text.languages import ByLanguage

_SHOWN: Final = ("ece", "brier")
"""Measures on a generator's card."""


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorCalibration:
    """A generator's calibration on labelled documents.

    Attributes:
        run: its keyphrases of these documents.
        fitted: the calibrator, and measures without it and on documents left out of its fit.
    """

    run: Run
    fitted: Calibration

    @classmethod
    def of(
        cls, system: GeneratorSystem, labelled: Sequence[LabelledDocument[Document]], data: str
    ) -> "GeneratorCalibration":
        """Fit a calibrator for a generator.

        Args:
            system: a trained generator.
            labelled: documents that it was not trained on.
            data: their name on the calibrator's card.

        Raises:
            BadParameter: too few documents, or all phrases are right, or none.
        """
        extraction = Extraction(ByLanguage(None), system, top=DEPTH, meta=False)
        run = collection_runs.run(extraction, [each.document for each in labelled])
        return cls(run, calibrate(run, labelled, data=data))

    @property
    def after(self) -> dict[str, float]:
        """Measures of the calibrated probabilities, on documents left out of the fit."""
        return measures(self.fitted.after)

    def with_calibrator(
        self, calibrator: Calibrator, labelled: Sequence[LabelledDocument[Document]]
    ) -> dict[str, float]:
        """Return the measures of probabilities by a calibrator of other weights of the same generator."""
        assumed = replace(calibrator, card=replace(calibrator.card, system=self.run.system))
        judged, _ = recalibrated(self.run, labelled, assumed)
        return measures(measure(judged))

    def save(self, folder: Path, values: Mapping[str, Any]) -> dict[str, Any]:
        """Add the calibrator to the generator's folder, and values to its card; return the card."""
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / CALIBRATOR
            self.fitted.calibrator.write(file)
            content = file.read_bytes()
        return add_file(folder, CALIBRATOR, content, {"calibration": dict(values)})


def measures(report: CalibrationReport) -> dict[str, float]:
    """Return the measures on a card, as far as the phrases allow them."""
    return {name: report.values[name].value for name in _SHOWN if name in report.values}
