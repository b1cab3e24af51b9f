"""Figures and plots in the style of our pages, as self-contained SVG and as PNG, readable without colour."""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from keywright.core.extras import needs_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES: Final = ("#222222", "#777777", "#dddddd")
HATCHES: Final = ("", "///", "")
MARKERS: Final = "osD^vP*X"
LINES: Final = ("-", "--", ":", "-.")
WIDTH: Final = 7.2
"""Width of a figure in inches; arbitrary."""

_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "keywright",  # the same numbers, the same file
    "text.parse_math": False,  # names may hold dollars
    "svg.fonttype": "none",  # text stays text: small, searchable, read aloud
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "grid.color": "#cccccc",
    "hatch.linewidth": 0.6,
}
_PROLOGUE: Final = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_METADATA: Final = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_NAMESPACE: Final = re.compile(r'\s+xmlns(?::\w+)?="[^"]*"')
_FONTS: Final = re.compile(r"font-family: [^;\"]*")
_NAMES: Final = re.compile(r'(\bid="|url\(#|xlink:href="#)')
_NAMESPACES: Final = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_DOTS: Final = 150  # per inch of a PNG, arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A drawn figure.

    ``title``: description, also for screen readers; ``name``: a short word for files and ids, unique on a page.
    """

    title: str
    name: str
    figure: "Figure"

    def inlined(self) -> str:
        """Return an ``svg`` element for a page, its ids made unique by the name."""
        return inlined(self.figure, self.title, self.name)

    def svg(self) -> str:
        """Return an SVG file."""
        return self.inlined().replace("<svg ", f"<svg {_NAMESPACES} ", 1) + "\n"

    def png(self) -> bytes:
        """Return a PNG file."""
        file = io.BytesIO()
        with styled(), _signs_may_miss():
            self.figure.savefig(file, format="png", dpi=_DOTS, metadata={"Software": None})
        return file.getvalue()


@contextmanager
def styled() -> Iterator[None]:
    """Apply the pages' style temporarily."""
    with needs_extra("eval", "plots need matplotlib"):
        import matplotlib as mpl  # noqa: PLC0415 - heavy, an extra, only pages need it
    with mpl.rc_context(_STYLE):
        yield


@contextmanager
def figure(height: float, rows: int = 1, columns: int = 1, width: float = WIDTH) -> Iterator[tuple[Any, Any]]:
    """Create an empty figure in the pages' style, sizes in inches, and its panels as matplotlib's ``subplots``."""
    with styled():
        from matplotlib.figure import Figure  # noqa: PLC0415 - heavy, an extra, only pages need it

        empty = Figure(figsize=(width, max(1.3, height)), layout="constrained")
        yield empty, empty.subplots(rows, columns)


def inlined(drawn: "Figure", title: str, name: str) -> str:
    """Return a figure as an ``svg`` element, its ids made unique by the plot's name."""
    file = io.StringIO()
    with styled(), _signs_may_miss():
        drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    text = _FONTS.sub("font-family: sans-serif", _METADATA.sub("", _PROLOGUE.sub("", file.getvalue())))
    opening, rest = text.split(">", 1)
    opening = _NAMESPACE.sub("", opening)
    named = _NAMES.sub(lambda match: f"{match[1]}{name}-", rest)
    return (
        f'{opening} role="img" aria-labelledby="{name}-title"><title id="{name}-title">{escape(title)}</title>{named}'
    )


@contextmanager
def _signs_may_miss() -> Iterator[None]:
    """Ignore missing glyphs: the text is drawn with the reader's fonts, not with the font that measures it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def bars(title: str, groups: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]], name: str) -> str:
    """Draw horizontal bars, one group below the other, one bar for each series; values from 0 to 1, None has no bar."""
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
        longest = max([0.05, *(value for _, values in series for value in values if value)])
        axes.set_xlim(0, min(1.12, longest * 1.18))  # room for the numbers beside the bars
        if len(series) > 1:
            drawn_on.legend(loc="outside upper right", ncols=len(series), frameon=False)
        return inlined(drawn_on, title, name)


def histogram(title: str, series: Sequence[tuple[str, Sequence[float]]], name: str) -> str:
    """Draw the number of documents by score: one panel for each series, scores from 0 to 1 in tenths."""
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
    """Draw points with intervals (value, low, high), one row for each label, one marker for each series."""
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
    """Draw for each pair of runs the differences of documents, from the largest win to the largest loss."""
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


def _short(label: str, most: int = 28) -> str:
    """Shorten the label of an axis; the table next to the plot has it in full."""
    return label if len(label) <= most else f"{label[: most - 1]}…"
