"""keywright adapt: acquaint the default extractor with one's own unlabelled documents."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Language, Quiet
from keywright.faces.cli.printing import print_json, say, tell_error
from keywright.faces.cli.progress import progress
from keywright.faces.errors import exit_code


def adapt(  # noqa: PLR0913 - one argument for each option
    paths: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders and files of documents.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the adapted system.")],
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="NAME", help="default, or the folder of an adapted one.")
    ] = "default",
    force: Annotated[bool, typer.Option("--force", help="Replace the trained system that is in the folder.")] = False,
    language: Language = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count how rare phrases are in unlabelled documents, and add that to what `default` knows.

    Trees and probabilities stay as they are. The folder then stands wherever a system's name can.
    """
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    with progress("documents", quiet=quiet) as tell:
        found = api.adapt(paths, output, system, language, force=force, progress=lambda done, _total: tell(done, None))
    for failure in found.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if json:
        print_json({**read_card(output), "repeats": found.repeats, "failed": len(found.failures)})
    after, before = found.phrases
    say(
        f"documents      {found.documents} counted ({found.system.language}), {len(found.failures)} failed", quiet=quiet
    )
    if found.left_out:
        others = ", ".join(f"{other} {count}" for other, count in found.left_out.items())
        say(f"left out       {found.left_out.total()} in other languages: {others}", quiet=quiet)
    if found.repeats:
        say(f"repeats        {found.repeats} with the text of another were not counted again", quiet=quiet)
    say(f"phrases        {after:,} with a known frequency, {before:,} before", quiet=quiet)
    say("probabilities  not recalibrated: those of the trees as they were trained", quiet=quiet)
    if found.note:
        say(f"note: {found.note}", quiet=quiet)
    say(f"use it with --system {output}", quiet=quiet)
    raise typer.Exit(exit_code(found.failures, found.documents))
