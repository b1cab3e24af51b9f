"""keywright analyse: how far the confidences of runs can be trusted."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import (
    SIGNATURES,
    ReportOutput,
    check_new,
    draw_labelled,
    draw_table,
    format_rows,
    format_tables,
)
from keywright.faces.outputs.output_formats import CSV, HTML
from keywright.faces.outputs.screen import Screen, escape_controls

if TYPE_CHECKING:
    from keywright.api import Analysis


@declare(
    "keywright analyse run.jsonl --gold papers.jsonl --report analysis.html",
    runs="RUN... | Runs, or files of generators.",
    protocol="-p NAME | Protocol that decides which phrases are present and correct (default: kpg on whole texts).",
    score_field="Score field to analyse (default: the best available).",
    plots="DIR | Folder to write plots to, as SVG and PNG files.",
    report="FILE | File for one HTML page with all numbers and plots.",
)
def analyse(  # noqa: PLR0913 - one argument for each option
    runs: list[Path],
    *,
    gold: str | None = None,
    protocol: str | None = None,
    score_field: Confidence | None = None,
    calibrator: Path | None = None,
    plots: Path | None = None,
    report: Path | None = None,
    run_format: str | None = None,
    out: ReportOutput,
) -> None:
    """Measure how far the confidences of runs can be trusted: calibration, perplexity, positions, degenerate output.

    Present and absent phrases are analysed separately. Runs without token probabilities are analysed by their
    probabilities, runs with scores alone by their order.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    is_page = out.choose(*runs, gold, calibrator) is HTML
    if is_page:
        if out.output is None or report is not None:
            raise BadParameter("an analysis as HTML needs one file", "name it with -o FILE.html or --report FILE")
        report, out.output = out.output, None
    check_new(report, [*runs, gold, calibrator, out.output], force=out.force or is_page)
    with out.progress("analysing") as tell:
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
    if not is_page:
        out.write(
            lambda: {"runs": {name: analysis.to_dict() for name, analysis in analyses.items()}},
            lambda screen: _draw_analyses(analyses, screen),
            lambda form: _format_analyses(analyses, form),
        )
    for name, analysis in analyses.items():
        for missing in analysis.missing:
            out.say(f"{name}: not shown: {missing}")
        out.note(*(f"{name}: {note}" for note in analysis.notes))
    for written in (plots, report):
        if written is not None:
            out.say(f"written: {written}")


def _format_analyses(analyses: "dict[str, Analysis]", form: str) -> str:
    """Return a row for each measure as CSV, or tables in another format."""
    from keywright import api  # noqa: PLC0415 - help does without

    if form != CSV.name:
        return format_tables(tuple(api.draw_tables(analyses)), form, "Analysis of confidences")
    records = [{"run": name, **row} for name, analysis in analyses.items() for row in analysis.rows()]
    rows = ([("" if value is None else value) for value in record.values()] for record in records)
    return format_rows(tuple(records[0]) if records else ("run",), rows)


def _draw_analyses(analyses: "dict[str, Analysis]", screen: Screen) -> Iterator[str]:
    """Yield the runs and the protocol, then tables within the width of the screen."""
    from keywright import api  # noqa: PLC0415 - help does without

    for name, analysis in analyses.items():
        system = f"{name}: {short_signature(analysis.system)}, confidence {analysis.confidence}"
        yield draw_labelled(screen, "run", system)
    for protocol in dict.fromkeys(analysis.protocol for analysis in analyses.values()):
        yield draw_labelled(screen, "protocol", short_signature(protocol))
    yield draw_labelled(screen, "note", SIGNATURES)
    for each in api.draw_tables(analyses):
        caption = screen.characters(screen.wrap(escape_controls(each.caption)))
        yield f"\n{caption}{draw_table(each, screen).rstrip()}\n"
