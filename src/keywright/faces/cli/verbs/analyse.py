"""keywright analyse: how far a run's confidences can be trusted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keywright.faces.cli.options import CalibratorFile, Json, Quiet, RunFormat
from keywright.faces.cli.printing import opened, print_json, printable, say
from keywright.faces.cli.progress import progress
from keywright.faces.cli.reports import drawn
from keywright.faces.cli.verbs.calibrate import Given

if TYPE_CHECKING:
    from keywright.calibration.analysis.result import Analysis


def analyse(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs, or generators' files.")],
    *,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="DATASET", help="Labelled documents; needed where the runs name none."),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option("--protocol", "-p", metavar="NAME", help="What is present and right; else kpg on whole texts."),
    ] = None,
    confidence: Annotated[
        Given | None, typer.Option("--confidence", help="What is judged, where not the best that there is.")
    ] = None,
    calibrator: CalibratorFile = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Folder for pictures, as SVG and PNG files.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="One page of HTML with all numbers and pictures.")
    ] = None,
    run_format: RunFormat = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How far the confidences of runs can be trusted: calibration, perplexities, positions, repeats, soups.

    Present and absent phrases are told apart.
    Runs without token probabilities are judged by their probabilities, those with scores only by their order.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    with progress("analysing", quiet=quiet) as tell:
        found = api.analyse(
            runs,
            gold,
            protocol=protocol,
            confidence=confidence and confidence.value,
            calibrator=calibrator,
            form=run_format,
            plots=plots,
            report=report,
            progress=tell,
        )
    if json:
        print_json({"runs": {name: one.as_json() for name, one in found.items()}})
    else:
        _print(found)
    for name, one in found.items():
        for missing in one.missing:
            say(f"{name}: not shown: {missing}", quiet=quiet)
        for note in one.notes:
            say(f"note: {name}: {note}", quiet=quiet)
    for written in (plots, report):
        if written is not None:
            say(f"written: {written}", quiet=quiet)


def _print(found: "dict[str, Analysis]") -> None:
    """What was judged, and the tables."""
    from keywright.calibration.analysis.tables import tables  # noqa: PLC0415 - help does without

    with opened(None) as file:
        for name, one in found.items():
            file.write(printable(f"{'run':10} {name}: {one.system}, confidence {one.confidence}\n"))
        for protocol in dict.fromkeys(one.protocol for one in found.values()):
            file.write(printable(f"{'protocol':10} {protocol}\n"))
        for table in tables(found):
            file.write(f"\n{printable(table.caption)}\n{drawn(table, terminal=file.isatty()).rstrip()}\n")
