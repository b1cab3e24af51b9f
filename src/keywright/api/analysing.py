"""How far the confidences of runs can be trusted."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from keywright.api.inputs import Progress
from keywright.api.labelled import dataset, protocol_of
from keywright.calibration.analysis.analysing import Judging
from keywright.calibration.analysis.analysing import analyse as analyse_run
from keywright.calibration.analysis.result import CLASSES, Analysis
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.runs import Run
from keywright.core.writing import check_file, check_folder, write_whole
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.pairing import Labelled, judge
from keywright.evaluation.statistics.comparison import compared_names
from keywright.presentation.drawing import styled


def analyse(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    runs: Mapping[str, Run | str | Path] | Sequence[Run | str | Path] | Run | str | Path,
    gold: str | Path | Labelled | None = None,
    *,
    protocol: str | Protocol | None = None,
    confidence: str | None = None,
    calibrator: Calibrator | str | Path | None = None,
    form: str | None = None,
    plots: str | Path | None = None,
    report: str | Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Analysis]:
    """Measures of calibration, perplexities, positions, repeats and soups of runs, by the runs' names.

    Args:
        runs: one or more, as for ``score``, by name or in a sequence; files of generators have token probabilities.
        gold: a data set, or labelled documents; None takes what each run names or brings along.
        protocol: one that tells present phrases from absent ones; None for ``kpg`` over the whole document.
        confidence: ``kpp-s``, ``kpp``, ``product``, ``minimum``, ``first``, ``mean``, ``probability``, or ``score``,
            which takes scores as probabilities; None for the best that all phrases have, scores being an order only.
        calibrator: what ``calibrate`` gave or wrote; its probabilities are judged then.
        form: format of the files; None recognises it.
        plots: folder for pictures as SVG and PNG files, made where there is none; what is in it may be replaced.
        report: file for a page of HTML with all there is.
        progress: told how many classes of phrases are done, of how many.

    Raises:
        UnreadableInput: a file is missing or broken, a run belongs to other documents than the gold, or a phrase lacks
            the confidence that was named.
        BadParameter: no runs, two of one name, files that cannot be written, a confidence outside 0 to 1, a protocol
            that does not tell present from absent, or a calibrator of another system.
        UnknownName: there is no such confidence, protocol or data set.
        MissingExtra: pictures need matplotlib, which is not installed.
    """
    given = [runs] if isinstance(runs, Run | str | Path) else runs
    if not given:
        raise BadParameter("no runs to analyse", "give one or more")
    _check(plots, report, [*(given.values() if isinstance(given, Mapping) else given), gold, calibrator])
    fitted = Calibrator.read(Path(calibrator)) if isinstance(calibrator, str | Path) else calibrator
    judging = Judging(None if protocol is None else protocol_of(protocol), confidence, fitted)
    known = gold if gold is None or isinstance(gold, str | Path) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    named = compared_names(given)
    done, steps = 0, len(named) * len(CLASSES)

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    found = {}
    for name, run in named.items():
        judged = judge(run, known, load, form)
        if not isinstance(judged.predictions, Run):
            message = f"{name} has answer lines, with phrases without scores"
            raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file")
        one = analyse_run(judged.predictions, judged.labelled, judging, stemmed=judged.stemmed, step=step)
        found[name] = one.noted(judged.notes)
    _publish(found, plots, report)
    return found


def _check(plots: str | Path | None, report: str | Path | None, read: Sequence[object]) -> None:
    """That files can be written, before there is anything to write, and none of those that are read."""
    if plots is not None:
        check_folder(Path(plots))
    if report is not None:
        check_file(Path(report), read)
    if plots is not None or report is not None:
        with styled():
            pass


def _publish(analyses: Mapping[str, Analysis], plots: str | Path | None, report: str | Path | None) -> None:
    """Pictures into a folder, all there is into a page."""
    if plots is not None:
        from keywright.calibration.analysis.plots import pictures  # noqa: PLC0415 - most analysis does without

        drawn = pictures(analyses)
        Path(plots).mkdir(exist_ok=True)
        for picture in drawn:
            write_whole(Path(plots) / f"{picture.name}.svg", picture.svg().encode())
            write_whole(Path(plots) / f"{picture.name}.png", picture.png())
    if report is not None:
        from keywright.calibration.analysis.page import analysis_page  # noqa: PLC0415 - most analysis does without

        write_whole(Path(report), analysis_page(analyses).encode())
