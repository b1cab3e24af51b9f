"""Options that several verbs share, so that they mean the same everywhere, and their checks."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import typer

from keywright.core.choices import EngineName
from keywright.core.errors import BadParameter
from keywright.core.option_types import User
from keywright.core.options import options_of
from keywright.core.predictions import name_columns
from keywright.faces.cli.printing import say
from keywright.faces.outputs.output_formats import KEYPHRASES, OutputFormat

if TYPE_CHECKING:
    from keywright.api import NamedTables

Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON value on standard output and nothing else there.")
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print no messages and no progress, only errors.")
]
Output: TypeAlias = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="File to write results to; it is written atomically."),
]
Language: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="CODE",
        help="ISO 639-1 code of the language of all documents, such as en (default: detected for each document).",
    ),
]
Jobs: TypeAlias = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", help="Number of processes that work at once.")
]
Parameters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Parameter of the system; may be given several times."),
]
CalibratorFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--calibrator",
        metavar="FILE",
        help="Calibrator that `keywright calibrate` wrote, for calibrated probabilities.",
    ),
]
SystemName: TypeAlias = Annotated[
    str, typer.Argument(metavar="SYSTEM", help="Name of a system (`keywright systems`), or folder of a trained system.")
]
DataName: TypeAlias = Annotated[
    str, typer.Argument(metavar="DATASET", help="Name of a data set, such as inspec/test, or a JSON Lines file.")
]
Gold: TypeAlias = Annotated[
    str | None,
    typer.Option("--gold", metavar="DATASET", help="Labelled documents (default: the data set that the run names)."),
]
RunFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--run-format",
        metavar="NAME",
        help="Format of the run, such as csv or trec (default: recognised from the file).",
    ),
]


Measures: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--measures", metavar="F@3,P@1", help="Measures to report, between commas (default: those of the protocol)."
    ),
]
IdField: TypeAlias = Annotated[
    str | None, typer.Option("--id-field", metavar="NAME", help="Key or column of the ids in a file of rows.")
]
PhrasesField: TypeAlias = Annotated[
    str | None, typer.Option("--phrases-field", metavar="NAME", help="Key or column of the phrases in a file of rows.")
]
Separator: TypeAlias = Annotated[
    str | None,
    typer.Option("--separator", metavar="TEXT", help="Text between the phrases of one cell or line, such as ';'."),
]


Engine: TypeAlias = Annotated[
    EngineName | None,
    typer.Option(
        "--engine", help="Process documents one after the other, in several processes, or on a cluster of Ray."
    ),
]


def parse_pairs(texts: Sequence[str] | None) -> dict[str, str]:
    """Return the values of ``NAME=VALUE`` options by name."""
    values: dict[str, str] = {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise BadParameter(f"--param {text}", "expected NAME=VALUE, such as cutoff=850")
        if name.strip() in values:
            raise BadParameter(f"--param {name.strip()} comes twice", "give each parameter once")
        values[name.strip()] = value
    return values


Verb = TypeVar("Verb", bound=Callable[..., None])


def with_options(*tables: type) -> Callable[[Verb], Verb]:
    """Return a decorator that declares the options of tables as those of a verb.

    Parameters of the verb that have the name of an option and no annotation of typer become it; the other options take
    the place of ``**keywords``.
    """

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        declared = {name: each for table in tables for name, each in _declare(table)}
        plain = []
        for parameter in signature.parameters.values():
            option = declared.pop(parameter.name, None)
            if option and not hasattr(parameter.annotation, "__metadata__"):
                parameter = parameter.replace(annotation=option.annotation)  # noqa: PLW2901
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                plain.append(parameter)
        verb.__signature__ = signature.replace(parameters=[*plain, *declared.values()])  # type: ignore[attr-defined]  # for typer
        return verb

    return decorate


def _declare(table: Any) -> Iterator[tuple[str, inspect.Parameter]]:
    """Yield a keyword parameter with typer's annotation for each option of a table, by name."""
    for name, option in options_of(table).items():
        if User.COMMAND_LINE not in option.users:
            continue
        is_file = option.json_type == "array"
        shown = typer.Option(
            *option.flags,
            metavar=option.metavar or None,
            rich_help_panel=table.title or None,
            help=option.command_line_help,
        )
        annotation: Any = Annotated[Path | None if is_file else option.type, shown]
        default = None if is_file else option.default
        yield name, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_TABLES_PANEL: Final = "Tables (CSV, TSV, XLSX, Parquet, JSON Lines)"
_TABULAR: Final = ", ".join(form.name for form in KEYPHRASES if form.tabular)

TextColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--text-column", metavar="NAME", rich_help_panel=_TABLES_PANEL, help="Column of a table that holds the texts."
    ),
]
TitleColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--title-column", metavar="NAME", rich_help_panel=_TABLES_PANEL, help="Column of a table that holds the titles."
    ),
]
IdColumn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--id-column",
        metavar="NAME",
        rich_help_panel=_TABLES_PANEL,
        help="Column of a table that holds the ids (default: a column id, else file and line).",
    ),
]
KeepColumn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-column",
        metavar="NAME",
        rich_help_panel=_TABLES_PANEL,
        help="Column of a table that the output has as well; may be given several times.",
    ),
]
Wide: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--wide", rich_help_panel=_TABLES_PANEL, help=f"One row for each document, not for each keyphrase ({_TABULAR})."
    ),
]


def name_tables(
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
        if name in name_columns(wide=wide, concepts=True):
            message = f"--keep-column {name}: the table of keyphrases has a column of this name"
            raise BadParameter(message, "rename it in the file, or leave it out")
