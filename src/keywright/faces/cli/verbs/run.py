"""keywright run: predictions of a system over a data set."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import (
    AbstainBelow,
    BestF1,
    CalibratorFile,
    Confident,
    Engine,
    Jobs,
    Json,
    Language,
    MinPrecision,
    MinRecall,
    Parameters,
    Quiet,
    pairs,
)
from keywright.faces.cli.printing import print_json, say, tell_error
from keywright.faces.cli.progress import progress
from keywright.faces.errors import exit_code


def run(  # noqa: PLR0913 - one argument for each option
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A name, or the folder of a trained one.")],
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Such as semeval2010/test, or a JSON Lines file.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File for the predictions.")],
    top: Annotated[int, typer.Option("--top", "-n", metavar="N", help="Keyphrases a document.")] = 50,
    language: Language = None,
    param: Parameters = None,
    calibrator: CalibratorFile = None,
    min_precision: MinPrecision = None,
    guarantee: Confident = None,
    min_recall: MinRecall = None,
    abstain_below: AbstainBelow = 0.0,
    best_f1: BestF1 = False,
    jobs: Jobs = None,
    engine: Engine = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Predictions of a system over a data set, into one file.

    A run that was cut off goes on where it stopped when the same command is given again.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    chosen = api.parametrised(system, pairs(param))
    if calibrator:
        chosen = api.calibrated(chosen, calibrator)
    limited = api.limited(
        chosen,
        top,
        {
            "min_precision": min_precision,
            "guarantee": guarantee,
            "min_recall": min_recall,
            "abstain_below": abstain_below,
            "best_f1": best_f1,
        },
    )
    if promise := api.promise_of(limited):
        say(f"note: {promise.told}", quiet=quiet)
    with progress("documents", quiet=quiet) as tell:
        done = api.run(limited, dataset, top, output, language=language, engine=engine, jobs=jobs, progress=tell)
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    stability, warnings = api.drift(chosen, done)
    count, seconds = len(done.predictions), done.seconds or 0.0
    summary = {"run": str(output), "system": done.system, "data": done.data, "analyser": done.analyser}
    if json:
        told = {"warnings": list(warnings), **({"stability": stability} if calibrator else {})}
        told |= {"promise": promise.record()} if promise else {}
        print_json({**summary, "done": count, "failed": len(done.failures), "seconds": seconds, **told})
    for warning in warnings:
        say(f"note: {warning}", quiet=quiet)
    rate = f", {count / seconds:.1f} a second" if seconds else ""
    say(f"{count} documents in {seconds:.1f} s{rate}: {output}", quiet=quiet)
    raise typer.Exit(exit_code(done.failures, count))
