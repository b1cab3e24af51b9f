"""Pictures of analyses of several runs: equal scales for all runs, readable without colour."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.calibration.analysis.analysing import APART, Analysis
from keywright.calibration.analysis.positions import MeansByPlace, PerplexityHistogram
from keywright.core.arrays import Floats
from keywright.core.errors import needs_extra
from keywright.core.pages import HATCHES, LINES, MARKERS, SHADES, WIDTH, Picture, open_figure

_SIDE: Final = 5  # most runs side by side, more go below; fits the width of a page
_PANEL: Final = 2.35  # width of a panel, in inches
_STEPS: Final = 201  # points of a risk-coverage curve; arbitrary
_FIVE: Final = (1, 2, 3, 4, 5)  # ticks of pictures by place and by fifth
_LEVEL: Final = 0.95  # share of calibrated bins within the bars; the usual level
_HOLLOW_BELOW: Final = 10  # a mean of fewer phrases is drawn hollow; arbitrary
_THOUSANDS_FROM: Final = 100_000  # a bin's size from this on is in thousands: longer numbers would reach the title
_HOLLOW: Final[dict[str, Any]] = {"linestyle": "none", "markerfacecolor": "white"}

Analyses = Mapping[str, Analysis]


class _Line(NamedTuple):
    """Points of a line, with the numbers of phrases behind each where they matter."""

    across: Sequence[float]
    up: Sequence[float]
    sizes: Sequence[int] = ()

    @classmethod
    def from_means(cls, means: MeansByPlace) -> "_Line":
        return cls(range(1, len(means.size) + 1), means.mean.tolist(), means.size.tolist())


def draw_pictures(analyses: Analyses) -> tuple[Picture, ...]:
    """Return all pictures for which there are data."""
    comparable = {run: each for run, each in analyses.items() if each.comparable}
    with_tokens = {run: each for run, each in analyses.items() if each.perplexities}
    with_places = {run: each for run, each in analyses.items() if each.places}
    drawn = [draw_reliability(comparable)] if comparable else []
    drawn += [draw_perplexity(with_tokens)] if with_tokens else []
    drawn += [draw_places(with_places)] if with_places else []
    return (*drawn, draw_fifths(analyses), draw_risk(analyses))


def draw_reliability(analyses: Analyses) -> Picture:
    """Draw the share correct by mean confidence of each bin, with the bins' sizes above."""
    with needs_extra("eval", "reliability diagrams need scipy"):
        from scipy.stats import binom  # noqa: PLC0415 - heavy, only this picture needs it

    with _make_panels(analyses, height=2.95) as (drawn, panels):
        for name, run, axes in panels:
            report = analyses[run].reports[name]
            axes.plot([0, 1], [0, 1], linestyle="--", color=SHADES[1], linewidth=1)
            bins = [each for each in report.bins if each.size]
            if bins:
                confidence = np.array([each.probability for each in bins], float)
                size = np.array([each.size for each in bins])
                low, high = binom.interval(_LEVEL, size, confidence) / size
                around = np.maximum(np.stack([confidence - low, high - confidence]), 0)  # rounding may leave -1e-17
                axes.errorbar(confidence, confidence, around, fmt="none", color=SHADES[1], capsize=3, linewidth=0.8)
                style = {"marker": "o", "color": SHADES[0], "linewidth": 1.2, "markersize": 4, "clip_on": False}
                axes.plot(confidence, np.array([each.share for each in bins], float), **style)
            for each in bins:
                place = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": 7}
                number = f"{each.size}" if each.size < _THOUSANDS_FROM else f"{each.size // 1000:,}k"
                axes.text((each.low + each.high) / 2, 1.03, number, **place)
            axes.set(xlim=(0, 1), ylim=(0, 1), xticks=np.arange(6) / 5)
            axes.tick_params(labelsize=8)
            axes.grid(visible=True, axis="both")
            axes.set_title(_name_panel(run, name, report.phrases), fontsize=9, loc="left", pad=30)
        bars = "bars: where 95 of 100 calibrated bins lie; numbers above: phrases of the bin"
        drawn.supxlabel(f"mean confidence of the bin\n{bars}", fontsize=10)
        drawn.supylabel("share correct", fontsize=10)
        return Picture("Reliability: share correct by confidence", "reliability", drawn)


def draw_perplexity(analyses: Analyses) -> Picture:
    """Draw histograms of perplexity, the median as a line."""
    histograms = [each.perplexities[name] for each in analyses.values() for name in APART]
    highest = max((_compute_shares(histogram).max() for histogram in histograms), default=1.0)
    with _make_panels(analyses, height=2.3) as (drawn, panels):
        for name, run, axes in panels:
            histogram = analyses[run].perplexities[name]
            edges, shares = histogram.edges, _compute_shares(histogram)
            last, width = float(edges[-1]), float(edges[1] - edges[0])
            axes.bar(edges, shares, width, align="edge", color=SHADES[2], edgecolor=SHADES[0], linewidth=0.6)
            axes.bar(edges[-1:], shares[-1:], width, align="edge", color="white", edgecolor=SHADES[0], hatch=HATCHES[1])
            if histogram.median is not None:
                axes.axvline(min(histogram.median, last + width / 2), color=SHADES[0], linestyle="--", linewidth=1.4)
            ticks = [1, *range(2, int(last) + 1, 2)]
            axes.set(xlim=(1, last + width), xticks=ticks, ylim=(0, max(highest, 0.01) * 1.08))
            axes.tick_params(labelsize=8)
            axes.grid(visible=True, axis="y")
            title = _name_panel(run, name, int(histogram.counts.sum()) + histogram.above)
            axes.set_title(f"{title}\nmedian {histogram.median_text}", fontsize=9, loc="left")
        drawn.supxlabel("keyphrase perplexity; the last bar holds all above", fontsize=10)
        drawn.supylabel("share of phrases", fontsize=10)
        return Picture("Histograms of keyphrase perplexity with their medians", "perplexity", drawn)


def draw_places(analyses: Analyses) -> Picture:
    """Draw the mean probability by place in the phrase."""
    panels = {
        f"{name} phrases": {run: _Line.from_means(each.places[name]) for run, each in analyses.items()}
        for name in APART
    }
    axes = f"word of the phrase; hollow: fewer than {_HOLLOW_BELOW} phrases", "mean probability"
    return _draw_lines("Mean probability by place in the phrase", "places", panels, axes)


def draw_fifths(analyses: Analyses) -> Picture:
    """Draw the share of present gold in each fifth of the document, and its recall."""
    recall = {run: _Line.from_means(each.gold.recall) for run, each in analyses.items()}
    gold = {
        run: each._replace(up=[size / max(1, sum(each.sizes)) for size in each.sizes]) for run, each in recall.items()
    }
    first, *others = gold.values()
    if all(line.up == first.up for line in others):  # as runs over one collection have the same gold
        gold = {"gold": first}
    panels = {"share of present gold": gold, "recall of present gold": recall}
    axes = f"fifth of the document; hollow: fewer than {_HOLLOW_BELOW} gold phrases", "share"
    return _draw_lines("Gold and recall by fifth of the document", "fifths", panels, axes)


def draw_risk(analyses: Analyses) -> Picture:
    """Draw the share wrong of the phrases of highest confidence, by the share shown."""
    across = np.linspace(0, 1, _STEPS)[1:].tolist()
    panels = {
        f"{name} phrases": {
            run: _Line(across, [curve.risk_at(share) for share in across])
            for run, curve in ((run, each.reports[name].curve) for run, each in analyses.items())
            if curve
        }
        for name in APART
    }
    axes = ("share of phrases shown, highest confidence first", "share wrong")
    ticks = np.linspace(0, 1, 6).tolist()
    return _draw_lines("Risk by coverage: share wrong of the phrases shown", "risk", panels, axes, ticks)


@contextmanager
def _make_panels(analyses: Analyses, height: float) -> Iterator[tuple[Any, Iterator[tuple[str, str, Any]]]]:
    """Yield class, run and panel: of one run the classes side by side, of several the runs, present above absent."""
    runs = list(analyses)
    side = math.ceil(len(runs) / math.ceil(len(runs) / _SIDE))
    strips = [runs[start : start + side] for start in range(0, len(runs), side)]
    grid = [[(name, run) for run in strip] for strip in strips for name in APART]
    if len(runs) == 1:
        grid = [[(name, runs[0]) for name in APART]]
    columns = max(map(len, grid))
    with open_figure(height * len(grid) + 0.4, len(grid), columns, max(WIDTH, _PANEL * columns + 0.4)) as (drawn, axes):
        lines = list(zip(grid, np.reshape(axes, (len(grid), columns)), strict=True))
        for row, line in lines:
            for spare in line[len(row) :]:
                spare.set_axis_off()
        yield drawn, ((*cell, line[at]) for row, line in lines for at, cell in enumerate(row))


def _name_panel(run: str, name: str, phrases: int) -> str:
    return f"{_shorten(run)}\n{name}, {phrases:,} phrase{'s' * (phrases != 1)}"


def _compute_shares(histogram: PerplexityHistogram) -> Floats:
    counts = np.append(histogram.counts, histogram.above).astype(np.float64)
    return np.asarray(counts / max(1.0, float(counts.sum())))


def _draw_lines(
    title: str,
    name: str,
    panels: Mapping[str, Mapping[str, _Line]],
    axes_titles: tuple[str, str],
    ticks: Sequence[float] = _FIVE,
) -> Picture:
    """Draw two panels of lines, from 0 to 1 up; every run has the same marker and kind of line in both."""
    order = list(dict.fromkeys(run for lines in panels.values() for run in lines))
    margin = 0.04 * (ticks[-1] - ticks[0])
    handles: dict[str, Any] = {}
    with open_figure(3.1 + 0.22 * math.ceil(len(order) / 3), 1, len(panels)) as (drawn, row):
        for axes, (panel, lines) in zip(row, panels.items(), strict=True):
            if not lines:
                axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center")
            for run, line in lines.items():
                # Marker and kind of line, different for each of 32 runs; ten markers per line, at different places.
                number, every = order.index(run), max(1, len(line.across) // 10)
                style: dict[str, Any] = {
                    "marker": MARKERS[number % len(MARKERS)],
                    "markersize": 5,
                    "markevery": (number % every, every),
                    "linestyle": LINES[(number + number // len(MARKERS)) % len(LINES)],
                    "linewidth": 1.2,
                    "color": SHADES[(number + number // len(LINES)) % 2],
                    "clip_on": False,
                }
                (handles[run],) = axes.plot(line.across, line.up, **style)
                hollow = [size < _HOLLOW_BELOW for size in line.sizes]
                if any(hollow):
                    axes.plot(*np.compress(hollow, [line.across, line.up], axis=1), **style | _HOLLOW)
            axes.set_title(panel, fontsize=10, loc="left")
            axes.set(xticks=ticks, xlim=(ticks[0] - margin, ticks[-1] + margin), ylim=(0, 1))
            axes.grid(visible=True, axis="both")
        drawn.supxlabel(axes_titles[0], fontsize=10)
        row[0].set_ylabel(axes_titles[1])
        labels = [_shorten(run) for run in order]
        drawn.legend([handles[run] for run in order], labels, loc="outside upper left", ncols=3, frameon=False)
        return Picture(title, name, drawn)


def _shorten(label: str, most: int = 24) -> str:
    """Return a run's name without its middle if it is long: runs often differ at the end, and tables have it whole."""
    return label if len(label) <= most else f"{label[: most // 2]}…{label[1 - most // 2 :]}"
