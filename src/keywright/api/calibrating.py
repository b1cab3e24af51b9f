"""Calibrators fitted on labelled documents of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from keywright.api.labelled import dataset
from keywright.calibration.calibrators.applying import with_probabilities
from keywright.calibration.calibrators.calibrating import Calibration
from keywright.calibration.calibrators.calibrating import calibrate as calibrate_run
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.crossfitting import FOLDS
from keywright.calibration.calibrators.drift import watched
from keywright.core.errors import BadRecord
from keywright.core.records import run_lines
from keywright.core.runs import Run
from keywright.core.writing import check_file, whole_file
from keywright.datasets.collection import DataSet
from keywright.evaluation.run_formats.pairing import Judged, Labelled, judge


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
    given = _run(judged)
    name = names[0] if names else given.data
    found = calibrate_run(given, judged.labelled, method, folds, confidence, data=name, stemmed=judged.stemmed)
    if place is not None:
        found.calibrator.write(place)
    return replace(found, notes=(*judged.notes, *found.notes))


@dataclass(frozen=True, slots=True)
class Applied:
    """A run whose phrases have probabilities.

    Attributes:
        run: the phrases in their order.
        stability: population stability index beside chance; None of too few documents.
        warnings: that documents are unlike those of calibration, if they are; what looks odd about the run.
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
    """A run with a probability beside each phrase: for generators' files; other systems take the calibrator themselves.

    Args:
        run: a run, a run file, or a file of a generator with token probabilities.
        calibrator: what ``calibrate`` gave or wrote.
        output: file to write the run to.
        texts: a data set, or documents, where present phrases are told from absent ones; their gold is not looked at.
            None takes what the run names or brings.
        form: format of the file; None recognises it.

    Raises:
        UnreadableInput: a file is missing or broken.
        BadParameter: the run is another system's, or documents have no text.
    """
    place = None if output is None else check_file(Path(output), [run, calibrator, texts])
    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    judged = judge(run, texts, dataset, form)
    made = with_probabilities(_run(judged), (one.document for one in judged.labelled), fitted)
    if place is not None:
        with whole_file(place) as file:
            file.writelines(run_lines(made))
    watch = watched(fitted.reference, (one.profile for one in made.predictions))
    return Applied(made, watch.as_json(), (*judged.notes, *((watch.warning,) if watch.unlike else ())))


def _run(judged: Judged) -> Run:
    """The run that was judged.

    Raises:
        BadRecord: it is answer lines.
    """
    if isinstance(judged.predictions, Run):
        return judged.predictions
    message = "answer lines have phrases without scores"
    raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file with probabilities")
