"""keywright systems, protocols and datasets: what there is, shown in full; local copies of collections."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from keywright import api
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput, draw_table
from keywright.faces.cli.printing import Console, open_output, print_json, print_rows, tell_error
from keywright.faces.cli.verbs.training import draw_gain
from keywright.faces.exit_codes import PARTLY, UNREADABLE
from keywright.faces.outputs.output_formats import TABLE
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls, find_screen


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
    columns = ("name", "takes", "default", "meaning")
    parameters = ([parameter[column] or "" for column in columns] for parameter in system["parameters"])
    tables = [api.Table.make("Parameters", ("parameter", *columns[1:]), parameters, words=4)]
    if system["scores"]:
        head = ("table", "gold", "measure", "published", "ours")
        scores = (
            [f"{value:.1f}" if isinstance(value := score[key], float) else value or "" for key in head]
            for score in system["scores"]
        )
        tables.append(api.Table.make("Published scores and ours", head, scores, words=3))

    def draw(screen: Screen) -> Iterator[str]:
        yield escape_controls(f"{system['name']}\n\n")
        for paragraph in system["about"].split("\n\n"):
            for part in re.split(r"\n(?=\* )", paragraph):  # items of a list
                yield screen.wrap(escape_controls(" ".join(part.split())), "", "  " if part.startswith("* ") else "")
            yield "\n"
        yield f"needs           {', '.join(system['needs'])}\n"
        yield f"can be trained  {'yes' if system['trainable'] else 'no'}\n"
        yield from (draw_table(each, screen) for each in tables)

    report.write_tables(tables, f"System {system['name']}", lambda: system, draw)


def _write_trained(folder: str, report: ReportOutput) -> None:
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
        lines = []
        for each in records:  # blanks, at which a terminal can break lines
            golds, measures = (each["rules"][name].replace(",", ", ") for name in ("golds", "measures"))
            lines.append((each["name"], golds or "any kind", measures, each["unit"]))
        table = api.Table.make("Protocols", ("protocol", "golds", "measures", "unit"), lines, words=4)
        report.write_tables([table], "Protocols", lambda: records)
        return
    protocol = api.describe_protocol(name)
    rules = api.Table.make(f"Protocol {name}", ("rule", "value"), protocol["rules"].items(), words=2)

    def draw(screen: Screen) -> Iterator[str]:
        yield f"{name}\n\n{screen.wrap(escape_controls(protocol['signature']))}{draw_table(rules, screen)}"

    report.write_tables([rules], rules.caption, lambda: protocol, draw)


@declare("keywright languages --json")
def languages(*, report: ReportOutput) -> None:
    """List languages with what there is for each on this machine, and F and calibration error of the default."""
    report.choose()
    records = api.describe_languages()
    head = ("", "language", "stop list", "forms", "borders", "trained", "reader", "F@10", "ECE")
    rows = (
        [
            *(record["language"], record["name"], _mark(record["stop_words"]), record["forms"], record["word_borders"]),
            *(_mark(record["trained"]), _mark(record["reader"])),
            *(f"{100 * record['measured'][name]:.1f}" if record["measured"] else "" for name in ("F@10", "ECE")),
        ]
        for record in records
    )
    report.write_tables([api.Table.make("Languages", head, rows, words=7)], "Languages", lambda: records)


def _mark(is_there: object) -> str:
    return "yes" if is_there else ""


_NAME = "NAME | Name of a data set (`keywright datasets list`)."


@declare("keywright datasets show inspec")
def datasets(context: typer.Context, *, console: Console) -> None:
    """List, show, fetch and verify data sets; without a command, list them."""
    if context.invoked_subcommand is None:
        list_datasets(json=console.json)


@declare("keywright datasets list")
def list_datasets(*, console: Console) -> None:
    """List all collections that have a data sheet."""
    records = api.describe_datasets()
    if console.json:
        print_json(records)
        return
    rows = (
        (
            *(record["name"], f"{record['documents']:,}", ", ".join(record["splits"]), ", ".join(record["gold"])),
            *(record["language"], record["licence"], "yes" if record["here"] else "no"),
        )
        for record in records
    )
    print_rows(("data set", "documents", "splits", "gold", "language", "licence", "here"), rows, ("documents",))


@declare("keywright datasets show inspec", name=_NAME)
def show(name: str, *, console: Console) -> None:
    """Show the data sheet of a collection, terms of use first."""
    card = api.describe_dataset(name)
    if console.json:
        print_json(card)
        return
    licence = card["licence"]
    passed_on = "may be passed on" if licence["redistributable"] else "must not be passed on"
    lines = {
        "title": card["title"],
        "paper": card["paper"],
        "licence": f"{licence['spdx']}: {licence['note']} ({passed_on})",
        "language": card["language"],
        "one is": card["unit"],
        "documents": f"{card['documents']:,}",
        "here": card["here"] or "no",
        "to get it": card["instructions"],
    }
    notes = [("gold", f"{kind}: {meaning}") for kind, meaning in card["gold"].items()]
    notes += [("known", problem) for problem in card["problems"]]
    head = ("split", "documents", "gold entries", "use", "note")
    splits = []
    for split_name, split in card["splits"].items():
        gold = ", ".join(f"{kind} {count['entries']:,}" for kind, count in split["gold"].items())
        use = "reporting only" if split["held_out"] else "training"
        splits.append((split_name, f"{split['documents']:,}", gold, use, split["note"]))
    with open_output(None) as file:
        screen = find_screen(file)
        file.write(escape_controls(f"{card['name']}\n\n"))
        file.writelines(screen.wrap(escape_controls(str(value)), f"{label:10} ") for label, value in lines.items())
        file.write(draw_rows(screen, head, splits, ("documents",)))
        file.writelines(screen.wrap(escape_controls(text), f"{label:10} ") for label, text in notes)


@declare("keywright datasets fetch inspec", name=_NAME)
def fetch(name: str, *, console: Console) -> None:
    """Download a collection, and verify it."""
    with console.progress("bytes") as tell:
        place = api.fetch_dataset(name, tell)
    if console.json:
        print_json({"name": name, "place": str(place)})
    console.say(f"{name} is in {place}")


@declare("keywright datasets verify semeval2010/test", name=_NAME)
def verify(name: str, *, console: Console) -> None:
    """Compare a local copy with its data sheet, record by record."""
    splits = api.verify_dataset(name)
    if console.json:
        fields = {"name": "name", "forms": "forms", "expected": "expected", "found": "computed"}
        fields |= {"documents": "documents", "ok": "ok"}
        print_json([{key: getattr(split, field) for key, field in fields.items()} for split in splits])
    else:
        rows = (
            (
                *(split.name, split.forms, f"{split.documents:,}", split.computed[:12]),
                "as the card says" if split.ok else f"the card says {split.expected[:12]}",
            )
            for split in splits
        )
        print_rows(("split", "forms", "documents", "fingerprint", ""), rows, ("documents",))
    if not all(split.ok for split in splits):
        raise typer.Exit(UNREADABLE)
