"""keywright reproduce: published tables beside our numbers."""

from typing import Any

from keywright import api
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput
from keywright.faces.outputs.output_formats import CSV, HTML, TSV
from keywright.faces.outputs.screen import Screen, draw_rows


@declare(
    "keywright reproduce semeval2010-baselines",
    tables="TABLE... | Tables; --list shows their names.",
    systems="NAME,... | Show rows of these systems only.",
    ablate="Measure each open option, instead of the published rows.",
    jobs="N | Number of processes.",
    listed="--list | Print the names of the tables and exit.",
)
def reproduce(
    tables: list[str] | None = None,
    *,
    systems: str | None = None,
    ablate: bool = False,
    jobs: int | None = None,
    listed: bool = False,
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
