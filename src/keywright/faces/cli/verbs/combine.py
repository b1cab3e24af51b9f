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
    META_RANKER = "meta-ranker"


def combine(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Runs, or files or folders of other tools.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File for the combined run.")],
    method: Annotated[
        MethodName,
        typer.Option("--method", "-m", help="How many runs hold a phrase, where, how probable, or learned from gold."),
    ] = MethodName.VOTES,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="DATASET", help="Labelled documents, for meta-ranker and probabilities."),
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option("--texts", metavar="DATASET", help="Tells present phrases from absent ones; else runs do."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="MODEL", help="File for the meta-ranker that learned from it all.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="Learn nothing: rank with this meta-ranker.")
    ] = None,
    run_format: RunFormat = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """One run from several over the same documents; phrases meet by their stems.

    With --method meta-ranker, each labelled document is ranked by trees that learned from other ones; --save keeps
    what was learned from all of them, and --model ranks runs of the same systems over other documents with it.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    made = api.combine_and_tell(
        runs, method.value, output, gold=gold, texts=texts, save=save, model=model, form=run_format
    )
    done = made.run
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    count = len(done.predictions)
    if json:
        summary = {"run": str(output), "system": done.system, "data": done.data, "analyser": done.analyser}
        print_json({**summary, "done": count, "failed": len(done.failures), "notes": list(made.notes)})
    for note in made.notes:
        say(f"note: {note}", quiet=quiet)
    say(f"{count} documents of {len(runs)} runs: {output}", quiet=quiet)
    raise typer.Exit(exit_code(done.failures, count))
