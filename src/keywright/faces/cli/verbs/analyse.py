"""keywright analyse: how far the confidences of runs can be trusted."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import CalibratorFile, Gold, Json, Output, Quiet, RunFormat
from keywright.faces.cli.output_options import Force, ReportFormat, check_new, choose_format
from keywright.faces.cli.printing import open_output, say, show_progress
from keywright.faces.cli.reports import SIGNATURES, draw_table, format_labelled, format_rows, format_tables
from keywright.faces.outputs.output_formats import CSV, HTML, JSON, REPORTS, TABLE, TSV, OutputFormat
from keywright.faces.outputs.screen import escape_controls, find_screen

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
        Confidence | None, typer.Option("--score-field", help="Score field to analyse (default: the best available).")
    ] = None,
    calibrator: CalibratorFile = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Folder to write plots to, as SVG and PNG files.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="File for one HTML page with all numbers and plots.")
    ] = None,
    run_format: RunFormat = None,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how far the confidences of runs can be trusted: calibration, perplexity, positions, degenerate output.

    Present and absent phrases are analysed separately. Runs without token probabilities are analysed by their
    probabilities, runs with scores alone by their order.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = choose_format(REPORTS, form, output, [*runs, gold, calibrator], json=json, force=force)
    if output_format is HTML:
        if output is None or report is not None:
            raise BadParameter("an analysis as HTML needs one file", "name it with -o FILE.html or --report FILE")
        report, output = output, None
    check_new(report, [*runs, gold, calibrator, output], force=force or output_format is HTML)
    with show_progress("analysing", quiet=quiet) as tell:
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
    if output_format is not HTML:
        with open_output(output, [*runs, gold, calibrator]) as file:
            _write_analyses(analyses, file, output_format)
    for name, analysis in analyses.items():
        for missing in analysis.missing:
            say(f"{name}: not shown: {missing}", quiet=quiet)
        for note in analysis.notes:
            say(f"note: {name}: {note}", quiet=quiet)
    for written in (plots, report):
        if written is not None:
            say(f"written: {written}", quiet=quiet)


def _write_analyses(analyses: "dict[str, Analysis]", file: IO[str], form: OutputFormat) -> None:
    """Write analyses as tables for people, as one JSON value, or with a row for each measure."""
    from keywright import api  # noqa: PLC0415 - help does without

    if form is TABLE:
        _write_tables(analyses, file)
    elif form is JSON:
        record = {"runs": {name: analysis.to_dict() for name, analysis in analyses.items()}}
        file.write(to_json(record, indent=1) + "\n")
    elif form in {CSV, TSV}:
        records = [{"run": name, **row} for name, analysis in analyses.items() for row in analysis.rows()]
        head = tuple(records[0]) if records else ("run",)
        rows = ([("" if value is None else value) for value in record.values()] for record in records)
        file.write(format_rows(head, rows, form))
    else:
        file.write(format_tables(tuple(api.draw_tables(analyses)), form, "Analysis of confidences"))


def _write_tables(analyses: "dict[str, Analysis]", file: IO[str]) -> None:
    """Write the runs and the protocol, then tables within the width of the screen."""
    from keywright import api  # noqa: PLC0415 - help does without

    screen = find_screen(file)
    for name, analysis in analyses.items():
        system = f"{name}: {short_signature(analysis.system)}, confidence {analysis.confidence}"
        file.write(format_labelled(screen, "run", system))
    for protocol in dict.fromkeys(analysis.protocol for analysis in analyses.values()):
        file.write(format_labelled(screen, "protocol", short_signature(protocol)))
    file.write(format_labelled(screen, "note", SIGNATURES))
    for each in api.draw_tables(analyses):
        caption = screen.characters(screen.wrap(escape_controls(each.caption)))
        file.write(f"\n{caption}{draw_table(each, screen).rstrip()}\n")
