"""``python -m studies NAME``: run a study and write its tables."""

from typing import Any

import typer

from keywright.catalogue import system_class
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import study as publishing
from keywright.experiments.study import make_table
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput
from keywright.faces.cli.verbs.score import draw_reproduced
from studies.catalogue import PLACES, study


@declare(
    "python -m studies languages",
    name="NAME | A study; --list shows their names.",
    systems="NAME,... | Run these systems only.",
    jobs="N | Number of processes.",
    listed="--list | Print the names of the studies and exit.",
)
def main(
    name: str | None = None,
    *,
    systems: str | None = None,
    jobs: int | None = None,
    listed: bool = False,
    report: ReportOutput,
) -> None:
    """Run a study of this project and write its tables; most need the data folders named by KEYWRIGHT_MIRROR."""
    report.force = True  # results are made again in their place
    report.choose()
    if listed:
        with report.open() as file:
            file.write(to_json(tuple(PLACES)) + "\n" if report.json else "".join(f"{place}\n" for place in PLACES))
        return
    if name is None:
        raise BadParameter("no study was named", f"there are: {', '.join(PLACES)}")
    chosen = [system.strip() for system in systems.split(",")] if systems else None
    wanted = study(name)
    with report.progress(name) as tell:
        rows: tuple[Any, ...] = make_table(wanted, chosen, progress=tell, find=system_class, jobs=jobs)
    report.write(
        lambda: {"table": wanted.name, "rows": [row.record() for row in rows]},
        lambda screen: (
            draw_reproduced(table, screen) for table in publishing.lay_out_study(wanted, rows, system_class)
        ),
        lambda form: publishing.publish(wanted, rows, Publication(form), system_class),
    )


if __name__ == "__main__":
    typer.run(main)
