"""keywright compare: several runs under one protocol."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.core.choices import PairedTest
from keywright.core.json_values import to_json
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import Gold, IdField, Json, Measures, Output, PhrasesField, Quiet, RunFormat, Separator
from keywright.faces.cli.output_options import Force, ReportFormat, choose_format
from keywright.faces.cli.printing import open_output, say
from keywright.faces.cli.reports import SIGNATURES, draw_table, format_labelled, replace_commas
from keywright.faces.outputs.output_formats import CSV, JSON, REPORTS, TABLE, TSV, OutputFormat
from keywright.faces.outputs.screen import Screen, escape_controls, find_screen, make_table, render_table

if TYPE_CHECKING:
    from keywright.api import Comparison


def compare(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Runs, or files or folders of other tools.")],
    *,
    protocol: Annotated[str, typer.Option("--protocol", "-p", metavar="NAME", help="Protocol to score under.")],
    gold: Gold = None,
    test: Annotated[
        PairedTest,
        typer.Option("--test", help="Significance test; t and wilcoxon apply to means of document scores only."),
    ] = PairedTest.RANDOMISATION,
    resamples: Annotated[
        int, typer.Option("--resamples", metavar="N", help="Number of samples for the test and the intervals.")
    ] = 10_000,  # as in evaluation.statistics.bootstrap
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the samples.")] = 12_345,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Also show the scores of each document.")
    ] = False,
    measures: Measures = None,
    run_format: RunFormat = None,
    id_field: IdField = None,
    phrases_field: PhrasesField = None,
    separator: Separator = None,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare runs: differences with intervals and paired tests; p is corrected for the number of pairs (Holm)."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.errors import BadParameter  # noqa: PLC0415 - help does without

    output_format = choose_format(REPORTS, form, output, [*runs, gold], json=json, force=force)
    if per_document and output_format not in {TABLE, JSON}:
        raise BadParameter(f"--per-document with format {output_format.name}", "use it with table or json")
    layout = api.Layout(run_format, id_field, phrases_field, separator)
    sampling = {"resamples": resamples, "seed": seed}
    comparison = api.compare(runs, protocol, gold, layout, measures=measures, test=test.value, **sampling)
    with open_output(output, [*runs, gold]) as file:
        _write_comparison(comparison, file, output_format, per_document=per_document)
    for warning in dict.fromkeys(warning for report in comparison.reports.values() for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _write_comparison(comparison: "Comparison", file: IO[str], form: OutputFormat, *, per_document: bool) -> None:
    from keywright import api  # noqa: PLC0415 - help does without

    if form is TABLE:
        file.write(_draw_comparison(comparison, find_screen(file)))
        if per_document:
            file.write(_draw_documents(comparison, find_screen(file)))
    elif form is JSON:
        record = comparison.to_dict()
        if per_document:
            record["per_document"] = [
                {**row._asdict(), "scores": dict(zip(comparison.reports, row.scores, strict=True))}
                for row in api.pair_document_scores(comparison)
            ]
        file.write(to_json(record, indent=1) + "\n")
    else:
        text = api.publish_comparison(comparison, api.Publication((CSV if form is TSV else form).name))
        file.write(replace_commas(text) if form is TSV else text)


def _draw_comparison(comparison: "Comparison", screen: Screen) -> str:
    """Return the inputs, the runs side by side, every pair, and the smallest difference that can be detected."""
    from keywright import api  # noqa: PLC0415 - help does without

    strata = ", categories sampled separately" if comparison.stratified else ""
    lines = [("protocol", short_signature(comparison.protocol)), ("gold", ", ".join(comparison.gold))]
    lines += [("run", f"{name}: {short_signature(report.run)}") for name, report in comparison.reports.items()]
    lines.append(("test", f"{comparison.test}, intervals {comparison.intervals_by}{strata}"))
    text = "".join(format_labelled(screen, *line) for line in lines)
    for rows in (api.comparison_table(comparison), api.difference_table(comparison)):
        text += draw_table(rows, screen) + screen.wrap(escape_controls(rows.caption))
    if smallest := comparison.detectable_note:
        text += format_labelled(screen, "power", smallest)
    return text + format_labelled(screen, "note", SIGNATURES)


def _draw_documents(comparison: "Comparison", screen: Screen) -> str:
    """Return the scores of each document, run beside run."""
    from keywright import api  # noqa: PLC0415 - help does without

    names = tuple(map(escape_controls, comparison.reports))
    rows = make_table("gold", "document", "measure", *names, numbers=names)
    for row in api.pair_document_scores(comparison):
        scores = ("" if score is None else f"{score:.4f}" for score in row.scores)
        rows.add_row(row.gold, escape_controls(row.id), row.measure, *scores)
    return "\n" + render_table(rows, screen)
