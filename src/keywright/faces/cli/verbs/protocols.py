"""keywright protocols: by which rules scores can be computed."""

from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, table


def protocols(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One of them, in full.")] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """All protocols, or the rules and the signature of one."""
    from keywright import catalogue  # noqa: PLC0415 - help does without

    names = catalogue.PROTOCOLS.names() if name is None else (name,)
    found = [catalogue.describe_protocol(one) for one in names]
    if json:
        print_json(found if name is None else found[0])
        return
    if name is None:
        made = table("protocol", "golds", "measures", "unit")
        for one in found:
            golds = one["rules"]["golds"] or "all there are"
            made.add_row(*map(printable, (one["name"], golds, one["rules"]["measures"], one["unit"])))
    else:
        typer.echo(printable(f"{name}\n\n{found[0]['signature']}"))
        made = table("rule", "value")
        for rule, value in found[0]["rules"].items():
            made.add_row(printable(rule), printable(value))
    print_table(made)
