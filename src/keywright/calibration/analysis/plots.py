"""Analyses of several runs as pictures: equal scales wherever runs stand side by side, readable without colour."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from keywright.calibration.analysis.perplexity import Spread
from keywright.calibration.analysis.result import APART, Analysis
from keywright.calibration.measures.report import CalibrationReport
from keywright.core.arrays import Floats
from keywright.presentation.drawing import HATCHES, LINES, MARKERS, SHADES, WIDTH, Picture, figure

_SIDE: Final = 5
"""Runs side by side at most; more go below."""
_PANEL: Final = 2.35
"""Width of a panel, in inches."""
_STEPS: Final = 201
"""Points of a risk-coverage curve."""
_FIVE: Final = (1, 2, 3, 4, 5)
_LEVEL: Final = 0.95
"""Of honest bins, so many lie within the bars."""
_FEW: Final = 10
"""A mean of fewer is drawn hollow."""
_MANY: Final = 100_000
"""So many phrases are counted in thousands, for longer numbers would reach the title."""
_HOLLOW: Final[dict[str, Any]] = {"linestyle": "none", "markerfacecolor": "white"}


@dataclass(frozen=True, slots=True)
class _Line:
    """Points of a line; ``sizes`` is what each is the mean of, and empty where that means nothing."""

    across: Sequence[float]
    up: Sequence[float]
    sizes: Sequence[int] = ()


def pictures(analyses: Mapping[str, Analysis]) -> tuple[Picture, ...]:
    """All pictures for which there is something to show.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    sure = {run: one for run, one in analyses.items() if one.comparable}
    of_tokens = {run: one for run, one in analyses.items() if one.spreads}
    placed = {run: one for run, one in analyses.items() if one.places}
    made = [reliability_picture(sure)] if sure else []
    made += [perplexity_picture(of_tokens)] if of_tokens else []
    made += [place_picture(placed)] if placed else []
    return (*made, fifth_picture(analyses), risk_picture(analyses))


def reliability_picture(analyses: Mapping[str, Analysis]) -> Picture:
    """Share right by mean confidence of each bin, bins without a right phrase too, and their sizes above."""
    with _panels(analyses, height=2.95) as (drawn, panels):
        for name, run, axes in panels:
            report = analyses[run].reports[name]
            _reliability(axes, report)
            axes.set_title(_panel_title(run, name, report.phrases), fontsize=9, loc="left", pad=30)
        bars = "bars: where 95 of 100 honest bins lie; numbers above: phrases of the bin"
        drawn.supxlabel(f"mean confidence of the bin\n{bars}", fontsize=10)
        drawn.supylabel("share right", fontsize=10)
        return Picture("Reliability: share right by confidence", "reliability", drawn)


def perplexity_picture(analyses: Mapping[str, Analysis]) -> Picture:
    """Histograms of perplexity, the median as a line."""
    spreads = [one.spreads[name] for one in analyses.values() for name in APART]
    highest = max((_shares(one).max() for one in spreads), default=1.0)
    with _panels(analyses, height=2.3) as (drawn, panels):
        for name, run, axes in panels:
            one = analyses[run].spreads[name]
            _histogram(axes, one)
            title = _panel_title(run, name, int(one.counts.sum()) + one.above)
            axes.set_title(f"{title}\nmedian {one.middle}", fontsize=9, loc="left")
            axes.set_ylim(0, max(highest, 0.01) * 1.08)
        drawn.supxlabel("keyphrase perplexity; the last bar holds all above", fontsize=10)
        drawn.supylabel("share of phrases", fontsize=10)
        return Picture("Histograms of keyphrase perplexity with their medians", "perplexity", drawn)


def place_picture(analyses: Mapping[str, Analysis]) -> Picture:
    """Mean probability by place in the phrase."""
    panels = {
        f"{name} phrases": {
            run: _Line(range(1, len(found.mean) + 1), found.mean.tolist(), found.size.tolist())
            for run, found in ((run, one.places[name]) for run, one in analyses.items())
        }
        for name in APART
    }
    axes = f"word of the phrase; hollow: fewer than {_FEW} phrases", "mean probability"
    return _lined("Mean probability by place in the phrase", "places", panels, axes)


def fifth_picture(analyses: Mapping[str, Analysis]) -> Picture:
    """Where present gold stands, and how much of it is found, by fifth of the document."""
    gold, recall = {}, {}
    for run, one in analyses.items():
        found = one.gold.recall
        fifths = range(1, len(found.size) + 1)
        gold[run] = _Line(fifths, (found.size / max(1, found.size.sum())).tolist(), found.size.tolist())
        recall[run] = _Line(fifths, found.mean.tolist(), found.size.tolist())
    panels = {"share of present gold": _distinct(gold), "recall of present gold": recall}
    axes = f"fifth of the document; hollow: fewer than {_FEW} gold phrases", "share"
    return _lined("Gold and recall by fifth of the document", "fifths", panels, axes)


def risk_picture(analyses: Mapping[str, Analysis]) -> Picture:
    """Share wrong of the surest phrases, by the share that is shown."""
    across = np.linspace(0, 1, _STEPS)[1:].tolist()
    panels = {
        f"{name} phrases": {
            run: _Line(across, [1 - curve.precision_at(share) for share in across])
            for run, curve in ((run, one.reports[name].curve) for run, one in analyses.items())
            if curve
        }
        for name in APART
    }
    axes = ("share of phrases shown, surest first", "share wrong")
    return _lined(
        "Risk by coverage: how much is wrong of what is shown", "risk", panels, axes, np.linspace(0, 1, 6).tolist()
    )


@contextmanager
def _panels(analyses: Mapping[str, Analysis], height: float) -> Iterator[tuple[Any, Iterator[tuple[str, str, Any]]]]:
    """Class, run and panel: of one run the classes side by side, of several the runs, with present above absent."""
    runs = list(analyses)
    side = math.ceil(len(runs) / math.ceil(len(runs) / _SIDE))
    strips = [runs[start : start + side] for start in range(0, len(runs), side)]
    grid = [[(name, run) for run in strip] for strip in strips for name in APART]
    if len(runs) == 1:
        grid = [[(name, runs[0]) for name in APART]]
    columns = max(map(len, grid))
    with figure(height * len(grid) + 0.4, len(grid), columns, max(WIDTH, _PANEL * columns + 0.4)) as (drawn, axes):
        placed = np.reshape(axes, (len(grid), columns))
        for row, line in zip(grid, placed, strict=True):
            for spare in line[len(row) :]:
                spare.set_axis_off()
        yield drawn, ((*one, line[at]) for row, line in zip(grid, placed, strict=True) for at, one in enumerate(row))


def _panel_title(run: str, name: str, phrases: int) -> str:
    """What a panel shows, in two lines."""
    return f"{_short(run)}\n{name}, {phrases:,} phrase{'s' * (phrases != 1)}"


def _reliability(axes: Any, report: CalibrationReport) -> None:
    from scipy.stats import binom  # noqa: PLC0415 - heavy, only this picture needs it

    axes.plot([0, 1], [0, 1], linestyle="--", color=SHADES[1], linewidth=1)
    bins = [one for one in report.bins if one.size]
    if bins:
        confidence = np.array([one.probability for one in bins], float)
        share = np.array([one.share for one in bins], float)
        size = np.array([one.size for one in bins])
        low, high = binom.interval(_LEVEL, size, confidence) / size
        around = np.maximum(np.stack([confidence - low, high - confidence]), 0)  # rounding may leave -1e-17
        axes.errorbar(confidence, confidence, around, fmt="none", color=SHADES[1], capsize=3, linewidth=0.8)
        axes.plot(confidence, share, marker="o", color=SHADES[0], linewidth=1.2, markersize=4, clip_on=False)
        for one in bins:
            place = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": 7}
            number = f"{one.size}" if one.size < _MANY else f"{one.size // 1000:,}k"
            axes.text((one.low + one.high) / 2, 1.03, number, **place)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xticks(np.arange(6) / 5)
    axes.tick_params(labelsize=8)
    axes.grid(visible=True, axis="both")


def _shares(one: Spread) -> Floats:
    """The share of phrases in each bar."""
    counts = np.append(one.counts, one.above).astype(np.float64)
    found: Floats = counts / max(1.0, float(counts.sum()))
    return found


def _histogram(axes: Any, one: Spread) -> None:
    width = float(one.edges[1] - one.edges[0])
    shares = _shares(one)
    axes.bar(one.edges, shares, width, align="edge", color=SHADES[2], edgecolor=SHADES[0], linewidth=0.6)
    axes.bar(one.edges[-1:], shares[-1:], width, align="edge", color="white", edgecolor=SHADES[0], hatch=HATCHES[1])
    if one.median is not None:
        shown = min(one.median, float(one.edges[-1]) + width / 2)
        axes.axvline(shown, color=SHADES[0], linestyle="--", linewidth=1.4)
    axes.set_xlim(1, float(one.edges[-1]) + width)
    axes.set_xticks([1, *range(2, int(one.edges[-1]) + 1, 2)])
    axes.tick_params(labelsize=8)
    axes.grid(visible=True, axis="y")


def _lined(
    title: str,
    name: str,
    panels: Mapping[str, Mapping[str, _Line]],
    axes_titles: tuple[str, str],
    ticks: Sequence[float] = _FIVE,
) -> Picture:
    """Two panels of lines, from 0 to 1 up; every run has the same marker and kind of line in both."""
    order = list(dict.fromkeys(run for lines in panels.values() for run in lines))
    beside = 0.04 * (ticks[-1] - ticks[0])
    handles: dict[str, Any] = {}
    with figure(3.1 + 0.22 * math.ceil(len(order) / 3), 1, len(panels)) as (drawn, placed):
        for axes, (panel, lines) in zip(placed, panels.items(), strict=True):
            if not lines:
                axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center")
            for run, line in lines.items():
                style = _style(order.index(run), len(line.across))
                (handles[run],) = axes.plot(line.across, line.up, **style)
                few = [size < _FEW for size in line.sizes]
                if any(few):
                    axes.plot(*np.compress(few, [line.across, line.up], axis=1), **style | _HOLLOW)
            axes.set_title(panel, fontsize=10, loc="left")
            axes.set_xticks(ticks)
            axes.set_xlim(ticks[0] - beside, ticks[-1] + beside)
            axes.set_ylim(0, 1)
            axes.grid(visible=True, axis="both")
        drawn.supxlabel(axes_titles[0], fontsize=10)
        placed[0].set_ylabel(axes_titles[1])
        labels = [_short(run) for run in order]
        drawn.legend([handles[run] for run in order], labels, loc="outside upper left", ncols=3, frameon=False)
        return Picture(title, name, drawn)


def _style(number: int, points: int) -> dict[str, Any]:
    """Marker and kind of line, another one for each of 32 runs; ten markers a line, not all at the same places."""
    every = max(1, points // 10)
    return {
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 5,
        "markevery": (number % every, every),
        "linestyle": LINES[(number + number // len(MARKERS)) % len(LINES)],
        "linewidth": 1.2,
        "color": SHADES[(number + number // len(LINES)) % 2],
        "clip_on": False,
    }


def _distinct(lines: Mapping[str, _Line]) -> Mapping[str, _Line]:
    """One line where all are the same, as runs over one collection have the same gold; else all."""
    some = next(iter(lines.values()), None)
    return {"gold": some} if some and all(one.up == some.up for one in lines.values()) else lines


def _short(label: str, most: int = 24) -> str:
    """A name of a run; of a long one the middle goes, since runs often differ at the end; the tables have it whole."""
    return label if len(label) <= most else f"{label[: most // 2]}…{label[1 - most // 2 :]}"
