"""keywright datasets: collections, their terms of use, and local copies."""

from typing import Annotated, Any

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import guard_verb, open_output, print_json, print_table, say, show_progress
from keywright.faces.exit_codes import UNREADABLE
from keywright.faces.outputs.screen import escape_controls, find_screen, make_table, render_table

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a data set (`keywright datasets list`).")]

app = typer.Typer(help="Data sets: list, show, fetch, verify.", epilog="Example: keywright datasets show inspec")


@app.callback(invoke_without_command=True)
def datasets(context: typer.Context, *, json: Json = False, quiet: Quiet = False) -> None:
    """List, show, fetch and verify data sets; without a command, list them."""
    if context.invoked_subcommand is None:
        guard_verb(list_datasets)(json=json, quiet=quiet)


def list_datasets(
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """List all collections that have a data sheet."""
    from keywright import api  # noqa: PLC0415 - help does without

    records = api.describe_datasets()
    if json:
        print_json(records)
        return
    rows = make_table("data set", "documents", "splits", "gold", "language", "licence", "here", numbers=("documents",))
    for record in records:
        here = "yes" if record["here"] else "no"
        splits, gold = ", ".join(record["splits"]), ", ".join(record["gold"])
        rows.add_row(
            record["name"], f"{record['documents']:,}", splits, gold, record["language"], record["licence"], here
        )
    print_table(rows)


def show(
    name: Name,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """Show the data sheet of a collection, terms of use first."""
    from keywright import api  # noqa: PLC0415 - help does without

    card = api.describe_dataset(name)
    if json:
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
    with open_output(None) as file:
        screen = find_screen(file)
        file.write(escape_controls(f"{card['name']}\n\n"))
        file.writelines(screen.wrap(escape_controls(str(value)), f"{label:10} ") for label, value in lines.items())
        file.write(render_table(_make_split_table(card), screen))
        file.writelines(screen.wrap(escape_controls(text), f"{label:10} ") for label, text in notes)


def fetch(name: Name, *, json: Json = False, quiet: Quiet = False) -> None:
    """Download a collection, and verify it."""
    from keywright import api  # noqa: PLC0415 - help does without

    with show_progress("bytes", quiet=quiet) as tell:
        place = api.fetch_dataset(name, tell)
    if json:
        print_json({"name": name, "place": str(place)})
    say(f"{name} is in {place}", quiet=quiet)


def verify(
    name: Name,
    *,
    json: Json = False,
    quiet: Quiet = False,  # noqa: ARG001 - every verb takes it; this one has no messages
) -> None:
    """Compare a local copy with its data sheet, record by record."""
    from keywright import api  # noqa: PLC0415 - help does without

    splits = api.verify_dataset(name)
    if json:
        fields = {"name": "name", "forms": "forms", "expected": "expected", "found": "computed"}
        fields |= {"documents": "documents", "ok": "ok"}
        print_json([{key: getattr(split, field) for key, field in fields.items()} for split in splits])
    else:
        rows = make_table("split", "forms", "documents", "fingerprint", "", numbers=("documents",))
        for split in splits:
            verdict = "as the card says" if split.ok else f"the card says {split.expected[:12]}"
            rows.add_row(split.name, split.forms, f"{split.documents:,}", split.computed[:12], verdict)
        print_table(rows)
    if not all(split.ok for split in splits):
        raise typer.Exit(UNREADABLE)


def _make_split_table(card: dict[str, Any]) -> Any:
    rows = make_table("split", "documents", "gold entries", "use", "note", numbers=("documents",))
    for name, split in card["splits"].items():
        gold = ", ".join(f"{kind} {count['entries']:,}" for kind, count in split["gold"].items())
        use = "reporting only" if split["held_out"] else "training"
        rows.add_row(name, f"{split['documents']:,}", gold, use, escape_controls(split["note"]))
    return rows


for word, verb, example in (
    ("list", list_datasets, "keywright datasets list"),
    ("show", show, "keywright datasets show inspec"),
    ("fetch", fetch, "keywright datasets fetch inspec"),
    ("verify", verify, "keywright datasets verify semeval2010/test"),
):
    app.command(word, epilog=f"Example: {example}")(guard_verb(verb))
