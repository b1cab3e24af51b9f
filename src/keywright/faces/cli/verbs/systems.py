"""keywright systems and protocols: the systems that can extract keyphrases, and the protocols that score them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_gain, print_json, print_table, printable, table, tell_error
from keywright.faces.exit_codes import PARTLY


def systems(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A system to show in full, or the folder of a trained system.")
    ] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """List all systems, or show one in full: paper, parameters, needs, scores; of a trained system, its card."""
    from keywright import api  # noqa: PLC0415 - help does without

    if name is None:
        _list(json=json)
        return
    if api.is_folder_name(name):
        _trained(name, json=json)
        return
    system = api.describe_system(name)
    if json:
        print_json(system)
        return
    typer.echo(printable(f"{system['name']}\n\n{system['about']}\n"))
    typer.echo(f"needs           {', '.join(system['needs'])}")
    typer.echo(f"can be trained  {'yes' if system['trainable'] else 'no'}")
    rows = table("parameter", "takes", "default", "meaning")
    for parameter in system["parameters"]:
        rows.add_row(*(printable(parameter[column] or "") for column in ("name", "takes", "default", "meaning")))
    print_table(rows)
    if system["scores"]:
        rows = table("table", "gold", "measure", "published", "ours", numbers=("published", "ours"))
        for score in system["scores"]:
            numbers = ("" if score[whose] is None else f"{score[whose]:.1f}" for whose in ("published", "ours"))
            rows.add_row(score["table"], score["gold"], score["measure"], *numbers)
        print_table(rows)


def _trained(folder: str, *, json: bool) -> None:
    """Print the card of a trained system: training data, date and gain."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    name = api.load(folder).name
    card = read_card(Path(folder))
    if json:
        print_json({"name": name, "card": card})
        return
    rows = table("card", "")
    for key, value in card.items():
        if key != "gain":
            rows.add_row(printable(key), printable(_in_words(value)))
    typer.echo(printable(f"{name}, trained: {folder}\n"))
    print_table(rows)
    if "gain" in card:
        print_gain(card["gain"])
        typer.echo(printable(card["gain"]["verdict"]))


def _in_words(value: Any) -> str:
    match value:
        case list():
            return "; ".join(map(_in_words, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {_in_words(item)}" for key, item in value.items()) or "none"
        case _:
            return str(value)


def _list(*, json: bool) -> None:
    """Print all systems, and an error for each system of another package that does not load."""
    from keywright import api  # noqa: PLC0415 - help does without

    descriptions, errors = api.describe_systems()
    if json:
        print_json(descriptions)
    else:
        rows = table("system", "idea", "needs", "can be trained")
        for system in descriptions:
            trained = "yes" if system["trainable"] else ""
            rows.add_row(*map(printable, (system["name"], system["idea"], ", ".join(system["needs"]), trained)))
        print_table(rows)
    for error in errors:
        tell_error(error.message, error.hint)
    if errors:
        raise typer.Exit(PARTLY)


def protocols(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A protocol to show in full.")] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """List all protocols, or show the rules and the signature of one."""
    from keywright import api  # noqa: PLC0415 - help does without

    if name is not None:
        protocol = api.describe_protocol(name)
        if json:
            print_json(protocol)
            return
        typer.echo(printable(f"{name}\n\n{protocol['signature']}"))
        rows = table("rule", "value")
        for rule, value in protocol["rules"].items():
            rows.add_row(printable(rule), printable(value))
        print_table(rows)
        return
    descriptions = [api.describe_protocol(each) for each in api.list_protocols()]
    if json:
        print_json(descriptions)
        return
    rows = table("protocol", "golds", "measures", "unit")
    for each in descriptions:
        golds = each["rules"]["golds"] or "any kind"
        rows.add_row(*map(printable, (each["name"], golds, each["rules"]["measures"], each["unit"])))
    print_table(rows)
