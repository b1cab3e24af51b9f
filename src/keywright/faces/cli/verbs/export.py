"""keywright export: a trained generator for a CPU without torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from keywright.core.choices import Precision
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import draw_labelled
from keywright.faces.cli.printing import Console, open_output, print_json
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.screen import draw_rows, find_screen


@declare(
    "keywright export generator -o served --calibrate-on papers.jsonl",
    folder="FOLDER | Folder of a trained generator.",
    output="-o DIR | Folder to write the export to.",
    precision="Numbers of the weights: int8 is smaller and faster.",
    calibrate_on="DATASET | Labelled documents to fit the probabilities on (default: none).",
    force="Replace an exported generator in the folder.",
)
def export(
    folder: Path,
    *,
    output: Path,
    precision: Precision = Precision.INT8,
    calibrate_on: str | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Write a trained generator as ONNX, which runs without torch, with the extra `onnx`.

    The folder is then accepted anywhere a system name is. Probabilities are not kept, because `int8` shifts
    confidences: --calibrate-on fits them again, and prints the calibration error before and after.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    exported = api.export_with_notes(folder, output, precision.value, calibrate_on=calibrate_on, force=force)
    if console.json:
        print_json(exported.card)
    elif exported.calibrated:
        _print_calibration(exported.card["calibration"])
    console.note(*filter(None, (*exported.notes, exported.uncalibrated)))
    console.say(f"exported as {precision.value}: use it with --system {output}")
    if exported.uncalibrated:
        raise typer.Exit(PARTLY)


def _print_calibration(calibration: Mapping[str, Any]) -> None:
    """Print the calibration error of the exported generator, without and with a calibrator."""
    measured = {
        "without a calibrator": calibration["confidences"],
        "with the trained generator's calibrator": calibration["probabilities before export"],
        "with the new calibrator, on documents left out of its fit": calibration,
    }
    rows = [
        (name, _format_measure(values, "ece", 100), _format_measure(values, "brier", 1))
        for name, values in measured.items()
        if values is not None
    ]
    with open_output(None) as file:
        screen = find_screen(file)
        file.write(draw_labelled(screen, "measured", f"on {calibration['documents']:,} documents"))
        file.write(draw_rows(screen, ("probabilities", "ECE %", "Brier"), rows, ("ECE %", "Brier")))


def _format_measure(values: Mapping[str, float], name: str, times: int) -> str:
    return f"{times * values[name]:.{1 if times > 1 else 3}f}" if name in values else "-"
