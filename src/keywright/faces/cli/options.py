"""Options that several verbs share, so that they mean the same everywhere, and their checks."""

import enum
import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import typer

from keywright.core.errors import BadParameter
from keywright.core.options import ChoiceOptions, GuaranteeOptions, PhraseOptions, options_of
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


class ScoreField(enum.StrEnum):
    """Fields of a phrase that can serve as its confidence."""

    PROBABILITY = "probability"
    KPP_S = "kpp-s"
    KPP = "kpp"
    PRODUCT = "product"
    MINIMUM = "minimum"
    FIRST = "first"
    MEAN = "mean"
    SCORE = "score"


class InputFormat(enum.StrEnum):
    """Formats of documents."""

    AUTO = "auto"
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    JATS = "jats"
    TEI = "tei"
    DOCX = "docx"
    MARC = "marc"
    MARCXML = "marcxml"
    JSONL = "jsonl"


class EngineName(enum.StrEnum):
    """Executors of the work on documents."""

    SERIAL = "serial"
    PROCESSES = "processes"
    RAY = "ray"


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

_PANELS: Final = {
    ChoiceOptions: "Whose choice is imitated",
    PhraseOptions: "Which phrases are shown",
    GuaranteeOptions: "Guarantees (with --calibrator)",
}


def with_options(*tables: type) -> Callable[[Verb], Verb]:
    """Return a decorator that replaces a verb's ``**keywords`` by one command-line option for each field of tables."""

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        plain = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        added = [option for table in tables for option in _option_parameters(table)]
        verb.__signature__ = signature.replace(parameters=[*plain, *added])  # type: ignore[attr-defined]  # for typer
        return verb

    return decorate


def take_choices(keywords: dict[str, Any]) -> dict[str, str]:
    """Take the options of ``ChoiceOptions`` out of the keywords and return those given, as parameters of a system."""
    values = {field.name: keywords.pop(field.name) for field, _, _ in options_of(ChoiceOptions)}
    return {name: str(value) for name, value in values.items() if value is not None}


def _option_parameters(table: type) -> Iterator[inspect.Parameter]:
    """Yield a keyword parameter with typer's annotation for each field of a table."""
    for field, kind, option in options_of(table):
        is_file = option.value == "FILE"
        shown = typer.Option(
            f"--{field.name.replace('_', '-')}",
            metavar=option.value or None,
            rich_help_panel=_PANELS[table],
            help=option.help,
        )
        annotation: Any = Annotated[Path | None if is_file else kind, shown]
        default = None if is_file else field.default
        yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


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
