"""keywright systems and protocols: the systems that can extract keyphrases, and the protocols that score them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from keywright import api
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput, draw_table
from keywright.faces.cli.printing import tell_error
from keywright.faces.cli.verbs.training import draw_gain
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import TABLE
from keywright.faces.outputs.screen import Screen, escape_controls


@declare("keywright systems kpminer", name="NAME | A system to show in full, or the folder of a trained system.")
def systems(name: str | None = None, *, report: ReportOutput) -> None:
    """List all systems, or show one in full: paper, parameters, needs, scores; of a trained system, its card."""
    report.choose()
    if name is None:
        descriptions, errors = api.describe_systems()
        rows = (
            (system["name"], system["idea"], ", ".join(system["needs"]), "yes" if system["trainable"] else "")
            for system in descriptions
        )
        table = api.Table.make("Systems", ("system", "idea", "needs", "can be trained"), rows, words=4)
        report.write_tables([table], "Systems", lambda: descriptions)
        for error in errors:
            tell_error(error.message, error.hint)
        if errors:
            raise typer.Exit(PARTLY)
    elif api.is_folder_name(name):
        _write_trained(name, report)
    else:
        _write_system(api.describe_system(name), report)


def _write_system(system: Mapping[str, Any], report: ReportOutput) -> None:
    """Write a system in full: about, needs, parameters, scores."""
    columns = ("name", "takes", "default", "meaning")
    parameters = ([parameter[column] or "" for column in columns] for parameter in system["parameters"])
    tables = [api.Table.make("Parameters", ("parameter", *columns[1:]), parameters, words=4)]
    if system["scores"]:
        head = ("table", "gold", "measure", "published", "ours")
        scores = (
            [score[key] if key in head[:3] else _format_decimal(score[key]) for key in head]
            for score in system["scores"]
        )
        tables.append(api.Table.make("Published scores and ours", head, scores, words=3))

    def draw(screen: Screen) -> Iterator[str]:
        yield escape_controls(f"{system['name']}\n\n")
        for paragraph in system["about"].split("\n\n"):
            for part in re.split(r"\n(?=\* )", paragraph):  # items of a list
                indent = "  " if part.startswith("* ") else ""
                yield screen.wrap(escape_controls(" ".join(part.split())), "", indent)
            yield "\n"
        yield f"needs           {', '.join(system['needs'])}\n"
        yield f"can be trained  {'yes' if system['trainable'] else 'no'}\n"
        yield from (draw_table(each, screen) for each in tables)

    report.write_tables(tables, f"System {system['name']}", lambda: system, draw)


def _format_decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _write_trained(folder: str, report: ReportOutput) -> None:
    """Write the card of a trained system: training data, date and gain."""
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    name = api.load(folder).name
    card = read_card(Path(folder))
    rows = ((key, _describe_value(value)) for key, value in card.items() if key != "gain" or report.format is not TABLE)
    table = api.Table.make(f"{name}, trained: {folder}", ("card", "value"), rows, words=2)

    def draw(screen: Screen) -> Iterator[str]:
        yield screen.wrap(escape_controls(table.caption))
        yield draw_table(table, screen)
        if "gain" in card:
            yield draw_gain(card["gain"], screen)
            yield screen.wrap(escape_controls(card["gain"]["verdict"]))

    report.write_tables([table], table.caption, lambda: {"name": name, "card": card}, draw)


def _describe_value(value: Any) -> str:
    match value:
        case list():
            return "; ".join(map(_describe_value, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {_describe_value(item)}" for key, item in value.items()) or "none"
        case _:
            return str(value)


@declare("keywright protocols semeval2010", name="NAME | A protocol to show in full.")
def protocols(name: str | None = None, *, report: ReportOutput) -> None:
    """List all protocols, or show the rules and the signature of one."""
    report.choose()
    if name is None:
        records = [api.describe_protocol(each) for each in api.list_protocols()]
        lines = (
            (each["name"], each["rules"]["golds"] or "any kind", each["rules"]["measures"], each["unit"])
            for each in records
        )
        table = api.Table.make("Protocols", ("protocol", "golds", "measures", "unit"), lines, words=4)
        report.write_tables([table], "Protocols", lambda: records)
        return
    protocol = api.describe_protocol(name)
    rules = api.Table.make(f"Protocol {name}", ("rule", "value"), protocol["rules"].items(), words=2)

    def draw(screen: Screen) -> Iterator[str]:
        yield f"{name}\n\n{screen.wrap(escape_controls(protocol['signature']))}{draw_table(rules, screen)}"

    report.write_tables([rules], rules.caption, lambda: protocol, draw)
