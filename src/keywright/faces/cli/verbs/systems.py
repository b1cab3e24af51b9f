"""keywright systems and protocols: the systems that can extract keyphrases, and the protocols that score them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from keywright.core.json_text import to_json
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import Force, ReportFormat, chosen_format
from keywright.faces.cli.printing import gain_table, opened, tell_error
from keywright.faces.cli.reports import drawn
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import JSON, REPORTS, TABLE, OutputFormat
from keywright.faces.outputs.screen import screen_of
from keywright.faces.outputs.table_files import table_text
from keywright.faces.outputs.terminal_text import printable, rendered

if TYPE_CHECKING:
    from keywright.api import Table


def systems(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A system to show in full, or the folder of a trained system.")
    ] = None,
    *,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """List all systems, or show one in full: paper, parameters, needs, scores; of a trained system, its card."""
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = chosen_format(REPORTS, form, output, json=json, force=force)
    with opened(output) as file:
        if name is None:
            errors = _write_list(file, output_format)
        elif api.is_folder_name(name):
            errors = []
            _write_trained(name, file, output_format)
        else:
            errors = []
            _write_system(api.describe_system(name), file, output_format)
    for error in errors:
        tell_error(error.message, error.hint)
    if errors:
        raise typer.Exit(PARTLY)


def _write_system(system: Mapping[str, Any], file: IO[str], form: OutputFormat) -> None:
    """Write a system in full: about, needs, parameters, scores."""
    if form is JSON:
        file.write(to_json(system, indent=1) + "\n")
        return
    columns = ("name", "takes", "default", "meaning")
    parameters = [tuple(parameter[column] or "" for column in columns) for parameter in system["parameters"]]
    scores = [
        (score["table"], score["gold"], score["measure"], _one_decimal(score["published"]), _one_decimal(score["ours"]))
        for score in system["scores"]
    ]
    tables = [_table("Parameters", ("parameter", *columns[1:]), parameters)]
    if scores:
        head = ("table", "gold", "measure", "published", "ours")
        tables.append(_table("Published scores and ours", head, scores, numbers=(3, 4)))
    if form is not TABLE:
        file.write(table_text(tables, form, f"System {system['name']}"))
        return
    screen = screen_of(file)
    file.write(printable(f"{system['name']}\n\n"))
    for paragraph in system["about"].split("\n\n"):
        for part in re.split(r"\n(?=\* )", paragraph):  # items of a list
            file.write(screen.wrapped(printable(" ".join(part.split())), "", "  " if part.startswith("* ") else ""))
        file.write("\n")
    file.write(f"needs           {', '.join(system['needs'])}\n")
    file.write(f"can be trained  {'yes' if system['trainable'] else 'no'}\n")
    file.writelines(drawn(each, screen) for each in tables)


def _one_decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _table(
    caption: str, head: tuple[str, ...], rows: Iterable[Iterable[str]], numbers: tuple[int, ...] = ()
) -> "Table":
    from keywright import api  # noqa: PLC0415 - help does without

    cells = tuple(tuple(api.Cell(text) for text in row) for row in rows)
    return api.Table(caption, head, cells, frozenset(numbers))


def _write_trained(folder: str, file: IO[str], form: OutputFormat) -> None:
    """Write the card of a trained system: training data, date and gain."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    name = api.load(folder).name
    card = read_card(Path(folder))
    if form is JSON:
        file.write(to_json({"name": name, "card": card}, indent=1) + "\n")
        return
    rows = [(key, _in_words(value)) for key, value in card.items() if key != "gain" or form is not TABLE]
    card_table = _table(f"{name}, trained: {folder}", ("card", "value"), rows)
    if form is not TABLE:
        file.write(table_text([card_table], form, card_table.caption))
        return
    screen = screen_of(file)
    file.write(screen.wrapped(printable(card_table.caption)))
    file.write(drawn(card_table, screen))
    if "gain" in card:
        file.write(rendered(gain_table(card["gain"]), screen))
        file.write(screen.wrapped(printable(card["gain"]["verdict"])))


def _in_words(value: Any) -> str:
    match value:
        case list():
            return "; ".join(map(_in_words, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {_in_words(item)}" for key, item in value.items()) or "none"
        case _:
            return str(value)


def _write_list(file: IO[str], form: OutputFormat) -> Sequence[Any]:
    """Write all systems; return an error for each system of another package that does not load."""
    from keywright import api  # noqa: PLC0415 - help does without

    descriptions, errors = api.describe_systems()
    if form is JSON:
        file.write(to_json(descriptions, indent=1) + "\n")
        return errors
    rows = [
        (system["name"], system["idea"], ", ".join(system["needs"]), "yes" if system["trainable"] else "")
        for system in descriptions
    ]
    listed = _table("Systems", ("system", "idea", "needs", "can be trained"), rows)
    file.write(drawn(listed, screen_of(file)) if form is TABLE else table_text([listed], form, "Systems"))
    return errors


def protocols(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A protocol to show in full.")] = None,
    *,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """List all protocols, or show the rules and the signature of one."""
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = chosen_format(REPORTS, form, output, json=json, force=force)
    with opened(output) as file:
        if name is None:
            _write_protocols([api.describe_protocol(each) for each in api.list_protocols()], file, output_format)
        else:
            _write_protocol(name, api.describe_protocol(name), file, output_format)


def _write_protocol(name: str, protocol: Mapping[str, Any], file: IO[str], form: OutputFormat) -> None:
    """Write the rules and the signature of a protocol."""
    if form is JSON:
        file.write(to_json(protocol, indent=1) + "\n")
        return
    rules = _table(f"Protocol {name}", ("rule", "value"), protocol["rules"].items())
    if form is not TABLE:
        file.write(table_text([rules], form, rules.caption))
        return
    screen = screen_of(file)
    file.write(f"{name}\n\n{screen.wrapped(printable(protocol['signature']))}{drawn(rules, screen)}")


def _write_protocols(protocols: Sequence[Mapping[str, Any]], file: IO[str], form: OutputFormat) -> None:
    """Write a line for each protocol."""
    if form is JSON:
        file.write(to_json(protocols, indent=1) + "\n")
        return
    rows = [
        (each["name"], each["rules"]["golds"] or "any kind", each["rules"]["measures"], each["unit"])
        for each in protocols
    ]
    listed = _table("Protocols", ("protocol", "golds", "measures", "unit"), rows)
    file.write(drawn(listed, screen_of(file)) if form is TABLE else table_text([listed], form, "Protocols"))
