"""Heat maps of the correlations of evaluators with people and with each other."""

from collections.abc import Iterator, Sequence

import numpy as np

from keywright.core.arrays import Floats
from keywright.presentation.drawing import Picture, figure
from keywright.summaries.agreement.coefficients import Coefficient
from keywright.summaries.agreement.correlation import Agreement
from keywright.summaries.agreement.levels import Level
from keywright.summaries.columns import HUMAN

_DARK = 0.6
"""Value above which a cell is dark, so that its number is white; arbitrary."""
_BLACK = 1.6
"""Value that would be black: cells of high correlation stay lighter, so that they differ; arbitrary."""


def heat_maps(rows: Sequence[Agreement]) -> Iterator[Picture]:
    """Draw one map for each level and coefficient: columns of scores by columns of scores, -1 white, 1 dark.

    Args:
        rows: correlations; a pair that is missing has an empty cell.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    for level, coefficient in dict.fromkeys((row.level, row.coefficient) for row in rows):
        yield _heat_map(
            [row for row in rows if (row.level, row.coefficient) == (level, coefficient)], level, coefficient
        )


def _heat_map(rows: Sequence[Agreement], level: Level, coefficient: Coefficient) -> Picture:
    every = dict.fromkeys(name for row in rows for name in (row.evaluator, row.other))
    names = sorted(every, key=lambda name: not name.startswith(HUMAN))
    values = _matrix(rows, names)
    title = f"Correlation of evaluators, level {level.value}, {coefficient.value}"
    name = f"evaluators-{level.value}-{coefficient.value}"
    with figure(1.2 + 0.42 * len(names), width=3.0 + 0.62 * len(names)) as (drawn_on, axes):
        axes.imshow(values, cmap="Greys", vmin=-1, vmax=_BLACK, aspect="auto")
        for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True):
            value = values[row, column]
            color = "white" if value > _DARK else "black"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=color)
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=8)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.grid(visible=False)
        axes.set_title(title, fontsize=10, loc="left")
    return Picture(title, name, drawn_on)


def _matrix(rows: Sequence[Agreement], names: Sequence[str]) -> Floats:
    """Return the values, (names, names), symmetric, nan where there is none."""
    place = {name: at for at, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(values, 1.0)
    for row in rows:
        if row.value is not None:
            values[place[row.evaluator], place[row.other]] = values[place[row.other], place[row.evaluator]] = row.value
    return values
