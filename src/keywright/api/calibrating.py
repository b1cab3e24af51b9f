"""Calibrators fitted on labelled documents of one's own."""

from dataclasses import replace
from pathlib import Path

from keywright.api.labelled import dataset
from keywright.calibration.calibrating import Calibration
from keywright.calibration.calibrating import calibrate as calibrate_run
from keywright.calibration.calibrators.crossfitting import FOLDS
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.runs import Run
from keywright.core.writing import check_file
from keywright.datasets.collection import DataSet
from keywright.evaluation.foreign.judging import Labelled, judge


def calibrate(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    run: Run | str | Path,
    gold: str | Path | Labelled | None = None,
    output: str | Path | None = None,
    *,
    method: str = "beta",
    folds: int = FOLDS,
    confidence: str | None = None,
    form: str | None = None,
) -> Calibration:
    """A calibrator for the system of a run, fitted on labelled documents, with what it changes on unseen ones.

    Args:
        run: a run, a run file, or a file of a generator with token probabilities.
        gold: a data set, or labelled documents, of which 50 to 100 suffice; None takes what the run names or brings.
        output: file to keep the calibrator in.
        method: ``beta``, ``platt``, ``isotonic``, ``histogram``, ``logistic`` or ``temperature``.
        folds: into which documents are divided for the measurement.
        confidence: what is calibrated, such as ``kpp-s`` or ``score``; None takes the best that there is.
        form: format of the file; None recognises it.

    Raises:
        UnreadableInput: a file is missing or broken, or the run belongs to other documents than the gold.
        BadParameter: the gold is held out for reporting, fewer than 20 documents are labelled, or all phrases are
            right, or none is.
        UnknownName: there is no such method or confidence.
    """
    place = None if output is None else check_file(Path(output))
    names: list[str] = []

    def load(name: str | Path) -> DataSet:
        data = dataset(name)
        if data.held_out:
            raise BadParameter(f"the gold of {data.name} is for reporting only", "calibrate on another split")
        names.append(data.signature)
        return data

    if isinstance(gold, DataSet):
        gold = load(gold.name)
    judged = judge(run, gold, load, form)
    if not isinstance(judged.predictions, Run):
        message = "answer lines have phrases without scores"
        raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file with probabilities")
    name = names[0] if names else judged.predictions.data
    found = calibrate_run(
        judged.predictions, judged.labelled, method, folds, confidence, data=name, stemmed=judged.stemmed
    )
    if place is not None:
        found.calibrator.write(place)
    return replace(found, notes=(*judged.notes, *found.notes))
