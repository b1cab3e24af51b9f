"""keywright datasets: collections, their terms of use, and local copies."""

import typer

from keywright import api
from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import Console, open_output, print_json, print_rows
from keywright.faces.exit_codes import UNREADABLE
from keywright.faces.outputs.screen import draw_rows, escape_controls, find_screen

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
    head = ("data set", "documents", "splits", "gold", "language", "licence", "here")
    print_rows(head, rows, ("documents",))


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
