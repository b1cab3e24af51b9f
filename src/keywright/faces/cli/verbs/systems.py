"""keywright systems and protocols: the systems that can extract keyphrases, and the protocols that score them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from keywright.core.json_values import to_json
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import Force, ReportFormat, choose_format
from keywright.faces.cli.printing import make_gain_table, open_output, tell_error
from keywright.faces.cli.reports import draw_table, format_tables
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import JSON, REPORTS, TABLE, OutputFormat
from keywright.faces.outputs.screen import escape_controls, find_screen, render_table

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

    output_format = choose_format(REPORTS, form, output, json=json, force=force)
    with open_output(output) as file:
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
        (
            score["table"],
            score["gold"],
            score["measure"],
            _format_decimal(score["published"]),
            _format_decimal(score["ours"]),
        )
        for score in system["scores"]
    ]
    tables = [_make_table("Parameters", ("parameter", *columns[1:]), parameters)]
    if scores:
        head = ("table", "gold", "measure", "published", "ours")
        tables.append(_make_table("Published scores and ours", head, scores, numbers=(3, 4)))
    if form is not TABLE:
        file.write(format_tables(tables, form, f"System {system['name']}"))
        return
    screen = find_screen(file)
    file.write(escape_controls(f"{system['name']}\n\n"))
    for paragraph in system["about"].split("\n\n"):
        for part in re.split(r"\n(?=\* )", paragraph):  # items of a list
            file.write(screen.wrap(escape_controls(" ".join(part.split())), "", "  " if part.startswith("* ") else ""))
        file.write("\n")
    file.write(f"needs           {', '.join(system['needs'])}\n")
    file.write(f"can be trained  {'yes' if system['trainable'] else 'no'}\n")
    file.writelines(draw_table(each, screen) for each in tables)


def _format_decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _make_table(
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
    rows = [(key, _describe_value(value)) for key, value in card.items() if key != "gain" or form is not TABLE]
    card_table = _make_table(f"{name}, trained: {folder}", ("card", "value"), rows)
    if form is not TABLE:
        file.write(format_tables([card_table], form, card_table.caption))
        return
    screen = find_screen(file)
    file.write(screen.wrap(escape_controls(card_table.caption)))
    file.write(draw_table(card_table, screen))
    if "gain" in card:
        file.write(render_table(make_gain_table(card["gain"]), screen))
        file.write(screen.wrap(escape_controls(card["gain"]["verdict"])))


def _describe_value(value: Any) -> str:
    match value:
        case list():
            return "; ".join(map(_describe_value, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {_describe_value(item)}" for key, item in value.items()) or "none"
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
    listed = _make_table("Systems", ("system", "idea", "needs", "can be trained"), rows)
    file.write(draw_table(listed, find_screen(file)) if form is TABLE else format_tables([listed], form, "Systems"))
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

    output_format = choose_format(REPORTS, form, output, json=json, force=force)
    with open_output(output) as file:
        if name is None:
            _write_protocols([api.describe_protocol(each) for each in api.list_protocols()], file, output_format)
        else:
            _write_protocol(name, api.describe_protocol(name), file, output_format)


def _write_protocol(name: str, protocol: Mapping[str, Any], file: IO[str], form: OutputFormat) -> None:
    """Write the rules and the signature of a protocol."""
    if form is JSON:
        file.write(to_json(protocol, indent=1) + "\n")
        return
    rules = _make_table(f"Protocol {name}", ("rule", "value"), protocol["rules"].items())
    if form is not TABLE:
        file.write(format_tables([rules], form, rules.caption))
        return
    screen = find_screen(file)
    file.write(f"{name}\n\n{screen.wrap(escape_controls(protocol['signature']))}{draw_table(rules, screen)}")


def _write_protocols(protocols: Sequence[Mapping[str, Any]], file: IO[str], form: OutputFormat) -> None:
    """Write a line for each protocol."""
    if form is JSON:
        file.write(to_json(protocols, indent=1) + "\n")
        return
    rows = [
        (each["name"], each["rules"]["golds"] or "any kind", each["rules"]["measures"], each["unit"])
        for each in protocols
    ]
    listed = _make_table("Protocols", ("protocol", "golds", "measures", "unit"), rows)
    file.write(draw_table(listed, find_screen(file)) if form is TABLE else format_tables([listed], form, "Protocols"))
