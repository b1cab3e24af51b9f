"""Confidences of runs: calibrators fitted and applied, and analyses."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from keywright.api.inputs import dataset
from keywright.api.scores import protocol_of
from keywright.calibration.analysis.analysing import CLASSES, Analysis
from keywright.calibration.analysis.analysing import analyse as analyse_run
from keywright.calibration.calibrators.calibrating import Calibration, add_probabilities
from keywright.calibration.calibrators.calibrating import calibrate as calibrate_run
from keywright.calibration.calibrators.calibrator import Calibrator, monitor_profiles
from keywright.calibration.calibrators.model import FOLDS
from keywright.core.atomic_files import check_file, check_folder, whole_file, write_whole
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Progress
from keywright.core.pages import plot_style
from keywright.core.predictions import Run
from keywright.core.records import run_lines
from keywright.datasets.collection import DataSet
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.pairing import Labelled, PairedRun, pair_with_gold
from keywright.evaluation.statistics.comparison import name_runs


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
            chooses ``beta``; for fewer than 20 documents ``shift``, or ``platt`` for a system without probabilities.
        folds: number of cross-validation folds that measure the effect; of fewer than 5 documents each is left out.
        score_field: score field to calibrate, such as ``kpp-s`` or ``score``; None for the best available.

    Raises:
        BadParameter: the gold is held out for reporting, too few documents are labelled (2 for ``shift``, 10 for
            ``platt``, 20 for others), all phrases are correct, or none, or ``shift`` without probabilities.
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
    judged = pair_with_gold(run, gold, load, form)
    predictions = _run_of_judged(judged)
    data = names[0] if names else predictions.data
    calibration = calibrate_run(
        predictions, judged.labelled, method, folds, score_field, data=data, stemmed=judged.stemmed
    )
    if place is not None:
        calibration.calibrator.write(place)
    return replace(calibration, notes=(*judged.notes, *calibration.notes))


@dataclass(frozen=True, slots=True)
class Applied:
    """A run with probabilities: the same phrases in the same order.

    ``stability`` is the population stability index and its chance level, None for too few documents; ``warnings`` are
    notes on the run, and one if its documents are unlike those of calibration.
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
        run: as for ``calibrate``.
        texts: a data set, or documents, whose texts decide which phrases are present; their gold is not used. None
            takes what the run names or brings.

    Raises:
        BadParameter: the calibrator belongs to another system, or documents have no text.
    """
    place = None if output is None else check_file(Path(output), [run, calibrator, texts])
    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    judged = pair_with_gold(run, texts, dataset, form)
    calibrated = add_probabilities(_run_of_judged(judged), (labelled.document for labelled in judged.labelled), fitted)
    if place is not None:
        with whole_file(place) as file:
            file.writelines(run_lines(calibrated))
    monitor = monitor_profiles(fitted.reference, (prediction.profile for prediction in calibrated.predictions))
    return Applied(calibrated, monitor.as_json(), (*judged.notes, *(monitor.warnings)))


def _run_of_judged(judged: PairedRun, name: str = "") -> Run:
    if isinstance(judged.predictions, Run):
        return judged.predictions
    message = f"{name + ' has ' if name else ''}answer lines with phrases without scores"
    raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file with probabilities")


def analyse(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    runs: Mapping[str, Run | str | Path] | Sequence[Run | str | Path] | Run | str | Path,
    gold: str | Path | Labelled | None = None,
    *,
    protocol: str | Protocol | None = None,
    score_field: str | None = None,
    calibrator: Calibrator | str | Path | None = None,
    form: str | None = None,
    plots: str | Path | None = None,
    report: str | Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Analysis]:
    """Measure calibration, perplexity, positions, repetition and degenerate output of runs; return analyses by name.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> kw.analyse({"kpminer": run}, "examples/abstracts.jsonl")["kpminer"].confidence
    'score'

    Args:
        runs: one or more, by name or in a sequence.
        protocol: one that distinguishes present from absent phrases; None for ``kpg`` over the whole document.
        score_field: ``kpp-s``, ``kpp``, ``product``, ``minimum``, ``first``, ``mean``, ``probability``, or ``score``,
            which takes scores as probabilities; None for the best that all phrases have, where scores only rank.
        calibrator: if there is one, its probabilities are analysed.
        plots: folder for plots as SVG and PNG files; created if missing, files in it may be replaced.
        report: file for an HTML page with all numbers and plots.

    Raises:
        UnreadableInput: a run belongs to other documents than the gold, or a phrase lacks the score field.
        BadParameter: no runs, two of one name, a confidence outside 0 to 1, or a calibrator of another system.
    """
    several = [runs] if isinstance(runs, Run | str | Path) else runs
    if not several:
        raise BadParameter("no runs to analyse", "give one or more")
    inputs = [*(several.values() if isinstance(several, Mapping) else several), gold, calibrator]
    if plots is not None:  # before any work
        check_folder(Path(plots))
    if report is not None:
        check_file(Path(report), inputs)
    if plots is not None or report is not None:
        with plot_style():
            from keywright.calibration.analysis.tables import draw_analysis_page  # noqa: PLC0415 - rarely needed
    fitted = Calibrator.read(Path(calibrator)) if isinstance(calibrator, str | Path) else calibrator
    rules = None if protocol is None else protocol_of(protocol)
    labelled = gold if gold is None or isinstance(gold, str | Path) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    named, done = name_runs(several), itertools.count(1)

    def step() -> None:
        if progress:
            progress(next(done), len(named) * len(CLASSES))

    analyse_one = functools.partial(analyse_run, protocol=rules, confidence=score_field, calibrator=fitted, step=step)
    analyses = {}
    for name, run in named.items():
        judged = pair_with_gold(run, labelled, load, form)
        analysis = analyse_one(_run_of_judged(judged, name), judged.labelled, stemmed=judged.stemmed)
        analyses[name] = replace(analysis, notes=(*judged.notes, *analysis.notes))
    if plots is not None:
        _write_plots(analyses, Path(plots))
    if report is not None:
        write_whole(Path(report), draw_analysis_page(analyses).encode())
    return analyses


def _write_plots(analyses: Mapping[str, Analysis], folder: Path) -> None:
    from keywright.calibration.analysis.plots import draw_pictures  # noqa: PLC0415 - most analysis does without

    drawn = draw_pictures(analyses)
    folder.mkdir(exist_ok=True)  # only after drawing: an error leaves no empty folder
    for picture in drawn:
        write_whole(folder / f"{picture.name}.svg", picture.svg().encode())
        write_whole(folder / f"{picture.name}.png", picture.png())
