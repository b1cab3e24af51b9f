"""Analysis of the confidences of runs."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keywright.api.inputs import dataset, renamed
from keywright.api.protocol_inputs import protocol_of
from keywright.calibration.analysis.analysing import Judging
from keywright.calibration.analysis.analysing import analyse as analyse_run
from keywright.calibration.analysis.result import CLASSES, Analysis
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.core.atomic_files import check_file, check_folder, write_whole
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Progress
from keywright.core.predictions import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.pairing import Labelled, judge
from keywright.evaluation.statistics.comparison import compared_names
from keywright.presentation.drawing import styled
from keywright.presentation.page import Table


@renamed("confidence", "score_field")
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
    """Measure calibration, perplexity, positions, repetition and degenerate output of runs.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> kw.analyse({"kpminer": run}, "examples/abstracts.jsonl")["kpminer"].confidence
    'score'

    Args:
        runs: one or more, as for ``score``, by name or in a sequence.
        gold: a data set, or labelled documents; None takes what each run names or brings along.
        protocol: one that distinguishes present from absent phrases; None for ``kpg`` over the whole document.
        score_field: ``kpp-s``, ``kpp``, ``product``, ``minimum``, ``first``, ``mean``, ``probability``, or ``score``,
            which takes scores as probabilities; None for the best that all phrases have, where scores only rank.
        calibrator: from ``calibrate``, or its file; then its probabilities are analysed.
        form: format of the files; None recognises it.
        plots: folder for plots as SVG and PNG files; created if missing, files in it may be replaced.
        report: file for an HTML page with all numbers and plots.
        progress: called with the number of classes of phrases done, and of all.

    Returns:
        Analyses by the runs' names.

    Raises:
        UnreadableInput: a file is missing or broken, a run belongs to other documents than the gold, or a phrase lacks
            the score field.
        BadParameter: no runs, two of one name, files that cannot be written, a confidence outside 0 to 1, a protocol
            without present and absent phrases, or a calibrator of another system.
        UnknownName: there is no such score field, protocol or data set.
        MissingExtra: plots need matplotlib, which is not installed.
    """
    given_runs = [runs] if isinstance(runs, Run | str | Path) else runs
    if not given_runs:
        raise BadParameter("no runs to analyse", "give one or more")
    inputs = [*(given_runs.values() if isinstance(given_runs, Mapping) else given_runs), gold, calibrator]
    _check(plots, report, inputs)
    fitted = Calibrator.read(Path(calibrator)) if isinstance(calibrator, str | Path) else calibrator
    judging = Judging(None if protocol is None else protocol_of(protocol), score_field, fitted)
    labelled = gold if gold is None or isinstance(gold, str | Path) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    named = compared_names(given_runs)
    done, steps = 0, len(named) * len(CLASSES)

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    analyses = {}
    for name, run in named.items():
        judged = judge(run, labelled, load, form)
        if not isinstance(judged.predictions, Run):
            message = f"{name} has answer lines, with phrases without scores"
            raise BadRecord(message, "expected a run that `keywright run` wrote, or a generator's file")
        analysis = analyse_run(judged.predictions, judged.labelled, judging, stemmed=judged.stemmed, step=step)
        analyses[name] = analysis.noted(judged.notes)
    _publish(analyses, plots, report)
    return analyses


def analysis_tables(analyses: Mapping[str, Analysis]) -> tuple[Table, ...]:
    """Return analyses as tables for people."""
    from keywright.calibration.analysis.tables import tables  # noqa: PLC0415 - machines do without

    return tuple(tables(analyses))


def analysis_records(analyses: Mapping[str, Analysis]) -> tuple[dict[str, Any], ...]:
    """Return a record for each run, class of phrases and measure that has a value: fractions, with intervals."""
    from keywright.calibration.analysis.analysis_views import records  # noqa: PLC0415 - tables do without

    return tuple({"run": name, **record} for name, analysis in analyses.items() for record in records(analysis))


def _check(plots: str | Path | None, report: str | Path | None, inputs: Sequence[object]) -> None:
    """Check, before any work, that the outputs can be written and are not among the inputs."""
    if plots is not None:
        check_folder(Path(plots))
    if report is not None:
        check_file(Path(report), inputs)
    if plots is not None or report is not None:
        with styled():
            pass


def _publish(analyses: Mapping[str, Analysis], plots: str | Path | None, report: str | Path | None) -> None:
    if plots is not None:
        from keywright.calibration.analysis.plots import pictures  # noqa: PLC0415 - most analysis does without

        drawn = pictures(analyses)
        Path(plots).mkdir(exist_ok=True)  # only after drawing: an error leaves no empty folder
        for picture in drawn:
            write_whole(Path(plots) / f"{picture.name}.svg", picture.svg().encode())
            write_whole(Path(plots) / f"{picture.name}.png", picture.png())
    if report is not None:
        from keywright.calibration.analysis.page import analysis_page  # noqa: PLC0415 - most analysis does without

        write_whole(Path(report), analysis_page(analyses).encode())
