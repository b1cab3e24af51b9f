"""Plots of the studies as SVG: curves over numbers of documents, reliability diagrams."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.pages import LINES, MARKERS, SHADES, Picture, open_figure

_MIN_RATIO: Final = 1.3  # ratio of numbers on a logarithmic axis below which labels would overlap; arbitrary


def curves(
    title: str, series: Sequence[tuple[str, Sequence[tuple[float, float, float, float]]]], name: str, value: str
) -> str:
    """Draw values over a number of documents on a logarithmic axis: points (documents, value, low, high).

    ``value`` is the name of the upright axis.

    Every series has its own marker and line style.
    """
    with open_figure(4.4) as (drawn_on, axes):
        for number, (label, points) in enumerate(series):
            documents, middle, low, high = np.array(points, float).T
            around = np.abs(np.stack([middle - low, high - middle]))
            marker, line, shade = (kinds[number % len(kinds)] for kinds in (MARKERS, LINES, SHADES[:2]))
            shift = documents * 1.02 ** (number - len(series) // 2)  # bars do not hide each other
            options = {"marker": marker, "linestyle": line, "color": shade, "capsize": 2, "markersize": 5}
            axes.errorbar(shift, middle, around, label=label, linewidth=1.1, elinewidth=0.6, **options)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        ticks: list[float] = []
        for documents in sorted({point[0] for _, points in series for point in points}):
            if not ticks or documents > _MIN_RATIO * ticks[-1]:
                ticks.append(documents)
        axes.set_xticks(ticks)
        axes.minorticks_off()
        axes.set_xlabel("documents learnt from")
        axes.set_ylabel(value)
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, axis="both")
        drawn_on.legend(loc="outside upper left", ncols=1, frameon=False, fontsize=8)
        return Picture(title, name, drawn_on).inline()


def reliability(title: str, bins: Sequence[tuple[float, float, int]], name: str) -> str:
    """Draw mean probability, share of hits and size of each bin; calibrated bins lie on the diagonal.

    The bars around the diagonal contain 95 of 100 bins of a calibrated system (normal approximation); sizes are printed
    at the points.
    """
    with open_figure(4.4) as (drawn_on, axes):
        axes.plot([0, 1], [0, 1], linestyle="--", color=SHADES[1], linewidth=1, label="right")
        if bins:
            probability, share, size = np.array(bins, float).T
            chance = 1.96 * np.sqrt(probability * (1 - probability) / size)
            around = np.stack([np.minimum(chance, probability), np.minimum(chance, 1 - probability)])
            axes.errorbar(probability, probability, around, fmt="none", color=SHADES[1], capsize=5, label="by chance")
            axes.plot(probability, share, marker="o", color=SHADES[0], linewidth=1.2, label="found")
            for x, y, number in zip(probability, share, size, strict=True):
                place = {"xytext": (7, -11), "textcoords": "offset points", "fontsize": 8}
                axes.annotate(f"{number:.0f}", (x, y), **place)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("mean probability")
        axes.set_ylabel("share correct")
        axes.grid(visible=True, axis="both")
        drawn_on.legend(loc="outside upper right", ncols=3, frameon=False)
        return Picture(title, name, drawn_on).inline()
