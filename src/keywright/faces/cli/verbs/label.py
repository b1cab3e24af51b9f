"""keywright label: labelled data, or records for a catalogue, from documents and reviewed keyphrases."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from keywright.faces.cli.options import IdColumn, Json, Quiet, TextColumn, TitleColumn, name_tables
from keywright.faces.cli.output_options import Force, ReviewedFormat, choose_format
from keywright.faces.cli.printing import open_output, print_json, say, tell_error, write_pieces
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import REVIEWED
from keywright.faces.outputs.screen import find_screen

_SHOWN: Final = 5
"""Ids that a message names; arbitrary."""


def label(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, as `keywright extract` had them.")],
    *,
    keyphrases: Annotated[
        Path,
        typer.Option(
            "--keyphrases",
            "-k",
            metavar="TABLE",
            help="Reviewed table: columns id and keyphrase (or keyphrases), and perhaps accepted with yes and no.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")],
    form: ReviewedFormat = None,
    by: Annotated[str, typer.Option("--by", metavar="KIND", help="Who chose: author, reader or indexer.")] = "indexer",
    text_column: TextColumn = None,
    title_column: TitleColumn = None,
    id_column: IdColumn = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write documents with reviewed keyphrases: as labelled data for train, calibrate and score, or for a catalogue."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.faces.outputs.results import Writer  # noqa: PLC0415 - help does without

    output_format = choose_format(REVIEWED, form, output, [*files, keyphrases], json=False, force=force)
    tables = name_tables(text_column, title_column, id_column, (), quiet=quiet)
    results = api.ReviewedResults(files, keyphrases, tables)
    with open_output(output, [*files, keyphrases]) as file:
        writer = Writer("", screen=find_screen(file), reviewed=by)
        write_pieces(file, writer.write(results, output_format))
    for failure in writer.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    _tell_unknown(results.unknown, keyphrases)
    if json:
        counts = {name: getattr(results, name) for name in ("documents", "keyphrases", "rejected", "unreviewed")}
        print_json({"output": str(output), **counts, "unknown": list(results.unknown), "failed": len(writer.failures)})
    rejected = f", {results.rejected:,} rejected" if results.rejected else ""
    unreviewed = f"; {results.unreviewed:,} documents without a row left out" if results.unreviewed else ""
    counted = f"{results.documents:,} documents with {results.keyphrases:,} keyphrases{rejected}{unreviewed}"
    say(f"{counted}: {output}", quiet=quiet)
    if writer.failures or results.unknown:
        raise typer.Exit(PARTLY)


def _tell_unknown(names: Sequence[str], table: Path) -> None:
    """Print ids of the table for which there is no document."""
    if names:
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        shown = ", ".join(map(repr, names[:_SHOWN]))
        tell_error(f"no document for {len(names):,} ids of {table}: {shown}{more}", "")
