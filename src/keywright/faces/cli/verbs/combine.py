"""keywright combine: several runs combined into one."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.core.choices import CombineMethod
from keywright.faces.cli.options import Json, Quiet, RunFormat
from keywright.faces.cli.output_options import Force, check_new
from keywright.faces.cli.printing import print_json, say, tell_error
from keywright.faces.exit_codes import choose_exit_code


def combine(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Runs, or files or folders of other tools.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File to write the combined run to.")],
    method: Annotated[
        CombineMethod,
        typer.Option(
            "--method",
            "-m",
            help="Rank phrases by number of runs, by ranks, by mean probability, or by a model trained on gold.",
        ),
    ] = CombineMethod.VOTES,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="DATASET", help="Labelled documents, for meta-ranker and probabilities."),
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option(
            "--texts",
            metavar="DATASET",
            help="Documents whose texts decide which phrases are present (default: as the runs say).",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="MODEL", help="File to write the meta-ranker to, trained on all of the gold."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="Rank with this meta-ranker, without training.")
    ] = None,
    run_format: RunFormat = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Combine runs over the same documents into one; phrases are matched by stem.

    With --method meta-ranker, each labelled document is ranked by trees trained on other documents; --save writes the
    model trained on all of them, and --model ranks runs of the same systems over other documents with it.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    for written in (output, save):
        check_new(written, [*runs, gold, texts, model], force=force)
    combination = api.combine_with_notes(
        runs, method.value, output, gold=gold, texts=texts, save=save, model=model, form=run_format
    )
    run = combination.run
    for failure in run.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    count = len(run.predictions)
    if json:
        record = {"run": str(output), "system": run.system, "data": run.data, "analyser": run.analyser}
        print_json({**record, "done": count, "failed": len(run.failures), "notes": list(combination.notes)})
    for note in combination.notes:
        say(f"note: {note}", quiet=quiet)
    say(f"{count} documents of {len(runs)} runs: {output}", quiet=quiet)
    raise typer.Exit(choose_exit_code(run.failures, count))
