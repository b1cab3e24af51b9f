"""keywright label: labelled data from documents and reviewed keyphrases."""

from pathlib import Path
from typing import Annotated, Final

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.output_formats import Force, check_new
from keywright.faces.cli.printing import print_json, say, tell_error
from keywright.faces.cli.table_options import IdColumn, TextColumn, TitleColumn, tables_named
from keywright.faces.exit_codes import PARTLY

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
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="JSON Lines file to write.")],
    by: Annotated[str, typer.Option("--by", metavar="KIND", help="Who chose: author, reader or indexer.")] = "indexer",
    text_column: TextColumn = None,
    title_column: TitleColumn = None,
    id_column: IdColumn = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write documents with reviewed keyphrases as labelled data, for train, adapt, calibrate and score."""
    from keywright import api  # noqa: PLC0415 - help does without

    check_new(output, [*files, keyphrases], force=force)
    tables = tables_named(text_column, title_column, id_column, (), quiet=quiet)
    done = api.label(files, keyphrases, output, by, tables)
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if done.unknown:
        names = ", ".join(map(repr, done.unknown[:_SHOWN]))
        more = f" and {len(done.unknown) - _SHOWN:,} more" if len(done.unknown) > _SHOWN else ""
        tell_error(f"no document for {len(done.unknown):,} ids of {keyphrases}: {names}{more}", "")
    if json:
        counts = {name: getattr(done, name) for name in ("documents", "keyphrases", "rejected", "unreviewed")}
        print_json({"output": str(output), **counts, "unknown": list(done.unknown), "failed": len(done.failures)})
    rejected = f", {done.rejected:,} rejected" if done.rejected else ""
    unreviewed = f"; {done.unreviewed:,} documents without a row left out" if done.unreviewed else ""
    counted = f"{done.documents:,} documents with {done.keyphrases:,} keyphrases{rejected}{unreviewed}"
    say(f"{counted}: {output}", quiet=quiet)
    if done.failures or done.unknown:
        raise typer.Exit(PARTLY)
