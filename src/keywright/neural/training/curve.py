"""A plot of a training's log: loss of training and validation, and F1 of the validation."""

import json
from collections.abc import Mapping, Sequence
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
    """Draw the loss of a target word, beside it F1 of the validations if they have it, over the steps.

    Args:
        lines: of a training's log.
        name: of the generator, for the title.

    Raises:
        MissingExtra: the extra ``eval`` is not installed.
    """
    steps = [line for line in lines if "loss" in line]
    validations = [line for line in lines if "validation" in line]
    at = [line["step"] for line in validations]
    has_scores = all(_F1[0][0] in line["validation"] for line in validations)
    with figure(_HEIGHT, columns=1 + has_scores) as (drawn, panels):
        losses, *others = panels if has_scores else (panels,)
        losses.plot([line["step"] for line in steps], [line["loss"] for line in steps], LINES[0], color=SHADES[1])
        values = [line["validation"]["loss"] for line in validations]
        losses.plot(at, values, "o-", color=SHADES[0])
        losses.set_ylabel("loss of a word (○ validation)")
        for scores in others:
            _plot_scores(scores, at, [line["validation"] for line in validations])
        for axes in (losses, *others):
            axes.set_xlabel("steps")
            axes.set_ylim(bottom=0)
    return Picture(f"Training of {name}", "training", drawn)


def _plot_scores(axes: Any, at: Sequence[int], validations: Sequence[Mapping[str, float]]) -> None:
    """Plot F1 of validations over their steps."""
    for style, (measure, label) in zip(LINES, _F1, strict=False):
        axes.plot(at, [values[measure] for values in validations], f"o{style}", color=SHADES[0], label=label)
    axes.set_ylabel("F1 of the validation")
    axes.legend(frameon=False)
