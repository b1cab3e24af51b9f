"""keywright vocabulary gaps: what a collection and a vocabulary lack of each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from keywright.core.concepts import Concept
from keywright.core.json_text import to_json
from keywright.faces.cli.options import Json, Output, Quiet
from keywright.faces.cli.output_options import Force, ReportFormat, chosen_format
from keywright.faces.cli.printing import opened, say
from keywright.faces.cli.reports import drawn
from keywright.faces.outputs.output_formats import CSV, JSON, REPORTS, TABLE, TSV
from keywright.faces.outputs.screen import screen_of
from keywright.faces.outputs.table_files import separated, table_text

if TYPE_CHECKING:
    from keywright.api import Table, VocabularyGaps

_HEAD: Final = ("kind", "phrase", "documents", "probability", "examples", "uri", "near", "near_uri")
"""Columns of CSV: rows of the kind *missing* and *unused*."""
_SHOWN: Final = 1_000
"""Rows of each table for people; arbitrary. CSV and JSON have all."""
_ON_SCREEN: Final = 20
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

    output_format = chosen_format(REPORTS, form, output, [results], json=json, force=force)
    report = api.vocabulary_gaps(results, vocabulary, min_documents=min_documents)
    with opened(output, [results]) as file:
        if output_format is JSON:
            file.write(to_json(report.to_dict(), indent=1) + "\n")
        elif output_format in {CSV, TSV}:
            file.write(separated(_HEAD, [*_missing_rows(report), *_unused_rows(report)], output_format))
        elif output_format is TABLE:
            screen = screen_of(file)
            tables = _tables(report, min_documents, _ON_SCREEN)
            file.writelines(drawn(table, screen) for table in tables if table.rows)
        else:
            tables = _tables(report, min_documents, _SHOWN)
            file.write(table_text(tables, output_format, f"Gaps of {vocabulary.resolve().name}"))
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


def _missing_rows(report: "VocabularyGaps") -> list[tuple[object, ...]]:
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


def _unused_rows(report: "VocabularyGaps") -> list[tuple[object, ...]]:
    return [("unused", concept.label, 0, "", "", concept.uri, "", "") for concept in report.unused]


def _tables(report: "VocabularyGaps", min_documents: int, most: int) -> "list[Table]":
    """Return both lists as tables for people, cut with a note."""
    from keywright import api  # noqa: PLC0415 - help does without

    documents = f"{report.documents:,} documents"
    missing = [
        (
            *(gap.phrase, f"{gap.documents:,}", "" if gap.probability is None else f"{gap.probability:.2f}"),
            *(_named(gap.near), ", ".join(gap.examples)),
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
            _cut(len(report.missing), most),
        ),
        api.Table(
            f"Concepts of the vocabulary, which has {report.concepts:,}, that are keyphrases of no document.",
            ("concept", "notation", "URI"),
            tuple(tuple(map(api.Cell, row)) for row in unused),
            frozenset(),
            _cut(len(report.unused), most),
        ),
    ]


def _named(concept: Concept | None) -> str:
    return concept.label if concept else ""


def _cut(number: int, most: int) -> tuple[str, ...]:
    return (f"The first {most:,} of {number:,}; CSV and JSON have all.",) if number > most else ()
