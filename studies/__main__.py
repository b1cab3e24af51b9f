"""``python -m studies NAME``: run a study and write its tables."""

from typing import IO, Annotated, Any

import typer

from keywright.catalogue import system_class
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import study as publishing
from keywright.experiments.study import Study, make_table
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import ReportFormat, choose_format
from keywright.faces.cli.printing import guard_verb, open_output, show_progress
from keywright.faces.cli.reports import replace_commas
from keywright.faces.cli.verbs.reproduce import draw_reproduced
from keywright.faces.outputs.output_formats import CSV, JSON, REPORTS, TABLE, TSV, OutputFormat
from keywright.faces.outputs.screen import find_screen
from studies.catalogue import PLACES, study


def main(  # noqa: PLR0913 - one argument for each option
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A study; --list shows their names.")] = None,
    *,
    systems: Annotated[
        str | None, typer.Option("--systems", metavar="NAME,...", help="Run these systems only.")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", metavar="N", help="Number of processes.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Print the names of the studies and exit.")] = False,
    form: ReportFormat = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a study of this project and write its tables; most need the data folders named by KEYWRIGHT_MIRROR."""
    output_format = choose_format(REPORTS, form, output, json=json, force=True)
    with open_output(output) as file:
        if listed:
            file.write(to_json(tuple(PLACES)) + "\n" if json else "".join(f"{place}\n" for place in PLACES))
            return
        if name is None:
            raise BadParameter("no study was named", f"there are: {', '.join(PLACES)}")
        chosen = [system.strip() for system in systems.split(",")] if systems else None
        wanted = study(name)
        with show_progress(name, quiet=quiet) as tell:
            rows = make_table(wanted, chosen, progress=tell, find=system_class, jobs=jobs)
        write(wanted, rows, file, output_format)


def write(wanted: Study, rows: tuple[Any, ...], file: IO[str], form: OutputFormat) -> None:
    """Write the rows of a study in a format."""
    if form is JSON:
        file.write(to_json({"table": wanted.name, "rows": [row.record() for row in rows]}, indent=1) + "\n")
    elif form is TABLE:
        tables = publishing.lay_out_study(wanted, rows, system_class)
        file.writelines(draw_reproduced(table, find_screen(file)) for table in tables)
    else:
        publication = Publication((CSV if form is TSV else form).name)
        text = publishing.publish(wanted, rows, publication, system_class)
        file.write(replace_commas(text) if form is TSV else text)


if __name__ == "__main__":
    typer.run(guard_verb(main))
