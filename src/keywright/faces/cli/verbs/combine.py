"""keywright combine: several runs into one."""

import enum
from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Quiet, RunFormat
from keywright.faces.cli.printing import print_json, say, tell_error
from keywright.faces.errors import exit_code


class MethodName(enum.StrEnum):
    """What decides."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"


def combine(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Runs, or files or folders of other tools.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File for the combined run.")],
    method: Annotated[
        MethodName,
        typer.Option("--method", help="How many runs hold a phrase, where they hold it, or how probable they make it."),
    ] = MethodName.VOTES,
    texts: Annotated[
        str | None,
        typer.Option("--texts", metavar="DATASET", help="Tells present phrases from absent ones; else runs do."),
    ] = None,
    labelled: Annotated[
        str | None,
        typer.Option("--labelled", metavar="DATASET", help="For probabilities: what phrases are worth left out."),
    ] = None,
    run_format: RunFormat = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """One run from several over the same documents; phrases meet by their stems."""
    from keywright import api  # noqa: PLC0415 - help does without

    done = api.combine(runs, method.value, output, texts=texts, labelled=labelled, form=run_format)
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    count = len(done.predictions)
    if json:
        summary = {"run": str(output), "system": done.system, "data": done.data, "analyser": done.analyser}
        print_json({**summary, "done": count, "failed": len(done.failures)})
    say(f"{count} documents of {len(runs)} runs: {output}", quiet=quiet)
    raise typer.Exit(exit_code(done.failures, count))
