"""keywright calibrate: probabilities for the phrases of any system."""

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.options import Json, Quiet, RunFormat
from keywright.faces.cli.printing import opened, print_json, printable, rendered, say, table

if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrating import Calibration

FOLDS: Final = 5


class Method(enum.StrEnum):
    """How scores become probabilities."""

    BETA = "beta"
    PLATT = "platt"
    ISOTONIC = "isotonic"
    HISTOGRAM = "histogram"
    LOGISTIC = "logistic"
    TEMPERATURE = "temperature"


class Given(enum.StrEnum):
    """What is calibrated."""

    PROBABILITY = "probability"
    KPP_S = "kpp-s"
    KPP = "kpp"
    PRODUCT = "product"
    MINIMUM = "minimum"
    FIRST = "first"
    MEAN = "mean"
    SCORE = "score"


def calibrate(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a generator's file with probabilities.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="File for the calibrator, or the run.")
    ],
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="DATASET", help="Labelled documents; needed where the run names none."),
    ] = None,
    method: Annotated[Method, typer.Option("--method", "-m", help="How scores become probabilities.")] = Method.BETA,
    folds: Annotated[
        int, typer.Option("--folds", metavar="N", help="Into which documents are divided to measure on unseen ones.")
    ] = FOLDS,
    confidence: Annotated[
        Given | None, typer.Option("--confidence", help="What is calibrated, where not the best that there is.")
    ] = None,
    apply: Annotated[
        Path | None,
        typer.Option("--apply", metavar="FILE", help="Fit nothing: write RUN with this calibrator's probabilities."),
    ] = None,
    run_format: RunFormat = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit probabilities of a system's phrases on labelled documents: 50 to 100 suffice.

    The table tells how right they are on documents that were left out of the fit, beside what chance does. With
    --apply, a run of the same system is written with probabilities: for files of generators, since `extract` and `run`
    take calibrators themselves.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    if apply:
        if (method, folds, confidence) != (Method.BETA, FOLDS, None):
            raise BadParameter("--apply with options of a fit", "it takes a calibrator as it was fitted")
        applied = api.apply_calibrator(run, apply, output, texts=gold, form=run_format)
        if json:
            summary = {"run": str(output), "system": applied.run.system, "done": len(applied.run.predictions)}
            print_json({**summary, "stability": applied.stability, "warnings": list(applied.warnings)})
        for warning in applied.warnings:
            say(f"note: {warning}", quiet=quiet)
        say(f"{len(applied.run.predictions)} documents with probabilities: {output}", quiet=quiet)
        return
    found = api.calibrate(
        run,
        gold,
        output,
        method=method.value,
        folds=folds,
        confidence=confidence and confidence.value,
        form=run_format,
    )
    if json:
        print_json(found.as_json())
    else:
        _print(found, folds)
    for note in dict.fromkeys((*found.notes, *found.after.notes)):
        say(f"note: {note}", quiet=quiet)
    say(f"use it with --calibrator {output}", quiet=quiet)


def _print(found: "Calibration", folds: int) -> None:
    """Before and after, with interval and noise floor."""
    card = found.calibrator.card
    numbers = ("before", "after", "95 % interval", "noise floor")
    made = table("measure", *numbers, numbers=numbers)
    for row in found.rows():
        made.add_row(*row)
    with opened(None) as file:
        file.write(f"fitted    {card.method} on {card.confidence}: {printable(card.system)}\n")
        file.write(f"phrases   {card.phrases:,} of {card.documents:,} documents, {card.correct:,} right\n")
        file.write(f"after     on {folds} folds of documents, each by a fit on the others\n")
        file.write(rendered(made, terminal=file.isatty()))
        file.write(_promises(found, terminal=file.isatty()))


def _promises(found: "Calibration", *, terminal: bool) -> str:
    """What could be promised of what is shown, and what that costs."""
    guarantees = found.guarantees
    if not guarantees:
        return "no precision of what is shown can be promised; more documents may help\n"
    numbers = ("--min-precision", "phrases from", "phrases a document", "documents without", "precision of all")
    made = table(*numbers, numbers=numbers)
    for one in guarantees:
        pooled = "" if one.pooled is None else f"{one.pooled:.2f}"
        made.add_row(
            f"{one.target:g}", f"{one.threshold:.2f}", f"{one.phrases:.1f}", f"{100 * one.empties:.0f} %", pooled
        )
    return f"what can be promised with confidence {guarantees[0].confidence:g}\n{rendered(made, terminal=terminal)}"
