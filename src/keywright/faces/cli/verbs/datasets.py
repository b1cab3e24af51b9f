"""keywright datasets: collections, their terms, and copies of them."""

from typing import Annotated, Any

import typer

from keywright.faces.cli.guard import guarded
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, say, table
from keywright.faces.cli.progress import progress
from keywright.faces.errors import UNREADABLE

Name = Annotated[str, typer.Argument(metavar="NAME", help="Of `keywright datasets list`.")]

app = typer.Typer(help="Data sets: list, show, fetch, verify.", epilog="Example: keywright datasets show inspec")


@app.callback(invoke_without_command=True)
def datasets(context: typer.Context, *, json: Json = False, quiet: Quiet = False) -> None:
    """Data sets: list, show, fetch, verify. Alone it lists them."""
    if context.invoked_subcommand is None:
        guarded(listed)(json=json, quiet=quiet)


def listed(
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """All collections that have a card."""
    from keywright.datasets.listing import listing  # noqa: PLC0415 - help does without

    rows = listing()
    if json:
        print_json(rows)
        return
    made = table("data set", "documents", "splits", "gold", "language", "licence", "here", numbers=("documents",))
    for row in rows:
        here = "yes" if row["here"] else "no"
        splits, gold = ", ".join(row["splits"]), ", ".join(row["gold"])
        made.add_row(row["name"], f"{row['documents']:,}", splits, gold, row["language"], row["licence"], here)
    print_table(made)


def show(
    name: Name,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """One card in full, terms of use first."""
    from keywright.datasets.listing import describe  # noqa: PLC0415 - help does without
    from keywright.datasets.naming import named  # noqa: PLC0415 - help does without

    found = describe(named(name)[0])
    if json:
        print_json(found)
        return
    licence = found["licence"]
    passed_on = "may be passed on" if licence["redistributable"] else "must not be passed on"
    lines = {
        "title": found["title"],
        "paper": found["paper"],
        "licence": f"{licence['spdx']}: {licence['note']} ({passed_on})",
        "language": found["language"],
        "one is": found["unit"],
        "documents": f"{found['documents']:,}",
        "here": found["here"] or "no",
        "to get it": found["instructions"],
    }
    typer.echo(printable(f"{found['name']}\n"))
    for label, value in lines.items():
        typer.echo(printable(f"{label:10} {value}"))
    print_table(_splits(found))
    for kind, meaning in found["gold"].items():
        typer.echo(printable(f"gold {kind}: {meaning}"))
    for problem in found["problems"]:
        typer.echo(printable(f"known: {problem}"))


def fetch(name: Name, *, json: Json = False, quiet: Quiet = False) -> None:
    """Bring a collection to this machine, and verify it."""
    from keywright.datasets.fetch import fetch as bring  # noqa: PLC0415 - help does without

    with progress("bytes", quiet=quiet) as tell:
        place = bring(name, lambda _file, done, total: tell(done, total))
    if json:
        print_json({"name": name, "place": str(place)})
    say(f"{name} is in {place}", quiet=quiet)


def verify(
    name: Name,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """Compare a copy with its card, record by record."""
    from keywright.datasets.verification import verify as compare  # noqa: PLC0415 - help does without

    found = compare(name)
    if json:
        keys = ("name", "forms", "expected", "found", "documents", "ok")
        print_json([{key: getattr(one, key) for key in keys} for one in found])
    else:
        made = table("split", "forms", "documents", "fingerprint", "", numbers=("documents",))
        for one in found:
            verdict = "as the card says" if one.ok else f"the card says {one.expected[:12]}"
            made.add_row(one.name, one.forms, f"{one.documents:,}", one.found[:12], verdict)
        print_table(made)
    if not all(one.ok for one in found):
        raise typer.Exit(UNREADABLE)


def _splits(found: dict[str, Any]) -> Any:
    made = table("split", "documents", "gold entries", "use", "note", numbers=("documents",))
    for name, split in found["splits"].items():
        gold = ", ".join(f"{kind} {count['entries']:,}" for kind, count in split["gold"].items())
        use = "reporting only" if split["held_out"] else "training"
        made.add_row(name, f"{split['documents']:,}", gold, use, printable(split["note"]))
    return made


for word, verb, example in (
    ("list", listed, "keywright datasets list"),
    ("show", show, "keywright datasets show inspec"),
    ("fetch", fetch, "keywright datasets fetch inspec"),
    ("verify", verify, "keywright datasets verify semeval2010/test"),
):
    app.command(word, epilog=f"Example: {example}")(guarded(verb))
