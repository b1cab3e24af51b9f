"""keywright score and reproduce: a run under protocols, their differences, and published tables beside our numbers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from keywright import api
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import SIGNATURES, ReportOutput, draw_labelled, draw_table
from keywright.faces.outputs.output_formats import CSV, HTML, JSON, TABLE, TSV
from keywright.faces.outputs.screen import Screen, draw_rows


@declare(
    "keywright score kpminer.jsonl --protocol semeval2010",
    protocol="-p NAME | Protocol to score under (default: the usual one for the gold); may be given several times.",
    encoder="minilm|FOLDER|URL | Encoder of the semantic measures, in place of the shipped one of English.",
    explain_difference="P Q | Show which rules make the scores under protocols P and Q differ, in place of --protocol.",
)
def score(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, "RUN | A run, or a file or folder of another tool."],
    *,
    protocol: list[str] | None = None,
    gold: str | None = None,
    measures: str | None = None,
    encoder: str | None = None,
    per_document: Annotated[bool, "Also show the counts of each document."] = False,
    explain_difference: tuple[str, str] | None = None,
    no_intervals: Annotated[bool, "Leave out bootstrap intervals."] = False,
    run_format: str | None = None,
    id_field: str | None = None,
    phrases_field: str | None = None,
    separator: str | None = None,
    out: ReportOutput,
) -> None:
    """Score a run; each table of scores shows the signature of its protocol."""
    is_drawn = out.choose(run, gold) in {TABLE, JSON}
    if protocol and explain_difference:
        hint = "expected --protocol NAME, or --explain-difference P Q"
        raise BadParameter("--protocol together with --explain-difference", hint)
    for option, value in (("--measures", measures), ("--encoder", encoder)):
        if explain_difference and value is not None:
            raise BadParameter(f"{option} together with --explain-difference", f"use {option} with --protocol NAME")
    if not is_drawn and (explain_difference or per_document):
        option = "--explain-difference" if explain_difference else "--per-document"
        raise BadParameter(f"{option} with format {out.format.name}", "use it with table or json")
    layout = api.Layout(run_format, id_field, phrases_field, separator)
    protocols: Sequence[Any] = protocol or ()
    if encoder is not None:
        protocols = [api.with_encoder(name, encoder) for name in protocol or ("keywright-1-semantic",)]
    if explain_difference:
        explanation = api.explain_difference(run, *explain_difference, gold, layout)
        out.write(explanation.to_dict, lambda screen: _draw_explanation(explanation, screen))
        return
    how: dict[str, Any] = {"measures": measures, "intervals": not no_intervals}
    reports: Sequence[api.Report]
    if is_drawn:
        reports = api.score_all(run, protocols, gold, layout, **how)
        out.write(
            lambda: _make_record(reports, per_document=per_document),
            lambda screen: _draw_reports(reports, screen, per_document=per_document),
        )
    else:
        text, reports = api.publish(run, protocols, out.file_format, gold, layout, **how)
        out.write_text(text)
    if encoder is not None and (host := api.host_of(encoder)):
        out.note(f"phrases were sent to {host}")
    out.note(*dict.fromkeys(warning for report in reports for warning in report.warnings))


def _make_record(reports: "Sequence[api.Report]", *, per_document: bool) -> Any:
    records = [report.to_dict() for report in reports]
    if per_document:
        for record, report in zip(records, reports, strict=True):
            record["documents"] = [row._asdict() for row in api.document_rows(report)]
            record["document_means"] = [mean._asdict() for mean in api.document_means(report)]
    return records[0] if len(records) == 1 else records


def _draw_reports(reports: "Sequence[api.Report]", screen: Screen, *, per_document: bool) -> Iterator[str]:
    """Yield for each report the inputs, then a table with a line for each gold, average and cutoff; documents."""
    for report in reports:
        yield draw_labelled(screen, "protocol", short_signature(report.protocol))
        yield draw_labelled(screen, "run", short_signature(report.run))
        yield draw_labelled(screen, "gold", ", ".join(report.gold))
        yield draw_labelled(screen, "scored", f"{report.scored} documents")
        for reason, count in report.skipped.items():
            yield draw_labelled(screen, "skipped", f"{count} documents: {reason}")
        yield draw_table(api.report_table(report), screen)
        if report.intervals:
            strata = ", categories sampled separately" if report.stratified else ""
            yield draw_labelled(screen, "interval", f"of 95 % over documents, {report.sig}{strata}")
        if smallest := report.detectable_note:
            yield draw_labelled(screen, "power", smallest)
        yield draw_labelled(screen, "note", SIGNATURES)
        if per_document:
            yield from _draw_documents(report, screen)


def _draw_documents(report: "api.Report", screen: Screen) -> Iterator[str]:
    numbers = ("cutoff", "hits", "predicted", "entries")
    counts = (
        (row.gold, row.id, row.k, str(row.hits), str(row.predicted), str(row.entries))
        for row in api.document_rows(report)
    )
    yield draw_rows(screen, ("gold", "document", *numbers), counts, numbers)
    means = [
        (mean.gold, mean.id, mean.measure, "" if mean.value is None else f"{mean.value:.4f}")
        for mean in api.document_means(report)
    ]
    if means:
        yield draw_rows(screen, ("gold", "document", "measure", "value"), means, ("value",))


_SMALLEST: Final = 5e-5  # smallest change that is shown: below it, four decimals show zero


def _draw_explanation(explanation: "api.Explanation", screen: Screen) -> Iterator[str]:
    signatures = {"from": explanation.first, "to": explanation.second, "run": explanation.run}
    for name, text in signatures.items():
        yield draw_labelled(screen, name, short_signature(text))
    yield draw_labelled(screen, "gold", ", ".join(explanation.gold))
    names = api.shown(explanation.start)
    head = ("rule", "from", "to", *names)

    def list_values(protocol: str, values: Mapping[str, float]) -> tuple[str, ...]:
        return protocol.partition("|")[0], "", "", *(f"{values[name]:.4f}" for name in names)

    def list_changes(step: Any, changes: Mapping[str, float]) -> tuple[str, ...]:
        """Return a rule, and changes with their signs; empty texts for values that stay."""
        texts = (f"{changes[name]:+.4f}" if abs(changes[name]) > _SMALLEST else "" for name in names)
        return step.rule, step.before, step.after, *texts

    steps = explanation.steps
    walk = [list_changes(step, step.changes) for step in steps if _has_changes(step.changes)]
    walk = [list_values(explanation.first, explanation.start), *walk, list_values(explanation.second, explanation.end)]
    alone = [list_changes(step, step.alone) for step in steps if _has_changes(step.alone)]
    yield "\n" + screen.wrap("One rule after the other, as fractions. Each step includes the steps above it.")
    yield draw_rows(screen, head, walk, names)
    yield screen.wrap("Each rule alone, changed in the first protocol only.")
    yield draw_rows(screen, head, alone, names)
    idle = [step.rule for step in steps if not (_has_changes(step.changes) or _has_changes(step.alone))]
    if idle:
        yield screen.wrap(f"less than {_SMALLEST:.5f} on this run: {', '.join(idle)}")


def _has_changes(changes: Mapping[str, float]) -> bool:
    return any(abs(change) > _SMALLEST for change in changes.values())


@declare("keywright reproduce semeval2010-baselines")
def reproduce(
    tables: Annotated[list[str] | None, "TABLE... | Tables; --list shows their names."] = None,
    *,
    systems: Annotated[str | None, "NAME,... | Show rows of these systems only."] = None,
    ablate: Annotated[bool, "Measure each open option, instead of the published rows."] = False,
    jobs: Annotated[int | None, "N | Number of processes."] = None,
    listed: Annotated[bool, "--list | Print the names of the tables and exit."] = False,
    report: ReportOutput,
) -> None:
    """Run, score, and put our numbers beside the published ones. Lower numbers than published are not an error."""
    names = list(tables or ())
    report.choose()
    if listed:
        there = api.list_tables()
        with report.open() as file:
            file.write(to_json(there) + "\n" if report.json else "".join(f"{name}\n" for name in there))
        return
    if not names:
        raise BadParameter("no table was named", f"there are: {', '.join(api.list_tables())}")
    if len(names) > 1 and report.format in {CSV, TSV, HTML}:
        raise BadParameter(f"{len(names)} tables with format {report.format.name}", "it takes one table at a time")
    chosen = [name.strip() for name in systems.split(",")] if systems else None
    by_table: dict[str, Any] = {}
    for name in names:
        if wait := api.describe_wait(name, chosen):
            report.note(wait)
        with report.progress(name) as tell:
            by_table[name] = api.reproduce(name, chosen, ablate=ablate, progress=tell, jobs=jobs)
    records = [{"table": name, "rows": [row.record() for row in rows]} for name, rows in by_table.items()]
    report.write(
        lambda: records[0] if len(records) == 1 else records,
        lambda screen: (
            draw_reproduced(table, screen)
            for name, rows in by_table.items()
            for table in api.reproduced_tables(name, rows)
        ),
        lambda form: "".join(api.publish_reproduced(name, rows, form) for name, rows in by_table.items()),
    )


def draw_reproduced(table: "api.Table", screen: Screen) -> str:
    """Return a table with its caption as text for a terminal or a file."""
    numbers = tuple(name for index, name in enumerate(table.head) if index in table.numbers)
    rows = ([cell.text for cell in row] for row in table.rows)
    return draw_rows(screen, table.head, rows, numbers, table.caption)
