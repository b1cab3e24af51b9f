"""keywright vocabulary: indexes of large vocabularies, and what a collection and a vocabulary lack of each other."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from keywright import api
from keywright.core.errors import list_names
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput, draw_table, format_tables
from keywright.faces.cli.printing import Console, print_json
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import CSV
from keywright.faces.outputs.screen import format_rows

_GAP_COLUMNS: Final = ("kind", "phrase", "documents", "probability", "examples", "uri", "near", "near_uri")
"""Columns of CSV: rows of the kind *missing* and *unused*."""
_SHOWN_ROWS: Final = 1_000  # Rows of each table for people; arbitrary. CSV and JSON have all.
_SCREEN_ROWS: Final = 20  # Rows of each table on the screen; arbitrary


@declare(
    "keywright vocabulary gaps results.jsonl --vocabulary subjects -o gaps.html",
    results="RESULTS | JSON Lines that `keywright extract` wrote, or a folder of them.",
    vocabulary="DIR | Index of a vocabulary (`keywright vocabulary build`).",
    min_documents="N | Least number of documents of a missing phrase.",
)
def gaps(results: Path, *, vocabulary: Path, min_documents: int = 2, report: ReportOutput) -> None:
    """List frequent keyphrases of a collection that a vocabulary lacks, and concepts that no document uses.

    The results are those of `keywright extract FILE... -o RESULTS.jsonl` without --vocabulary, which would show
    concepts before all other phrases. CSV has both lists in one table; HTML is a page for people.
    """
    report.choose(results)
    result = api.vocabulary_gaps(results, vocabulary, min_documents=min_documents)
    report.write(
        result.to_dict,
        lambda screen: (
            draw_table(table, screen) for table in _make_gap_tables(result, min_documents, _SCREEN_ROWS) if table.rows
        ),
        lambda form: (
            _format_gap_rows(result)
            if form == CSV.name
            else format_tables(
                _make_gap_tables(result, min_documents, _SHOWN_ROWS), form, f"Gaps of {vocabulary.resolve().name}"
            )
        ),
    )
    used = result.concepts - len(result.unused)
    report.say(
        f"{result.documents:,} documents: {len(result.missing):,} phrases are missing,"
        f" {used:,} of {result.concepts:,} concepts are used"
    )
    if result.restricted:
        report.note("nearly all keyphrases are concepts: results without --vocabulary show what is missing")
    if result.failures:
        report.note(f"{result.failures:,} documents failed, and are not counted")


def _format_gap_rows(result: "api.VocabularyGaps") -> str:
    missing = (
        (
            *("missing", gap.phrase, gap.documents),
            "" if gap.probability is None else round(gap.probability, 4),
            " | ".join(gap.examples),
            *("", *((gap.near.label, gap.near.uri) if gap.near else ("", ""))),
        )
        for gap in result.missing
    )
    unused = (("unused", concept.label, 0, "", "", concept.uri, "", "") for concept in result.unused)
    return format_rows(_GAP_COLUMNS, [*missing, *unused])


def _make_gap_tables(result: "api.VocabularyGaps", min_documents: int, most: int) -> "list[api.Table]":
    documents = f"{result.documents:,} documents"
    missing = [
        (
            *(gap.phrase, f"{gap.documents:,}", "" if gap.probability is None else f"{gap.probability:.2f}"),
            *(gap.near.label if gap.near else "", ", ".join(gap.examples)),
        )
        for gap in result.missing[:most]
    ]
    unused = [(concept.label, concept.notation, concept.uri) for concept in result.unused[:most]]
    return [
        api.Table(
            f"Keyphrases of {min_documents:,} documents or more, of {documents}, that the vocabulary lacks.",
            ("phrase", "documents", "probability", "nearest concept", "examples"),
            tuple(tuple(map(api.Cell, row)) for row in missing),
            frozenset({1, 2}),
            _note_cut(len(result.missing), most),
        ),
        api.Table.make(
            f"Concepts of the vocabulary, which has {result.concepts:,}, that are keyphrases of no document.",
            ("concept", "notation", "URI"),
            unused,
            words=3,
            notes=_note_cut(len(result.unused), most),
        ),
    ]


def _note_cut(number: int, most: int) -> tuple[str, ...]:
    return (f"The first {most:,} of {number:,}; CSV and JSON have all.",) if number > most else ()


@declare(
    "keywright vocabulary build subjects.csv --label-column subject -o subjects",
    file="FILE | Thesaurus in SKOS (Turtle, RDF/XML, N-Triples, JSON-LD), table (CSV, XLSX, ...), or text file with "
    "one label per line.",
    label_column="NAME | Column of the labels in a table (default: one with a usual name).",
    language="CODE | Language of the documents, whose stemmer makes the keys; can be repeated (default: those of the "
    "labels of a thesaurus, else en).",
    label_language="CODE | Language whose labels of a thesaurus are kept; can be repeated (default: all).",
    encoder="minilm|FOLDER|URL | Also store embeddings of the labels, for `extract --match meaning`: by the shipped"
    " encoder of English, a folder of sentence-transformers, ONNX or model2vec, or an address.",
)
def build(  # noqa: PLR0913 - one argument for each option
    file: Path,
    *,
    output: Annotated[Path, "-o DIR | Folder to write the index to."],
    label_column: str | None = None,
    language: list[str] | None = None,
    label_language: list[str] | None = None,
    encoder: str | None = None,
    force: Annotated[bool, "Replace an index in the folder."] = False,
    console: Console,
) -> None:
    """Write an index of the labels in a file, which loads at once and looks up a document's phrases together.

    A table with a column uri is a thesaurus: with label, language and kind (preferred, alternative, hidden) in a row
    for each label, or label_en, label_fi in a row for each concept; and with notation, broader, scheme, deprecated.

    Empty lines and labels that were there before are left out, and deprecated concepts. Labels without letter or digit,
    of more than 200 characters or with damaged characters, concepts without labels and broken statements are left out,
    counted and named, with exit status 1.
    """
    reads: list[Any] = []
    how: dict[str, Any] = {"column": label_column, "encoder": encoder, "force": force, "tell": reads.append}
    labels = tuple(label_language or ())
    index = api.build_vocabulary(file, output, languages=language or None, label_languages=labels, **how)
    (read,), card = reads, index.card
    if console.json:
        print_json({"index": str(output), **card, "first_left_out": read.first})
    console.note(*read.notes)
    at = "" if "concepts" in card else "at "
    for reason, number in read.left_out.items():
        console.say(f"left out: {number:,} {reason}, first {at}{read.first[reason]}")
    for code, number in card.get("ambiguous", {}).items():
        if number:
            console.note(f"{number:,} phrases in {code!r} are labels of several concepts")
    concepts = f"{card['concepts']:,} concepts, " if "concepts" in card else ""
    console.say(f"{concepts}{len(index):,} labels, keys for {list_names(card['languages'])}: {output}")
    if read.refused:
        raise typer.Exit(PARTLY)
