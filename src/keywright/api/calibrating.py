"""Calibrators, fitted on labelled documents and applied to runs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from keywright.api.inputs import dataset, renamed
from keywright.calibration.calibrators.applying import with_probabilities
from keywright.calibration.calibrators.calibrating import Calibration
from keywright.calibration.calibrators.calibrating import calibrate as calibrate_run
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.drift import monitored
from keywright.calibration.calibrators.model import FOLDS
from keywright.core.atomic_files import check_file, whole_file
from keywright.core.errors import BadRecord
from keywright.core.predictions import Run
from keywright.core.records import run_lines
from keywright.datasets.collection import DataSet
from keywright.evaluation.run_formats.pairing import Judged, Labelled, judge


@renamed("confidence", "score_field")
def calibrate(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    run: Run | str | Path,
    gold: str | Path | Labelled | None = None,
    output: str | Path | None = None,
    *,
    method: str | None = None,
    folds: int = FOLDS,
    score_field: str | None = None,
    form: str | None = None,
) -> Calibration:
    """Fit a calibrator for the system of a run on labelled documents, and measure its effect on held-out ones.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "papers.jsonl")
    >>> calibration = kw.calibrate(run, "papers.jsonl", "calibrator.json")
    >>> calibration.calibrator.card.documents
    30

    Args:
        run: a run, a run file, or a file of a generator with token probabilities.
        gold: a data set or labelled documents, 10 for probabilities, 50 to 100 for scores; None takes the run's own.
        output: file to write the calibrator to.
        method: ``beta``, ``platt``, ``isotonic``, ``histogram``, ``logistic``, ``temperature`` or ``shift``; None
            chooses ``shift`` for fewer than 20 documents of a system with probabilities, else ``beta``.
        folds: number of cross-validation folds that measure the effect; of fewer than 5 documents each is left out.
        score_field: score field to calibrate, such as ``kpp-s`` or ``score``; None for the best available.
        form: format of the file; None recognises it.

    Raises:
        UnreadableInput: a file is missing or broken, or the run belongs to other documents than the gold.
        BadParameter: the gold is held out for reporting, fewer than 20 documents are labelled (2 for ``shift``), all
            phrases are correct, or none, or ``shift`` without probabilities.
        UnknownName: there is no such method or score field.
    """
    place = None if output is None else check_file(Path(output), [run, gold])
    names: list[str] = []

    def load(name: str | Path) -> DataSet:
        data = dataset(name)
        data.check_learnable("calibrate on another split")
        names.append(data.signature)
        return data

    if isinstance(gold, DataSet):
        gold = load(gold.name)
    judged = judge(run, gold, load, form)
    predictions = _run(judged)
    data = names[0] if names else predictions.data
    calibration = calibrate_run(
        predictions, judged.labelled, method, folds, score_field, data=data, stemmed=judged.stemmed
    )
    if place is not None:
        calibration.calibrator.write(place)
    return replace(calibration, notes=(*judged.notes, *calibration.notes))


@dataclass(frozen=True, slots=True)
class Applied:
    """A run with probabilities.

    Attributes:
        run: the same phrases in the same order.
        stability: population stability index and its chance level; None for too few documents.
        warnings: notes on the run, and a warning if its documents are unlike those of calibration.
    """

    run: Run
    stability: Mapping[str, float] | None
    warnings: tuple[str, ...]


def apply_calibrator(
    run: Run | str | Path,
    calibrator: Calibrator | str | Path,
    output: str | Path | None = None,
    *,
    texts: str | Path | Labelled | None = None,
    form: str | None = None,
) -> Applied:
    """Add a probability to each phrase of a generator's run; other systems take calibrators themselves.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "papers.jsonl", top=5)
    >>> calibrator = kw.calibrate(run, "papers.jsonl").calibrator
    >>> applied = kw.apply_calibrator(run, calibrator, texts="papers.jsonl")
    >>> 0 < applied.run.predictions[0].keyphrases[0].probability < 1
    True

    Args:
        run: a run, a run file, or a file of a generator with token probabilities.
        calibrator: from ``calibrate``, or its file.
        output: file to write the run to.
        texts: a data set, or documents, whose texts decide which phrases are present; their gold is not used. None
            takes what the run names or brings.
        form: format of the file; None recognises it.

    Raises:
        UnreadableInput: a file is missing or broken.
        BadParameter: the calibrator belongs to another system, or documents have no text.
    """
    place = None if output is None else check_file(Path(output), [run, calibrator, texts])
    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    judged = judge(run, texts, dataset, form)
    calibrated = with_probabilities(_run(judged), (labelled.document for labelled in judged.labelled), fitted)
    if place is not None:
        with whole_file(place) as file:
            file.writelines(run_lines(calibrated))
    monitor = monitored(fitted.reference, (prediction.profile for prediction in calibrated.predictions))
    return Applied(calibrated, monitor.as_json(), (*judged.notes, *(monitor.warnings)))


def _run(judged: Judged) -> Run:
    if isinstance(judged.predictions, Run):
        return judged.predictions
    message = "answer lines have phrases without scores"
    raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file with probabilities")
