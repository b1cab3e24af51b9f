"""keywright vocabulary: indexes of large vocabularies, and what a collection and a vocabulary lack of each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from keywright.core.errors import list_names
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Concept
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import Force, ReportFormat, choose_format
from keywright.faces.cli.printing import guard_verb, open_output, print_json, say
from keywright.faces.cli.reports import draw_table, format_rows, format_tables
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import CSV, JSON, REPORTS, TABLE, TSV
from keywright.faces.outputs.screen import find_screen

if TYPE_CHECKING:
    from keywright.api import Table, VocabularyGaps

_GAP_COLUMNS: Final = ("kind", "phrase", "documents", "probability", "examples", "uri", "near", "near_uri")
"""Columns of CSV: rows of the kind *missing* and *unused*."""
_SHOWN_ROWS: Final = 1_000
"""Rows of each table for people; arbitrary. CSV and JSON have all."""
_SCREEN_ROWS: Final = 20
"""Rows of each table on the screen; arbitrary."""


def gaps(  # noqa: PLR0913 - one argument for each option
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="JSON Lines that `keywright extract` wrote, or a folder of them.")
    ],
    *,
    vocabulary: Annotated[
        Path, typer.Option("--vocabulary", metavar="DIR", help="Index of a vocabulary (`keywright vocabulary build`).")
    ],
    min_documents: Annotated[
        int, typer.Option("--min-documents", metavar="N", help="Least number of documents of a missing phrase.")
    ] = 2,
    form: ReportFormat = None,
    output: Output = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List frequent keyphrases of a collection that a vocabulary lacks, and concepts that no document uses.

    The results are those of `keywright extract FILE... -o RESULTS.jsonl` without --vocabulary, which would show
    concepts before all other phrases. CSV has both lists in one table; HTML is a page for people.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = choose_format(REPORTS, form, output, [results], json=json, force=force)
    report = api.vocabulary_gaps(results, vocabulary, min_documents=min_documents)
    with open_output(output, [results]) as file:
        if output_format is JSON:
            file.write(to_json(report.to_dict(), indent=1) + "\n")
        elif output_format in {CSV, TSV}:
            file.write(format_rows(_GAP_COLUMNS, [*_list_missing(report), *_list_unused(report)], output_format))
        elif output_format is TABLE:
            screen = find_screen(file)
            tables = _make_gap_tables(report, min_documents, _SCREEN_ROWS)
            file.writelines(draw_table(table, screen) for table in tables if table.rows)
        else:
            tables = _make_gap_tables(report, min_documents, _SHOWN_ROWS)
            file.write(format_tables(tables, output_format, f"Gaps of {vocabulary.resolve().name}"))
    used = report.concepts - len(report.unused)
    say(
        f"{report.documents:,} documents: {len(report.missing):,} phrases are missing,"
        f" {used:,} of {report.concepts:,} concepts are used",
        quiet=quiet,
    )
    if report.restricted:
        say(
            "note: nearly all keyphrases are concepts: results without --vocabulary show what is missing",
            quiet=quiet,
        )
    if report.failures:
        say(f"note: {report.failures:,} documents failed, and are not counted", quiet=quiet)


def _list_missing(report: "VocabularyGaps") -> list[tuple[object, ...]]:
    return [
        (
            *("missing", gap.phrase, gap.documents),
            "" if gap.probability is None else round(gap.probability, 4),
            " | ".join(gap.examples),
            "",
            *((gap.near.label, gap.near.uri) if gap.near else ("", "")),
        )
        for gap in report.missing
    ]


def _list_unused(report: "VocabularyGaps") -> list[tuple[object, ...]]:
    return [("unused", concept.label, 0, "", "", concept.uri, "", "") for concept in report.unused]


def _make_gap_tables(report: "VocabularyGaps", min_documents: int, most: int) -> "list[Table]":
    """Return both lists as tables for people, cut with a note."""
    from keywright import api  # noqa: PLC0415 - help does without

    documents = f"{report.documents:,} documents"
    missing = [
        (
            *(gap.phrase, f"{gap.documents:,}", "" if gap.probability is None else f"{gap.probability:.2f}"),
            *(_name_concept(gap.near), ", ".join(gap.examples)),
        )
        for gap in report.missing[:most]
    ]
    unused = [(concept.label, concept.notation, concept.uri) for concept in report.unused[:most]]
    return [
        api.Table(
            f"Keyphrases of {min_documents:,} documents or more, of {documents}, that the vocabulary lacks.",
            ("phrase", "documents", "probability", "nearest concept", "examples"),
            tuple(tuple(map(api.Cell, row)) for row in missing),
            frozenset({1, 2}),
            _note_cut(len(report.missing), most),
        ),
        api.Table(
            f"Concepts of the vocabulary, which has {report.concepts:,}, that are keyphrases of no document.",
            ("concept", "notation", "URI"),
            tuple(tuple(map(api.Cell, row)) for row in unused),
            frozenset(),
            _note_cut(len(report.unused), most),
        ),
    ]


def _name_concept(concept: Concept | None) -> str:
    return concept.label if concept else ""


def _note_cut(number: int, most: int) -> tuple[str, ...]:
    return (f"The first {most:,} of {number:,}; CSV and JSON have all.",) if number > most else ()


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
    say(f"{concepts}{len(built.index):,} labels, keys for {list_names(card['languages'])}: {output}", quiet=quiet)
    if read.refused:
        raise typer.Exit(PARTLY)


app.command("build", epilog="Example: keywright vocabulary build subjects.csv --label-column subject -o subjects")(
    guard_verb(build)
)
app.command("gaps", epilog="Example: keywright vocabulary gaps results.jsonl --vocabulary subjects -o gaps.html")(
    guard_verb(gaps)
)
