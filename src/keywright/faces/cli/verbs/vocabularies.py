"""keywright vocabulary: indexes of large vocabularies."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.core.errors import listed
from keywright.faces.cli.guard import guarded
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, say
from keywright.faces.exit_codes import PARTLY

app = typer.Typer(
    help="Vocabularies: index the labels of a file for `keywright extract --vocabulary`.",
    epilog="Example: keywright vocabulary build subjects.txt -o subjects",
    no_args_is_help=True,
)


@app.callback()
def vocabulary() -> None:
    """Index the labels of a file for `keywright extract --vocabulary`."""


def build(  # noqa: PLR0913 - one argument for each option
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Text file with one label per line, or a table (CSV, XLSX, ...).")
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the index to.")],
    label_column: Annotated[
        str | None,
        typer.Option(
            "--label-column", metavar="NAME", help="Column of the labels in a table (default: one with a usual name)."
        ),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            metavar="CODE",
            help="Language of the documents, whose stemmer makes the keys; can be repeated (default: en).",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an index in the folder.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write an index of the labels in a file, which loads at once and looks up a document's phrases together.

    Empty lines and labels that were there before are left out. Labels without letter or digit, of more than 200
    characters or with damaged characters are left out, counted and named, with exit status 1.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    built = api.build_vocabulary_with_notes(
        file, output, column=label_column, languages=tuple(language or ("en",)), force=force
    )
    read = built.read
    if json:
        print_json({"index": str(output), **built.index.card, "first_left_out": read.first})
    for note in read.notes:
        say(f"note: {note}", quiet=quiet)
    for reason, number in read.left_out.items():
        say(f"left out: {number:,} {reason}, first at {read.first[reason]}", quiet=quiet)
    say(f"{len(built.index):,} labels, keys for {listed(built.index.card['languages'])}: {output}", quiet=quiet)
    if read.refused:
        raise typer.Exit(PARTLY)


app.command("build", epilog="Example: keywright vocabulary build subjects.csv --label-column subject -o subjects")(
    guarded(build)
)
