"""keywright reproduce: published tables beside our numbers."""

from typing import Annotated, Any

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.printing import opened, printable, rendered, table, to_json
from keywright.faces.cli.progress import progress

_SCORES = ("dataset", "category", "system", "variant", "gold", "measure", "published", "ours", "difference")
_COLUMNS = ("protocol", "reference", "cases", "equal", *_SCORES, "note")


def reproduce(  # noqa: PLR0913 - one argument for each option
    tables: Annotated[list[str] | None, typer.Argument(metavar="TABLE...", help="Of --list.")] = None,
    *,
    systems: Annotated[
        str | None, typer.Option("--systems", metavar="NAME,...", help="Rows of these systems only.")
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="What each open option is worth, instead of the published rows.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Names of the tables.")] = False,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run, score, and put our numbers beside the published ones. Falling short of a number is no error."""
    from keywright import api  # noqa: PLC0415 - help does without

    names = list(tables or ())
    with opened(output) as file:
        if listed:
            file.write(to_json(api.list_tables()) + "\n" if json else "".join(f"{one}\n" for one in api.list_tables()))
            return
        if not names:
            raise BadParameter("no table was named", f"there are: {', '.join(api.list_tables())}")
        chosen = [name.strip() for name in systems.split(",")] if systems else None
        found: list[dict[str, Any]] = []
        for name in names:
            with progress(name, quiet=quiet) as tell:
                rows = api.reproduce(name, chosen, ablate=ablate, progress=tell)
            found.append({"table": name, "rows": [row.record() for row in rows]})
        if json:
            file.write(to_json(found[0] if len(found) == 1 else found, indent=1) + "\n")
        else:
            file.writelines(_page(one, terminal=file.isatty()) for one in found)


def _page(found: dict[str, Any], *, terminal: bool) -> str:
    """One table; columns that would be empty throughout are left out."""
    columns = [name for name in _COLUMNS if any(row.get(name) not in (None, "") for row in found["rows"])]
    numbers = ("cases", "equal", "published", "ours", "difference")
    made = table(*columns, numbers=numbers, title=found["table"])
    for row in found["rows"]:
        made.add_row(*(_cell(name, row.get(name)) for name in columns))
    return rendered(made, terminal=terminal)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:+.2f}" if column == "difference" else f"{value:.2f}"
    return printable(f"{value:+d}" if column == "difference" else f"{value}")
