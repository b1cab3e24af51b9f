"""A plot of a training's log: loss of training and validation, and F1 of the validation."""

import json
from pathlib import Path
from typing import Any, Final

from keywright.presentation.drawing import LINES, SHADES, Picture, figure

_HEIGHT: Final = 2.8
"""Height of the figure in inches; arbitrary."""
_F1: Final = (("present/F@M", "present, whole list"), ("absent/F@M", "absent, whole list"))


def read_log(file: Path) -> list[dict[str, Any]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def training_curve(lines: list[dict[str, Any]], name: str) -> Picture:
    """Draw the loss of a target word beside F1 of the validation, over the steps.

    Args:
        lines: of a training's log.
        name: of the generator, for the title.

    Raises:
        MissingExtra: the extra ``eval`` is not installed.
    """
    steps = [line for line in lines if "loss" in line]
    validations = [line for line in lines if "validation" in line]
    at = [line["step"] for line in validations]
    with figure(_HEIGHT, columns=2) as (drawn, (losses, scores)):
        losses.plot([line["step"] for line in steps], [line["loss"] for line in steps], LINES[0], color=SHADES[1])
        values = [line["validation"]["loss"] for line in validations]
        losses.plot(at, values, "o-", color=SHADES[0])
        losses.set_ylabel("loss of a word (○ validation)")
        for style, (measure, label) in zip(LINES, _F1, strict=False):
            values = [line["validation"][measure] for line in validations]
            scores.plot(at, values, f"o{style}", color=SHADES[0], label=label)
        scores.set_ylabel("F1 of the validation")
        scores.legend(frameon=False)
        for axes in (losses, scores):
            axes.set_xlabel("steps")
            axes.set_ylim(bottom=0)
    return Picture(f"Training of {name}", "training", drawn)
