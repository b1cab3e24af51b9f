"""keywright vocabulary: indexes of large vocabularies."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.core.errors import listed
from keywright.faces.cli.guard import guarded
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, say
from keywright.faces.cli.verbs.vocabulary_gaps import gaps
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
        Path,
        typer.Argument(
            metavar="FILE",
            help="Thesaurus in SKOS (Turtle, RDF/XML, N-Triples, JSON-LD), table (CSV, XLSX, ...), or text file with"
            " one label per line.",
        ),
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
            help="Language of the documents, whose stemmer makes the keys; can be repeated (default: those of the"
            " labels of a thesaurus, else en).",
        ),
    ] = None,
    label_language: Annotated[
        list[str] | None,
        typer.Option(
            "--label-language",
            metavar="CODE",
            help="Language whose labels of a thesaurus are kept; can be repeated (default: all).",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an index in the folder.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write an index of the labels in a file, which loads at once and looks up a document's phrases together.

    A table with a column uri is a thesaurus: with label, language and kind (preferred, alternative, hidden) in a row
    for each label, or label_en, label_fi in a row for each concept; and with notation, broader, scheme, deprecated.

    Empty lines and labels that were there before are left out, and deprecated concepts. Labels without letter or digit,
    of more than 200 characters or with damaged characters, concepts without labels and broken statements are left out,
    counted and named, with exit status 1.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    built = api.build_vocabulary_with_notes(
        file,
        output,
        column=label_column,
        languages=tuple(language) if language else None,
        label_languages=tuple(label_language or ()),
        force=force,
    )
    read = built.read
    if json:
        print_json({"index": str(output), **built.index.card, "first_left_out": read.first})
    for note in read.notes:
        say(f"note: {note}", quiet=quiet)
    card = built.index.card
    at = "" if "concepts" in card else "at "
    for reason, number in read.left_out.items():
        say(f"left out: {number:,} {reason}, first {at}{read.first[reason]}", quiet=quiet)
    for code, number in card.get("ambiguous", {}).items():
        if number:
            say(f"note: {number:,} phrases in {code!r} are labels of several concepts", quiet=quiet)
    concepts = f"{card['concepts']:,} concepts, " if "concepts" in card else ""
    say(f"{concepts}{len(built.index):,} labels, keys for {listed(card['languages'])}: {output}", quiet=quiet)
    if read.refused:
        raise typer.Exit(PARTLY)


app.command("build", epilog="Example: keywright vocabulary build subjects.csv --label-column subject -o subjects")(
    guarded(build)
)
app.command("gaps", epilog="Example: keywright vocabulary gaps results.jsonl --vocabulary subjects -o gaps.html")(
    guarded(gaps)
)
