"""keywright run: predictions of a system over a data set."""

from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.core.list_options import GuaranteeOptions
from keywright.faces.cli.options import (
    CalibratorFile,
    DataName,
    Engine,
    Jobs,
    Json,
    Language,
    Parameters,
    Quiet,
    SystemName,
    pairs,
    with_options,
)
from keywright.faces.cli.printing import print_json, progress, say, tell_error
from keywright.faces.exit_codes import exit_code


@with_options(GuaranteeOptions)
def run(  # noqa: PLR0913 - one argument for each option
    system: SystemName,
    dataset: DataName,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="File to write the run to.")],
    top: Annotated[int, typer.Option("--top", "-n", metavar="N", help="Number of keyphrases per document.")] = 50,
    language: Language = None,
    param: Parameters = None,
    calibrator: CalibratorFile = None,
    jobs: Jobs = None,
    engine: Engine = None,
    json: Json = False,
    quiet: Quiet = False,
    **shown: Any,
) -> None:
    """Write a system's predictions for a data set into one file.

    If the command is interrupted, the same command continues where it stopped.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    chosen = api.parametrised(system, pairs(param))
    if calibrator:
        chosen = api.calibrated(chosen, calibrator)
    limited = api.limited(chosen, top, shown)  # type: ignore[arg-type]  # the names of GuaranteeOptions
    guarantee = api.guarantee_of(limited)
    if guarantee:
        say(f"note: {guarantee.summary}", quiet=quiet)
    with progress("documents", quiet=quiet) as tell:
        done = api.run(limited, dataset, top, output, language=language, engine=engine, jobs=jobs, progress=tell)
    for failure in done.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    stability, warnings = api.drift(chosen, done)
    count, seconds = len(done.predictions), done.seconds or 0.0
    if json:
        record: dict[str, Any] = {
            "run": str(output),
            "system": done.system,
            "data": done.data,
            "analyser": done.analyser,
        }
        record |= {"done": count, "failed": len(done.failures), "seconds": seconds, "warnings": list(warnings)}
        record |= {"stability": stability} if calibrator else {}
        print_json(record | ({"promise": guarantee.as_json()} if guarantee else {}))
    for warning in warnings:
        say(f"note: {warning}", quiet=quiet)
    rate = f", {count / seconds:.1f} per second" if seconds else ""
    say(f"{count} documents in {seconds:.1f} s{rate}: {output}", quiet=quiet)
    raise typer.Exit(exit_code(done.failures, count))
