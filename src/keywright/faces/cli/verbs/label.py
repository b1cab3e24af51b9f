"""keywright label: labelled data, or records for a catalogue, from documents and reviewed keyphrases."""

from pathlib import Path
from typing import Final

import typer

from keywright import api
from keywright.faces.cli.options import declare, declare_format, name_tables
from keywright.faces.cli.output_options import choose_format
from keywright.faces.cli.printing import Console, open_output, print_json, tell_error, tell_failures, write_pieces
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.output_formats import REVIEWED
from keywright.faces.outputs.screen import find_screen

_SHOWN: Final = 5
"""Ids that a message names; arbitrary."""


@declare(
    "keywright label papers/ --keyphrases reviewed.csv -o labelled.jsonl",
    files="FILE... | Documents, as `keywright extract` had them.",
    keyphrases="-k TABLE | Reviewed table: columns id and keyphrase (or keyphrases), and perhaps accepted with yes and "
    "no.",
    output="-o FILE | File to write.",
    form=declare_format(REVIEWED),
    by="KIND | Who chose: author, reader or indexer.",
)
def label(  # noqa: PLR0913 - one argument for each option
    files: list[str],
    *,
    keyphrases: Path,
    output: Path,
    form: str | None = None,
    by: str = "indexer",
    text_column: str | None = None,
    title_column: str | None = None,
    id_column: str | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Write documents with reviewed keyphrases: as labelled data for train, calibrate and score, or for a catalogue."""
    from keywright.faces.outputs.results import Writer  # noqa: PLC0415 - help does without

    output_format = choose_format(REVIEWED, form, output, [*files, keyphrases], json=False, force=force)
    tables = name_tables(text_column, title_column, id_column, (), console)
    results = api.ReviewedResults(files, keyphrases, tables)
    with open_output(output, [*files, keyphrases]) as file:
        writer = Writer("", screen=find_screen(file), reviewed=by)
        write_pieces(file, writer.write(results, output_format))
    tell_failures(writer.failures)
    unknown = results.unknown
    if unknown:
        more = f" and {len(unknown) - _SHOWN:,} more" if len(unknown) > _SHOWN else ""
        shown = ", ".join(map(repr, unknown[:_SHOWN]))
        tell_error(f"no document for {len(unknown):,} ids of {keyphrases}: {shown}{more}")
    if console.json:
        counts = {name: getattr(results, name) for name in ("documents", "keyphrases", "rejected", "unreviewed")}
        print_json({"output": str(output), **counts, "unknown": list(unknown), "failed": len(writer.failures)})
    rejected = f", {results.rejected:,} rejected" if results.rejected else ""
    unreviewed = f"; {results.unreviewed:,} documents without a row left out" if results.unreviewed else ""
    counted = f"{results.documents:,} documents with {results.keyphrases:,} keyphrases{rejected}{unreviewed}"
    console.say(f"{counted}: {output}")
    if writer.failures or unknown:
        raise typer.Exit(PARTLY)
