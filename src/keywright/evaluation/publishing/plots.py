"""Plots as SVG that stands in a page: nothing loaded from elsewhere, with a title, readable without colour."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.presentation.drawing import HATCHES, LINES, MARKERS, SHADES, figure, inlined

_APART: Final = 1.3
"""Numbers on an axis of doublings that are nearer than this would be printed over each other."""


def bars(title: str, groups: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]], name: str) -> str:
    """Horizontal bars, one group below the other, one bar for each series; values from 0 to 1, None has no bar."""
    height = 0.9 + 0.24 * len(groups) * len(series)
    with figure(height) as (drawn_on, axes):
        thick = 0.8 / len(series)
        for number, (label, values) in enumerate(series):
            places = np.arange(len(groups)) + (number - (len(series) - 1) / 2) * thick
            shown = [0.0 if value is None else value for value in values]
            shade, hatch = SHADES[number % len(SHADES)], HATCHES[number % len(HATCHES)]
            drawn = axes.barh(places, shown, thick * 0.9, label=label, color=shade, hatch=hatch, edgecolor="#222222")
            texts = ["" if value is None else f"{value:.3f}" for value in values]
            axes.bar_label(drawn, texts, padding=3, fontsize=8)
        axes.set_yticks(range(len(groups)), [_short(group) for group in groups])
        axes.invert_yaxis()
        axes.set_xlim(0, min(1.12, max([0.05, *(one for _, values in series for one in values if one)]) * 1.18))
        if len(series) > 1:
            drawn_on.legend(loc="outside upper right", ncols=len(series), frameon=False)
        return inlined(drawn_on, title, name)


def histogram(title: str, series: Sequence[tuple[str, Sequence[float]]], name: str) -> str:
    """How many documents have which score: one panel for each series, scores from 0 to 1 in tenths."""
    with figure(1.55 * len(series) + 0.5, len(series)) as (drawn_on, panels):
        for axes, (label, scores) in zip(np.atleast_1d(panels), series, strict=True):
            counts, _ = np.histogram(np.clip(scores, 0, 1), bins=np.linspace(0, 1, 11))
            drawn = axes.bar(np.arange(10) / 10 + 0.05, counts, 0.09, color=SHADES[1], edgecolor="#222222")
            axes.bar_label(drawn, ["" if not count else str(count) for count in counts], padding=1, fontsize=8)
            axes.set_title(label, fontsize=10, loc="left")
            axes.set_xlim(0, 1)
            axes.set_xticks(np.arange(11) / 10)
            axes.set_ylabel("documents")
            axes.margins(y=0.15)
            axes.yaxis.get_major_locator().set_params(integer=True)
            axes.grid(visible=False)
        return inlined(drawn_on, title, name)


def intervals(
    title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[tuple[float, float, float]]]], name: str
) -> str:
    """Values as points with their intervals (value, low, high), one row for each label, one marker for each series."""
    with figure(0.9 + 0.2 * len(labels) * max(2, len(series))) as (drawn_on, axes):
        step = 0.62 / max(1, len(series))
        for number, (label, points) in enumerate(series):
            places = np.arange(len(labels)) + (number - (len(series) - 1) / 2) * step
            middle, low, high = np.array(points).T
            marker, shade = MARKERS[number % len(MARKERS)], SHADES[number % 2]
            around = np.abs(np.stack([middle - low, high - middle]))
            options = {"fmt": marker, "color": shade, "capsize": 3, "label": label, "markersize": 5}
            axes.errorbar(middle, places, xerr=around, **options)
        axes.set_yticks(range(len(labels)), [_short(label) for label in labels])
        axes.set_ylim(len(labels) - 0.5, -0.5)
        if len(series) > 1:
            drawn_on.legend(loc="outside upper right", ncols=min(4, len(series)), frameon=False)
        return inlined(drawn_on, title, name)


def sorted_differences(title: str, panels: Sequence[tuple[str, Sequence[float]]], name: str) -> str:
    """For each pair of runs the differences of documents, from the largest win to the largest loss."""
    with figure(1.45 * len(panels) + 0.5, len(panels)) as (drawn_on, drawn):
        for axes, (label, values) in zip(np.atleast_1d(drawn), panels, strict=True):
            ordered = sorted(values, reverse=True)
            shades = [SHADES[0] if value > 0 else SHADES[2] for value in ordered]
            axes.bar(range(len(ordered)), ordered, 0.9, color=shades, edgecolor="#222222", linewidth=0.4)
            axes.axhline(0, color="#222222", linewidth=0.8)
            axes.set_title(label, fontsize=10, loc="left")
            axes.set_xlim(-0.6, max(0.6, len(ordered) - 0.4))
            axes.set_xticks([])
            axes.set_ylabel("difference")
            axes.grid(visible=True, axis="y")
        return inlined(drawn_on, title, name)


def curves(title: str, series: Sequence[tuple[str, Sequence[tuple[float, float, float, float]]]], name: str) -> str:
    """Values over a number of documents, which doubles at equal steps: points (documents, value, low, high).

    Every series has a marker and a kind of line of its own.
    """
    with figure(4.4) as (drawn_on, axes):
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
            if not ticks or documents > _APART * ticks[-1]:
                ticks.append(documents)
        axes.set_xticks(ticks)
        axes.minorticks_off()
        axes.set_xlabel("documents learnt from")
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, axis="both")
        drawn_on.legend(loc="outside upper left", ncols=1, frameon=False, fontsize=8)
        return inlined(drawn_on, title, name)


def reliability(title: str, bins: Sequence[tuple[float, float, int]], name: str) -> str:
    """Mean probability, share of yes and size of each bin: points beside the diagonal, where they should lie.

    The bars about the diagonal show where 95 of 100 such bins lie whose probabilities are right; sizes stand at the
    points.
    """
    with figure(4.4) as (drawn_on, axes):
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
        axes.set_ylabel("share right")
        axes.grid(visible=True, axis="both")
        drawn_on.legend(loc="outside upper right", ncols=3, frameon=False)
        return inlined(drawn_on, title, name)


def _short(label: str, most: int = 28) -> str:
    """A label of an axis; a long one ends in dots, the table beside has it whole."""
    return label if len(label) <= most else f"{label[: most - 1]}…"
