"""keywright score: a run under protocols, and the difference of two protocols."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Final

import typer

from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import Gold, IdField, Json, Measures, Output, PhrasesField, Quiet, RunFormat, Separator
from keywright.faces.cli.output_options import Force, ReportFormat, choose_format
from keywright.faces.cli.printing import open_output, say
from keywright.faces.cli.reports import draw_documents, format_labelled, format_report, replace_commas
from keywright.faces.outputs.output_formats import CSV, JSON, REPORTS, TABLE, TSV, OutputFormat
from keywright.faces.outputs.screen import Screen, escape_controls, find_screen, make_table, render_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keywright.api import Report


def score(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a file or folder of another tool.")],
    *,
    protocol: Annotated[
        list[str] | None,
        typer.Option("--protocol", "-p", metavar="NAME", help="Protocol to score under; may be given several times."),
    ] = None,
    gold: Gold = None,
    measures: Measures = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Also show the counts of each document.")
    ] = False,
    explain_difference: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--explain-difference",
            metavar="P Q",
            help="Show which rules make the scores under protocols P and Q differ, in place of --protocol.",
        ),
    ] = None,
    no_intervals: Annotated[bool, typer.Option("--no-intervals", help="Leave out bootstrap intervals.")] = False,
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
    """Score a run; each table of scores shows the signature of its protocol."""
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = choose_format(REPORTS, form, output, [run, gold], json=json, force=force)
    _check(protocol, explain_difference, output_format, per_document=per_document, measures=measures)
    layout = api.Layout(run_format, id_field, phrases_field, separator)
    if explain_difference:
        explanation = api.explain_difference(run, *explain_difference, gold, layout)
        with open_output(output, [run, gold]) as file:
            file.write(format_explanation(explanation, json=output_format is JSON, screen=find_screen(file)))
    if not protocol:
        return
    if output_format in {TABLE, JSON}:
        reports = api.score_all(run, protocol, gold, layout, measures=measures, intervals=not no_intervals)
        with open_output(output, [run, gold]) as file:
            _write_reports(reports, file, json=output_format is JSON, per_document=per_document)
    else:
        written = CSV if output_format is TSV else output_format
        text, reports = api.publish(
            run, protocol, written.name, gold, layout, measures=measures, intervals=not no_intervals
        )
        with open_output(output, [run, gold]) as file:
            file.write(replace_commas(text) if output_format is TSV else text)
    for warning in dict.fromkeys(warning for report in reports for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _check(
    protocol: list[str] | None,
    explain: tuple[str, str] | None,
    form: OutputFormat,
    *,
    per_document: bool,
    measures: str | None,
) -> None:
    if bool(protocol) == bool(explain):
        problem = "--protocol together with --explain-difference" if protocol else "no protocol named"
        raise BadParameter(problem, "expected --protocol NAME, or --explain-difference P Q")
    if explain and measures is not None:
        raise BadParameter("--measures together with --explain-difference", "use --measures with --protocol NAME")
    if form not in {TABLE, JSON} and (explain or per_document):
        option = "--explain-difference" if explain else "--per-document"
        raise BadParameter(f"{option} with format {form.name}", "use it with table or json")


def _write_reports(reports: "Sequence[Report]", file: IO[str], *, json: bool, per_document: bool) -> None:
    from keywright import api  # noqa: PLC0415 - help does without

    if json:
        records = [report.to_dict() for report in reports]
        if per_document:
            for record, report in zip(records, reports, strict=True):
                record["documents"] = [row._asdict() for row in api.document_rows(report)]
                record["document_means"] = [mean._asdict() for mean in api.document_means(report)]
        file.write(to_json(records[0] if len(records) == 1 else records, indent=1) + "\n")
        return
    for report in reports:
        file.writelines(format_report(report, find_screen(file)))
        if per_document:
            file.write(draw_documents(report, find_screen(file)))


if TYPE_CHECKING:
    from keywright.api import Explanation

_SMALLEST: Final = 5e-5
"""Smallest change that is shown: below it, four decimals show zero."""


def format_explanation(explanation: "Explanation", *, json: bool, screen: Screen) -> str:
    """Return one JSON value; or the inputs, the changes rule by rule, and the effect of each rule alone."""
    from keywright import api  # noqa: PLC0415 - help does without

    if json:
        return to_json(explanation.to_dict(), indent=1) + "\n"
    signatures = {"from": explanation.first, "to": explanation.second, "run": explanation.run}
    inputs = {name: short_signature(text) for name, text in signatures.items()}
    inputs["gold"] = ", ".join(explanation.gold)
    head = "".join(format_labelled(screen, name, text) for name, text in inputs.items())
    idle = [step.rule for step in explanation.steps if not (_has_changes(step.changes) or _has_changes(step.alone))]
    rest = screen.wrap(f"less than {_SMALLEST:.5f} on this run: {', '.join(idle)}") if idle else ""
    walk = "\n" + screen.wrap("One rule after the other, as fractions. Each step includes the steps above it.")
    alone = screen.wrap("Each rule alone, changed in the first protocol only.")
    names = api.shown(explanation.start)
    return f"{head}{walk}{_draw_walk(explanation, names, screen)}{alone}{_draw_alone(explanation, names, screen)}{rest}"


def _draw_walk(explanation: "Explanation", names: tuple[str, ...], screen: Screen) -> str:
    """Return the values of the first protocol, the steps that change any, and the values of the second."""
    rows = make_table("rule", "from", "to", *names, numbers=names)

    def add_values(protocol: str, values: Mapping[str, float]) -> None:
        rows.add_row(escape_controls(protocol.partition("|")[0]), "", "", *(f"{values[name]:.4f}" for name in names))

    add_values(explanation.first, explanation.start)
    for step in explanation.steps:
        if _has_changes(step.changes):
            rows.add_row(
                *map(escape_controls, (step.rule, step.before, step.after)), *_format_changes(step.changes, names)
            )
    add_values(explanation.second, explanation.end)
    return render_table(rows, screen)


def _draw_alone(explanation: "Explanation", names: tuple[str, ...], screen: Screen) -> str:
    """Return the change that each rule makes by itself, for rules that make one."""
    rows = make_table("rule", "from", "to", *names, numbers=names)
    for step in explanation.steps:
        if _has_changes(step.alone):
            rows.add_row(
                *map(escape_controls, (step.rule, step.before, step.after)), *_format_changes(step.alone, names)
            )
    return render_table(rows, screen)


def _has_changes(changes: Mapping[str, float]) -> bool:
    return any(abs(change) > _SMALLEST for change in changes.values())


def _format_changes(changes: Mapping[str, float], names: tuple[str, ...]) -> list[str]:
    """Return changes with their signs; empty texts for values that stay."""
    return [f"{changes[name]:+.4f}" if abs(changes[name]) > _SMALLEST else "" for name in names]
