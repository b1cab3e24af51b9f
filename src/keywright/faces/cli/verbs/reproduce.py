"""keywright reproduce: published tables beside our numbers."""

from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import Force, ReportFormat, choose_format
from keywright.faces.cli.printing import open_output, show_progress
from keywright.faces.cli.reports import replace_commas
from keywright.faces.outputs.output_formats import CSV, HTML, JSON, REPORTS, TABLE, TSV, OutputFormat
from keywright.faces.outputs.screen import Screen, escape_controls, find_screen, make_table, render_table

if TYPE_CHECKING:
    from keywright.api import Table


def reproduce(  # noqa: PLR0913 - one argument for each option
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE...", help="Tables; --list shows their names.")
    ] = None,
    *,
    systems: Annotated[
        str | None, typer.Option("--systems", metavar="NAME,...", help="Show rows of these systems only.")
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Measure each open option, instead of the published rows.")
    ] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", metavar="N", help="Number of processes.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Print the names of the tables and exit.")] = False,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run, score, and put our numbers beside the published ones. Lower numbers than published are not an error."""
    from keywright import api  # noqa: PLC0415 - help does without

    names = list(tables or ())
    output_format = choose_format(REPORTS, form, output, json=json, force=force)
    with open_output(output) as file:
        if listed:
            file.write(
                to_json(api.list_tables()) + "\n" if json else "".join(f"{name}\n" for name in api.list_tables())
            )
            return
        if not names:
            raise BadParameter("no table was named", f"there are: {', '.join(api.list_tables())}")
        if len(names) > 1 and output_format in {CSV, TSV, HTML}:
            raise BadParameter(f"{len(names)} tables with format {output_format.name}", "it takes one table at a time")
        chosen = [name.strip() for name in systems.split(",")] if systems else None
        rows: dict[str, Any] = {}
        for name in names:
            with show_progress(name, quiet=quiet) as tell:
                rows[name] = api.reproduce(name, chosen, ablate=ablate, progress=tell, jobs=jobs)
        _write_rows(rows, file, output_format)


def _write_rows(by_table: dict[str, Any], file: IO[str], form: OutputFormat) -> None:
    from keywright import api  # noqa: PLC0415 - help does without

    if form is JSON:
        records = [{"table": name, "rows": [row.record() for row in rows]} for name, rows in by_table.items()]
        file.write(to_json(records[0] if len(records) == 1 else records, indent=1) + "\n")
        return
    for name, rows in by_table.items():
        if form is TABLE:
            file.writelines(
                draw_reproduced(laid_out, find_screen(file)) for laid_out in api.reproduced_tables(name, rows)
            )
        else:
            text = api.publish_reproduced(name, rows, (CSV if form is TSV else form).name)
            file.write(replace_commas(text) if form is TSV else text)


def draw_reproduced(laid_out: "Table", screen: Screen) -> str:
    """Return a table as text for a terminal or a file."""
    numbers = tuple(name for place, name in enumerate(laid_out.head) if place in laid_out.numbers)
    shown = make_table(*laid_out.head, numbers=numbers, title=escape_controls(laid_out.caption))
    for row in laid_out.rows:
        shown.add_row(*(escape_controls(cell.text) for cell in row))
    return render_table(shown, screen)
