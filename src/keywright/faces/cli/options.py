"""Options of verbs, declared in a line each: those that several verbs share, so that they mean the same everywhere.

A declaration is an annotation of its parameter, or an argument of ``declare`` where it is too long for the line. It has
the form ``FLAGS METAVAR | Help``: a long name only where it is not that of the parameter, such as ``--list``, a short
one such as ``-o``, the placeholder of the value, and the help; the help alone needs no bar.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import typer

from keywright import api
from keywright.core.citations import CITED
from keywright.core.errors import BadParameter
from keywright.core.option_types import User
from keywright.core.options import options_of
from keywright.core.predictions import name_columns
from keywright.core.word_lists import read_sections
from keywright.faces.cli.printing import Console, guard_verb
from keywright.faces.outputs.output_formats import KEYPHRASES, REPORTS, OutputFormat

_TABULAR: Final = ", ".join(form.name for form in KEYPHRASES if form.tabular)


def declare_format(formats: Sequence[OutputFormat]) -> str:
    """Return the declaration of the option that names a format; the first is the default."""
    names = "|".join(form.name for form in formats)
    return f"--format -f {names} | Output format (default: by the ending of the --output file, else {formats[0].name})."


SYSTEM: Final = "Name of a system (`keywright systems`), or folder of a trained system."
_TABLES_PANEL: Final = "Tables (CSV, TSV, XLSX, Parquet, JSON Lines)"
_PARTS_PANEL: Final = "Inputs of any size"
_INSERTED: Final = {"tabular": _TABULAR, "system": SYSTEM, "formats": declare_format(REPORTS)}
_LINES: Final = read_sections("faces/cli/options.txt", "\n")[""].format(**_INSERTED).splitlines()
_SHARED: Final[Mapping[str, str]] = {name: text for name, _, text in (line.partition("=") for line in _LINES)}
"""Declarations by the name of the parameter."""
_PANELS: Final = {
    **dict.fromkeys(("text_column", "title_column", "id_column", "keep_column", "cite_column", "wide"), _TABLES_PANEL),
    **dict.fromkeys(("parts", "part_size"), _PARTS_PANEL),
}
"""Headings in the help above options that are not under *Options*."""


def declare(example: str, *tables: type, **texts: str) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that makes a verb of a function: its parameters are declared, its errors told.

    A parameter of the type ``Console`` stands for the options that it consists of, ``**keywords`` for the options of
    ``tables`` that are no parameters. Parameters that are annotated for typer stay as they are.

    Args:
        example: a command line.
        tables: of the options of requests.
        texts: declarations of parameters, where they are not the shared ones.
    """

    def decorate(function: Callable[..., None]) -> Any:
        signature = inspect.signature(function, eval_str=True)
        requests = {name: each for table in tables for name, each in _declare_requests(table)}
        consoles: dict[str, type[Console]] = {}
        parameters = []
        for name, parameter in signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                continue
            if inspect.isclass(parameter.annotation) and issubclass(parameter.annotation, Console):
                consoles[name] = parameter.annotation
                parameters += [_annotate(each, texts) for each in parameter.annotation.parameters()]
            elif name in requests:
                parameters.append(parameter.replace(annotation=requests.pop(name).annotation))
            else:
                parameters.append(_annotate(parameter, texts))

        @functools.wraps(function)
        def call(*arguments: Any, **options: Any) -> None:
            for name, console in consoles.items():
                given_names = [each.name for each in console.parameters() if each.name in options]
                options[name] = console(**{each: options.pop(each) for each in given_names})
            function(*arguments, **options)

        verb: Any = guard_verb(call)
        verb.__signature__ = signature.replace(parameters=[*parameters, *requests.values()])
        verb.epilog = f"Example: {example}"
        return verb

    return decorate


def _annotate(parameter: inspect.Parameter, texts: Mapping[str, str]) -> inspect.Parameter:
    """Return a parameter with what typer needs to know of it; one without a declaration as it is."""
    name, annotation = parameter.name, parameter.annotation
    text = texts.get(name) or _SHARED.get(name)
    if metadata := getattr(annotation, "__metadata__", ()):
        annotation, text = get_args(annotation)[0], metadata[0]
    if not isinstance(text, str):
        return parameter
    names, _, help_text = text.rpartition(" | ")
    flags = [word for word in names.split() if word.startswith("-")]
    metavar = " ".join(word for word in names.split() if not word.startswith("-")) or None
    about: Any
    if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
        about = typer.Argument(metavar=metavar, help=help_text)
    else:
        long_name = [] if any(flag.startswith("--") for flag in flags) else [f"--{name.replace('_', '-')}"]
        about = typer.Option(*long_name, *flags, metavar=metavar, help=help_text, rich_help_panel=_PANELS.get(name))
    return parameter.replace(annotation=Annotated[annotation, about])


def _declare_requests(table: Any) -> Iterator[tuple[str, inspect.Parameter]]:
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
        if option.word:
            shown.parser = lambda text: int(text) if text.isdecimal() else text
        annotation: Any = Annotated[Path | None if is_file else str if option.word else option.type, shown]
        default = None if is_file else option.default
        yield name, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def parse_pairs(texts: Sequence[str] | None, option: str = "--param", example: str = "cutoff=850") -> dict[str, str]:
    """Return the values of ``NAME=VALUE`` options by name."""
    values: dict[str, str] = {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise BadParameter(f"{option} {text}", f"expected NAME=VALUE, such as {example}")
        if name.strip() in values:
            raise BadParameter(f"{option} {name.strip()} comes twice", "give each name once")
        values[name.strip()] = value
    return values


def name_tables(
    text: str | None, title: str | None, name: str | None, keep: Sequence[str], cite: Sequence[str], console: Console
) -> "api.NamedTables | None":
    """Return the columns of tables that options name; None without them."""
    options = {"--title-column": title, "--id-column": name, "--keep-column": keep, "--cite-column": cite}
    if text is None:
        for option, value in options.items():
            if value:
                raise BadParameter(f"{option} without --text-column", "name the column that holds the texts")
        return None
    cited = parse_pairs(cite, "--cite-column", "year=Erschienen")
    if odd := cited.keys() - set(CITED):
        raise BadParameter(f"--cite-column {min(odd)}=...", f"expected one of: {', '.join(CITED)}")
    return api.NamedTables(api.TableColumns(text, title, name, tuple(keep), tuple(cited.items())), console.note)


def check_shape(form: OutputFormat, keep: Sequence[str], *, wide: bool) -> None:
    """Check options for tables that go out against their format."""
    if wide and not form.tabular:
        raise BadParameter(f"--wide with the format {form.name}", f"formats with rows: {_TABULAR}")
    for name in keep if form.tabular else ():
        if name in name_columns(wide=wide, concepts=True):
            message = f"--keep-column {name}: the table of keyphrases has a column of this name"
            raise BadParameter(message, "rename it in the file, or leave it out")
