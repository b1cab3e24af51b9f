"""keywright calibrate: probabilities for the phrases of any system."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from keywright.core.choices import CalibrationMethod, Confidence
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import check_new, draw_labelled
from keywright.faces.cli.printing import Console, open_output, print_json
from keywright.faces.outputs.screen import Screen, draw_rows, find_screen

if TYPE_CHECKING:
    from keywright.api import Calibration

FOLDS: Final = 5
"""Folds of cross-validation, as in ``calibration.calibrators.cross_fitting``."""


@declare(
    "keywright calibrate run.jsonl --gold papers.jsonl -o calibrator.json",
    run="RUN | A run, or a file of a generator with token probabilities.",
    output="-o FILE | File to write the calibrator to; with --apply, the run.",
    method="-m | Calibration method (default: by number of documents).",
    folds="N | Number of cross-validation folds that measure the calibrator.",
    score_field="Score field to calibrate (default: the best available).",
    apply="FILE | Write RUN with probabilities of this calibrator; fit nothing.",
)
def calibrate(  # noqa: PLR0913 - one argument for each option
    run: Path,
    *,
    output: Path,
    gold: str | None = None,
    method: CalibrationMethod | None = None,
    folds: int = FOLDS,
    score_field: Confidence | None = None,
    apply: Path | None = None,
    run_format: str | None = None,
    force: bool = False,
    console: Console,
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
        if console.json:
            summary = {"run": str(output), "system": applied.run.system, "done": len(applied.run.predictions)}
            print_json({**summary, "stability": applied.stability, "warnings": list(applied.warnings)})
        console.note(*applied.warnings)
        console.say(f"{len(applied.run.predictions)} documents with probabilities: {output}")
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
    if console.json:
        print_json(calibration.as_json())
    else:
        _print_calibration(calibration, folds)
    console.note(*dict.fromkeys((*calibration.notes, *calibration.after.notes)))
    console.say(f"use it with --calibrator {output}")


def _print_calibration(calibration: "Calibration", folds: int) -> None:
    """Print measures before and after, with interval and noise floor, and the guarantees."""
    card = calibration.calibrator.card
    numbers = ("before", "after", "95 % interval", "noise floor")
    with open_output(None) as file:
        screen = find_screen(file)
        lines = {
            "fitted": f"{card.method} on {card.confidence}: {short_signature(card.system)}",
            "phrases": f"{card.phrases:,} of {card.documents:,} documents, {card.correct:,} correct",
            "after": f"on {min(folds, card.documents)} folds of documents, each by a fit on the others",
        }
        file.writelines(draw_labelled(screen, name, text) for name, text in lines.items())
        file.write(draw_rows(screen, ("measure", *numbers), calibration.rows(), numbers))
        file.write(_draw_guarantees(calibration, screen))


def _draw_guarantees(calibration: "Calibration", screen: Screen) -> str:
    """Return the table of the guarantees that are possible, and their price."""
    guarantees = calibration.guarantees
    if not guarantees:
        return "no precision can be guaranteed; more documents may help\n"
    head = ("--min-precision", "phrases from", "phrases per document", "empty lists", "precision of all")
    rows = (
        (
            *(f"{each.target:g}", f"{each.threshold:.2f}", f"{each.phrases:.1f}", f"{100 * each.empties:.0f} %"),
            "" if each.pooled is None else f"{each.pooled:.2f}",
        )
        for each in guarantees
    )
    level = f"guarantees possible at confidence level {guarantees[0].confidence:g}"
    return f"{level}\n{draw_rows(screen, head, rows, head)}"
