"""keywright protocols: the rules by which scores can be computed."""

from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, table


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
