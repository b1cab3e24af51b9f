"""Options for tables: the columns that are read of those that come in, and the shape of those that go out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from keywright.core.errors import BadParameter
from keywright.core.result_rows import kinds
from keywright.faces.cli.printing import say
from keywright.faces.outputs.output_formats import KEYPHRASES, OutputFormat

if TYPE_CHECKING:
    from keywright.api import NamedTables

_PANEL: Final = "Tables (CSV, TSV, XLSX, Parquet, JSON Lines)"
_TABULAR: Final = ", ".join(form.name for form in KEYPHRASES if form.tabular)

TextColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--text-column", metavar="NAME", rich_help_panel=_PANEL, help="Column of a table that holds the texts."
    ),
]
TitleColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--title-column", metavar="NAME", rich_help_panel=_PANEL, help="Column of a table that holds the titles."
    ),
]
IdColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--id-column",
        metavar="NAME",
        rich_help_panel=_PANEL,
        help="Column of a table that holds the ids (default: a column id, else file and line).",
    ),
]
KeepColumn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-column",
        metavar="NAME",
        rich_help_panel=_PANEL,
        help="Column of a table that the output has as well; may be given several times.",
    ),
]
Wide: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--wide", rich_help_panel=_PANEL, help=f"One row for each document, not for each keyphrase ({_TABULAR})."
    ),
]


def tables_named(
    text: str | None, title: str | None, name: str | None, keep: Sequence[str], *, quiet: bool
) -> "NamedTables | None":
    """Return the columns of tables that options name; None without them.

    Raises:
        BadParameter: options need the column of texts.
    """
    if text is None:
        for option, value in (("--title-column", title), ("--id-column", name), ("--keep-column", list(keep))):
            if value:
                raise BadParameter(f"{option} without --text-column", "name the column that holds the texts")
        return None
    from keywright import api  # noqa: PLC0415 - help does without

    columns = api.TableColumns(text, title, name, tuple(keep))
    return api.NamedTables(columns, lambda note: say(f"note: {note}", quiet=quiet))


def check_shape(form: OutputFormat, keep: Sequence[str], *, wide: bool) -> None:
    """Check options for tables that go out against their format.

    Raises:
        BadParameter: the format has no rows, or a kept column has the name of one of the results.
    """
    if wide and not form.tabular:
        raise BadParameter(f"--wide with the format {form.name}", f"formats with rows: {_TABULAR}")
    for name in keep if form.tabular else ():
        if name in kinds(wide=wide, concepts=True):
            message = f"--keep-column {name}: the table of keyphrases has a column of this name"
            raise BadParameter(message, "rename it in the file, or leave it out")
