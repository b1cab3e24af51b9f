"""Export of trained generators: a folder for a CPU without torch, its probabilities calibrated again."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from keywright.api.generator_calibration import GeneratorCalibration, measures
from keywright.api.inputs import data_of, load
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.extras import needs_extra
from keywright.core.interfaces import Extractor
from keywright.datasets.collection import DataSet
from keywright.neural.model_folder import CALIBRATOR, PRECISIONS, check_export_place, check_generator_folder
from keywright.neural.systems.loading import load_system

_WHOLE: Final = "the folder can be used without; name more documents with --calibrate-on (calibrate_on=...)"


@dataclass(frozen=True, slots=True)
class ExportedGenerator:
    """An exported generator.

    Attributes:
        card: the trained generator's, with what the export changed and the hashes of its files.
        notes: what has to be known about its probabilities, for people.
        uncalibrated: why documents were named and no calibrator could be fitted on them; else empty.
    """

    card: dict[str, Any]
    notes: tuple[str, ...] = ()
    uncalibrated: str = ""

    @property
    def calibrated(self) -> bool:
        """True if a calibrator was fitted."""
        return "calibration" in self.card


def export(
    folder: str | Path,
    output: str | Path,
    precision: str = "int8",
    *,
    calibrate_on: str | Path | DataSet | None = None,
    force: bool = False,
) -> Extractor:
    """Write a trained generator as ONNX into another folder, which needs the extra ``onnx`` instead of torch.

    The new folder can be passed anywhere a system name is accepted. Phrases are decoded greedily. 8-bit integers shift
    confidences, so that the probabilities of the trained generator are not kept: they are fitted again on the labelled
    documents of ``calibrate_on``, or there are none.

    >>> import keywright as kw
    >>> kw.export("generator", "served").name
    'one2seq'

    Args:
        folder: of a trained generator.
        output: new or empty folder, or that of an earlier export with ``force``.
        precision: ``int8``, smaller and faster, or ``float32``, the same probabilities.
        calibrate_on: labelled documents that the generator was not trained on, 20 at least.
        force: whether to replace an exported generator in ``output``.

    Raises:
        BadParameter: the folder is in use, the generator is an exported one, or the documents are too few or held out
            for reporting.
        BrokenFile: a file of the trained generator is damaged.
        MissingData: there is no generator.
        MissingExtra: the extra ``neural`` is not installed, which the export needs.
        PartlyDone: the export is whole, but no calibrator could be fitted on the documents.
        TooLarge: weights that one file of ONNX cannot hold.
    """
    exported = export_with_notes(folder, output, precision, calibrate_on=calibrate_on, force=force)
    if exported.uncalibrated:
        raise PartlyDone(exported.uncalibrated, _WHOLE)
    return load(output)


def export_with_notes(
    folder: str | Path,
    output: str | Path,
    precision: str = "int8",
    *,
    calibrate_on: str | Path | DataSet | None = None,
    force: bool = False,
) -> ExportedGenerator:
    """Export a generator as ``export`` does; return its card and notes."""
    source, place = Path(folder), Path(output)
    if precision not in PRECISIONS:
        raise BadParameter(f"precision {precision!r}", f"expected {' or '.join(PRECISIONS)}")
    check_generator_folder(source)
    check_export_place(place, source, force=force)
    data = None if calibrate_on is None else data_of(calibrate_on)
    if data is not None:
        data.check_learnable("calibrate on another split")
    with needs_extra("neural", "export needs torch"):
        from keywright.neural.exporting.writing import export_generator  # noqa: PLC0415 - heavy
    card = export_generator(source, place, precision)
    had = Calibrator.read(source / CALIBRATOR) if (source / CALIBRATOR).is_file() else None
    if data is None:
        hint = "name labelled documents with --calibrate-on (calibrate_on=...)"
        lost = "the calibrator of the trained generator was left out" if had else "there is no calibrator"
        return ExportedGenerator(card, (f"without calibrated probabilities: {lost}; {hint}",))
    return _calibrated(card, place, data, had)


def _calibrated(card: dict[str, Any], folder: Path, data: DataSet, had: Calibrator | None) -> ExportedGenerator:
    """Fit the exported generator's calibrator, and measure what the trained one's would have given."""
    labelled = list(data)
    try:
        calibration = GeneratorCalibration.of(load_system(folder), labelled, data.signature)
    except BadParameter as error:  # too few documents, or none right
        return ExportedGenerator(card, uncalibrated=f"without calibrated probabilities: {error.message}")
    before = calibration.fitted.before
    values = {
        "data": data.signature,
        "documents": calibration.fitted.calibrator.card.documents,
        "confidences": None if before is None else measures(before),
        "probabilities before export": None if had is None else calibration.with_calibrator(had, labelled),
        **calibration.after,
    }
    return ExportedGenerator(calibration.save(folder, values), calibration.fitted.notes)
