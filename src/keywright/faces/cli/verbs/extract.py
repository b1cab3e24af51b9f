"""keywright extract: keyphrases of documents."""

import sys
from typing import Annotated

import typer

from keywright.faces.cli.options import (
    Engine,
    Format,
    InputFormat,
    Jobs,
    Json,
    Language,
    Output,
    Parameters,
    Quiet,
    pairs,
)
from keywright.faces.cli.printing import opened, say, tell_error
from keywright.faces.cli.progress import counted, progress
from keywright.faces.errors import exit_code


def extract(  # noqa: PLR0913 - one argument for each option
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Documents, folders of them, or - for stdin.")],
    *,
    system: Annotated[
        str, typer.Option("--system", "-s", help="A name of `keywright systems`, or the folder of a trained one.")
    ] = "default",
    top: Annotated[
        int | None, typer.Option("--top", "-n", metavar="N", help="How many keyphrases; 10 unless given.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write them.")] = Format.TABLE,
    output: Output = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show where phrases stand and why they rank.")] = False,
    include_text: Annotated[bool, typer.Option("--include-text", help="Put each document's text into JSON.")] = False,
    language: Language = None,
    input_format: Annotated[
        InputFormat, typer.Option("--input-format", help="What the files hold, where content and name do not tell.")
    ] = InputFormat.AUTO,
    param: Parameters = None,
    jobs: Jobs = None,
    engine: Engine = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Keyphrases of documents: text, Markdown, HTML, PDF, JATS, TEI, DOCX, JSON Lines, folders of these."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.faces.cli.results import Writer  # noqa: PLC0415 - help does without

    extraction = api.prepare(api.parametrised(system, pairs(param)), top, language, explain=explain)
    kind = None if input_format is InputFormat.AUTO else input_format.value
    wanted = Format.JSON if json else form
    keep = include_text or wanted is Format.TABLE
    found = api.extract_files(extraction, files, kind, engine=engine, jobs=jobs, keep=keep)
    watched = output is None and sys.stdout.isatty()  # results themselves show how far it is, and a bar would mix in
    with progress("documents", quiet=quiet or watched) as tell, opened(output) as file:
        writer = Writer(extraction.signature, include_text, explain, file.isatty())
        for piece in writer.written(counted(found, tell), wanted):
            file.write(piece)
            file.flush()
    for warning in writer.warnings:
        say(f"note: {warning}", quiet=quiet)
    for failure in writer.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if writer.failures and writer.done:
        say(f"{writer.done} documents done, {len(writer.failures)} not", quiet=quiet)
    raise typer.Exit(exit_code(writer.failures, writer.done))
