"""keywright analyse: calibration of a run's confidences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keywright.faces.cli.options import CalibratorFile, Gold, Json, Quiet, RunFormat
from keywright.faces.cli.printing import opened, print_json, printable, progress, say
from keywright.faces.cli.reports import drawn
from keywright.faces.cli.verbs.calibrate import ScoreField

if TYPE_CHECKING:
    from keywright.api import Analysis


def analyse(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs, or files of generators.")],
    *,
    gold: Gold = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            "--protocol",
            "-p",
            metavar="NAME",
            help="Protocol that decides which phrases are present and correct (default: kpg on whole texts).",
        ),
    ] = None,
    score_field: Annotated[
        ScoreField | None, typer.Option("--score-field", help="Score field to analyse (default: the best available).")
    ] = None,
    calibrator: CalibratorFile = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Folder to write plots to, as SVG and PNG files.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="File for one HTML page with all numbers and plots.")
    ] = None,
    run_format: RunFormat = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how far the confidences of runs can be trusted: calibration, perplexity, positions, degenerate output.

    Present and absent phrases are analysed separately. Runs without token probabilities are analysed by their
    probabilities, runs with scores alone by their order.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    with progress("analysing", quiet=quiet) as tell:
        analyses = api.analyse(
            runs,
            gold,
            protocol=protocol,
            score_field=score_field and score_field.value,
            calibrator=calibrator,
            form=run_format,
            plots=plots,
            report=report,
            progress=tell,
        )
    if json:
        print_json({"runs": {name: one.as_json() for name, one in analyses.items()}})
    else:
        _print(analyses)
    for name, analysis in analyses.items():
        for missing in analysis.missing:
            say(f"{name}: not shown: {missing}", quiet=quiet)
        for note in analysis.notes:
            say(f"note: {name}: {note}", quiet=quiet)
    for written in (plots, report):
        if written is not None:
            say(f"written: {written}", quiet=quiet)


def _print(analyses: "dict[str, Analysis]") -> None:
    from keywright import api  # noqa: PLC0415 - help does without

    with opened(None) as file:
        for name, analysis in analyses.items():
            file.write(printable(f"{'run':10} {name}: {analysis.system}, confidence {analysis.confidence}\n"))
        for protocol in dict.fromkeys(analysis.protocol for analysis in analyses.values()):
            file.write(printable(f"{'protocol':10} {protocol}\n"))
        for table in api.analysis_tables(analyses):
            file.write(f"\n{printable(table.caption)}\n{drawn(table, terminal=file.isatty()).rstrip()}\n")
