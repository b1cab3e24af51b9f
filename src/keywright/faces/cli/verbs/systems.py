"""keywright systems: what can extract."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.core.errors import MissingExtra
from keywright.faces.cli.gains import print_gain
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, table, tell_error
from keywright.faces.errors import PARTLY


def systems(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One of them, or the folder of a trained one, in full.")
    ] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """All systems, or one in full: its paper, its parameters, what it needs; of a trained one, its card."""
    from keywright import catalogue  # noqa: PLC0415 - help does without

    if name is None:
        _list(json=json)
        return
    if name not in catalogue.SYSTEMS.own and ("/" in name or Path(name).is_dir()):
        _trained(name, json=json)
        return
    one = catalogue.describe_system(name)
    if json:
        print_json(one)
        return
    typer.echo(printable(f"{one['name']}\n\n{one['about']}\n"))
    typer.echo(f"needs           {', '.join(one['needs'])}")
    typer.echo(f"can be trained  {'yes' if one['trainable'] else 'no'}")
    made = table("parameter", "takes", "default", "meaning")
    for row in one["parameters"]:
        made.add_row(*(printable(row[column] or "") for column in ("name", "takes", "default", "meaning")))
    print_table(made)
    if one["scores"]:
        made = table("table", "gold", "measure", "published", "ours", numbers=("published", "ours"))
        for row in one["scores"]:
            numbers = ("" if row[whose] is None else f"{row[whose]:.1f}" for whose in ("published", "ours"))
            made.add_row(row["table"], row["gold"], row["measure"], *numbers)
        print_table(made)


def _trained(folder: str, *, json: bool) -> None:
    """The card of a trained system: what it learnt from, when, and what that gained."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    name = api.load(folder).name
    card = read_card(Path(folder))
    if json:
        print_json({"name": name, "card": card})
        return
    made = table("card", "")
    for key, value in card.items():
        if key != "gain":
            made.add_row(printable(key), printable(_in_words(value)))
    typer.echo(printable(f"{name}, trained: {folder}\n"))
    print_table(made)
    if "gain" in card:
        print_gain(card["gain"])
        typer.echo(printable(card["gain"]["verdict"]))


def _in_words(value: Any) -> str:
    """A value of a card."""
    match value:
        case list():
            return "; ".join(map(_in_words, value)) or "none"
        case Mapping():
            return ", ".join(f"{key} {_in_words(item)}" for key, item in value.items()) or "none"
        case _:
            return str(value)


def _list(*, json: bool) -> None:
    """All systems; one of another package that does not load is told, and the others are listed."""
    from keywright import catalogue  # noqa: PLC0415 - help does without

    found, broken = [], []
    for name in catalogue.SYSTEMS.names():
        try:
            found.append(catalogue.describe_system(name))
        except MissingExtra as error:
            broken.append(error)
    if json:
        print_json(found)
    else:
        made = table("system", "idea", "needs", "can be trained")
        for one in found:
            trained = "yes" if one["trainable"] else ""
            made.add_row(*map(printable, (one["name"], one["idea"], ", ".join(one["needs"]), trained)))
        print_table(made)
    for one_broken in broken:
        tell_error(one_broken.message, one_broken.hint)
    if broken:
        raise typer.Exit(PARTLY)
