"""keywright export: a trained generator for a CPU without torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.core.choices import Precision
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import open_output, print_json, say
from keywright.faces.cli.reports import format_labelled
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.screen import find_screen, make_table, render_table


def export(  # noqa: PLR0913 - one argument for each option
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of a trained generator.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the export to.")],
    precision: Annotated[
        Precision, typer.Option("--precision", help="Numbers of the weights: int8 is smaller and faster.")
    ] = Precision.INT8,
    calibrate_on: Annotated[
        str | None,
        typer.Option(
            "--calibrate-on", metavar="DATASET", help="Labelled documents to fit the probabilities on (default: none)."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an exported generator in the folder.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a trained generator as ONNX, which runs without torch, with the extra `onnx`.

    The folder is then accepted anywhere a system name is. Probabilities are not kept, because `int8` shifts
    confidences: --calibrate-on fits them again, and prints the calibration error before and after.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    exported = api.export_with_notes(folder, output, precision.value, calibrate_on=calibrate_on, force=force)
    if json:
        print_json(exported.card)
    elif exported.calibrated:
        _print_calibration(exported.card["calibration"])
    for note in (*exported.notes, exported.uncalibrated):
        if note:
            say(f"note: {note}", quiet=quiet)
    say(f"exported as {precision.value}: use it with --system {output}", quiet=quiet)
    if exported.uncalibrated:
        raise typer.Exit(PARTLY)


def _print_calibration(calibration: Mapping[str, Any]) -> None:
    """Print the calibration error of the exported generator, without and with a calibrator."""
    rows = {
        "without a calibrator": calibration["confidences"],
        "with the trained generator's calibrator": calibration["probabilities before export"],
        "with the new calibrator, on documents left out of its fit": calibration,
    }
    measures = make_table("probabilities", "ECE %", "Brier", numbers=("ECE %", "Brier"))
    for name, values in rows.items():
        if values is not None:
            measures.add_row(name, _format_measure(values, "ece", 100), _format_measure(values, "brier", 1))
    with open_output(None) as file:
        screen = find_screen(file)
        file.writelines(format_labelled(screen, "measured", f"on {calibration['documents']:,} documents"))
        file.write(render_table(measures, screen))


def _format_measure(values: Mapping[str, float], name: str, times: int) -> str:
    return f"{times * values[name]:.{1 if times > 1 else 3}f}" if name in values else "-"
