"""keywright calibrate: probabilities for the phrases of any system."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from keywright.core.choices import CalibrationMethod, Confidence
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import Gold, Json, Quiet, RunFormat
from keywright.faces.cli.output_options import Force, check_new
from keywright.faces.cli.printing import open_output, print_json, say
from keywright.faces.cli.reports import format_labelled
from keywright.faces.outputs.screen import Screen, find_screen, make_table, render_table

if TYPE_CHECKING:
    from keywright.api import Calibration

FOLDS: Final = 5
"""Folds of cross-validation, as in ``calibration.calibrators.cross_fitting``."""


def calibrate(  # noqa: PLR0913 - one argument for each option
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run, or a file of a generator with token probabilities.")
    ],
    *,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="File to write the calibrator to; with --apply, the run."),
    ],
    gold: Gold = None,
    method: Annotated[
        CalibrationMethod | None,
        typer.Option("--method", "-m", help="Calibration method (default: by number of documents)."),
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", metavar="N", help="Number of cross-validation folds that measure the calibrator.")
    ] = FOLDS,
    score_field: Annotated[
        Confidence | None, typer.Option("--score-field", help="Score field to calibrate (default: the best available).")
    ] = None,
    apply: Annotated[
        Path | None,
        typer.Option("--apply", metavar="FILE", help="Write RUN with probabilities of this calibrator; fit nothing."),
    ] = None,
    run_format: RunFormat = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a calibrator for a system's phrases on labelled documents: 10 for probabilities, 50 to 100 for scores.

    The table shows calibration before and after, on documents that were left out of the fit, beside the noise floor.
    --apply writes a run of the same system with probabilities. It is for files of generators: `extract` and `run`
    accept calibrators themselves.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    check_new(output, [run, gold, apply], force=force)
    if apply:
        if (method, folds, score_field) != (None, FOLDS, None):
            raise BadParameter("--apply together with options for fitting", "a calibrator is applied as it was fitted")
        applied = api.apply_calibrator(run, apply, output, texts=gold, form=run_format)
        if json:
            summary = {"run": str(output), "system": applied.run.system, "done": len(applied.run.predictions)}
            print_json({**summary, "stability": applied.stability, "warnings": list(applied.warnings)})
        for warning in applied.warnings:
            say(f"note: {warning}", quiet=quiet)
        say(f"{len(applied.run.predictions)} documents with probabilities: {output}", quiet=quiet)
        return
    calibration = api.calibrate(
        run,
        gold,
        output,
        method=method and method.value,
        folds=folds,
        score_field=score_field and score_field.value,
        form=run_format,
    )
    if json:
        print_json(calibration.as_json())
    else:
        _print_calibration(calibration, folds)
    for note in dict.fromkeys((*calibration.notes, *calibration.after.notes)):
        say(f"note: {note}", quiet=quiet)
    say(f"use it with --calibrator {output}", quiet=quiet)


def _print_calibration(calibration: "Calibration", folds: int) -> None:
    """Print measures before and after, with interval and noise floor, and the guarantees."""
    card = calibration.calibrator.card
    numbers = ("before", "after", "95 % interval", "noise floor")
    measures = make_table("measure", *numbers, numbers=numbers)
    for row in calibration.rows():
        measures.add_row(*row)
    with open_output(None) as file:
        screen = find_screen(file)
        lines = {
            "fitted": f"{card.method} on {card.confidence}: {short_signature(card.system)}",
            "phrases": f"{card.phrases:,} of {card.documents:,} documents, {card.correct:,} correct",
            "after": f"on {min(folds, card.documents)} folds of documents, each by a fit on the others",
        }
        file.writelines(format_labelled(screen, name, text) for name, text in lines.items())
        file.write(render_table(measures, screen))
        file.write(_draw_guarantees(calibration, screen))


def _draw_guarantees(calibration: "Calibration", screen: Screen) -> str:
    """Return the table of the guarantees that are possible, and their price."""
    guarantees = calibration.guarantees
    if not guarantees:
        return "no precision can be guaranteed; more documents may help\n"
    numbers = ("--min-precision", "phrases from", "phrases per document", "empty lists", "precision of all")
    rows = make_table(*numbers, numbers=numbers)
    for each in guarantees:
        pooled = "" if each.pooled is None else f"{each.pooled:.2f}"
        rows.add_row(
            f"{each.target:g}", f"{each.threshold:.2f}", f"{each.phrases:.1f}", f"{100 * each.empties:.0f} %", pooled
        )
    return f"guarantees possible at confidence level {guarantees[0].confidence:g}\n{render_table(rows, screen)}"
