"""keywright adapt: add document frequencies of unlabelled documents to the default extractor."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Language, Quiet
from keywright.faces.cli.printing import print_json, progress, say, tell_error
from keywright.faces.exit_codes import exit_code


def adapt(  # noqa: PLR0913 - one argument for each option
    paths: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders and files of documents.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the adapted system to.")
    ],
    system: Annotated[
        str,
        typer.Option(
            "--system", "-s", metavar="NAME", help="System to adapt: default, or folder of an adapted system."
        ),
    ] = "default",
    force: Annotated[bool, typer.Option("--force", help="Replace a trained system in the folder.")] = False,
    language: Language = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count how rare phrases are in unlabelled documents, and add the counts to those of `default`.

    Trees and probabilities stay the same. The folder is then accepted anywhere a system name is.
    """
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    with progress("documents", quiet=quiet) as tell:
        adapted = api.adapt(
            paths, output, system, language, force=force, progress=lambda done, _total: tell(done, None)
        )
    for failure in adapted.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if json:
        print_json({**read_card(output), "repeats": adapted.repeats, "failed": len(adapted.failures)})
    after, before = adapted.phrases
    counted = f"{adapted.documents} counted ({adapted.system.language}), {len(adapted.failures)} failed"
    say(f"documents      {counted}", quiet=quiet)
    if adapted.left_out:
        others = ", ".join(f"{other} {count}" for other, count in adapted.left_out.items())
        say(f"left out       {adapted.left_out.total()} in other languages: {others}", quiet=quiet)
    if adapted.repeats:
        say(f"repeats        {adapted.repeats} with the text of another were not counted again", quiet=quiet)
    say(f"phrases        {after:,} with a known frequency, {before:,} before", quiet=quiet)
    say("probabilities  not recalibrated: those of the trees as they were trained", quiet=quiet)
    if adapted.note:
        say(f"note: {adapted.note}", quiet=quiet)
    say(f"use it with --system {output}", quiet=quiet)
    raise typer.Exit(exit_code(adapted.failures, adapted.documents))
