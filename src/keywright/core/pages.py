"""Tables, figures readable without colour, and parts of a page: one self-contained HTML file, all content escaped."""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from keywright.core.errors import needs_extra
from keywright.core.json_values import replace_surrogates
from keywright.core.signatures import short_signature

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE_POLICY: Final = (
    '<meta http-equiv="Content-Security-Policy"'
    " content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
)
"""The policy of pages without scripts, forms and foreign parts; plots have styles in attributes."""

SHADES: Final = ("#222222", "#777777", "#dddddd")
HATCHES: Final = ("", "///", "")
MARKERS: Final = "osD^vP*X"
LINES: Final = ("-", "--", ":", "-.")
WIDTH: Final = 7.2  # width of a figure in inches; arbitrary
_PLOT_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "keywright",  # the same numbers, the same file
    "text.parse_math": False,  # names may hold dollars
    "svg.fonttype": "none",  # text stays text: small, searchable, read aloud
    "font.family": "sans-serif", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.grid.axis": "x", "axes.axisbelow": True, "grid.color": "#cccccc", "hatch.linewidth": 0.6,
}  # fmt: skip
_PROLOGUE: Final = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_SVG_METADATA: Final = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_NAMESPACE: Final = re.compile(r'\s+xmlns(?::\w+)?="[^"]*"')
_FONTS: Final = re.compile(r"font-family: [^;\"]*")
_NAMES: Final = re.compile(r'(\bid="|url\(#|xlink:href="#)')
_NAMESPACES: Final = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_DOTS: Final = 150  # per inch of a PNG, arbitrary
_NOT_HTML: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that HTML forbids, surrogates, and marks that change the direction of all following text."""


def isolate_text(text: str) -> str:
    """Return a text of any direction, isolated from the text around it."""
    return f"<bdi>{escape_html(text)}</bdi>"


def escape_html(text: str) -> str:
    """Return a text escaped for HTML, with replacement characters for forbidden ones."""
    return escape(_NOT_HTML.sub("\ufffd", text))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell; ``above``: letters of the runs that it is significantly better than."""

    text: str
    best: bool = False
    above: str = ""

    def html(self) -> str:
        """Return the content of the cell."""
        text = f"<strong>{escape(self.text)}</strong>" if self.best else escape(self.text)
        return f"{text}<sup>{escape(self.above)}</sup>" if self.above else text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, one per column, under headings; those of ``numbers`` are flush right; ``notes``: lines below."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int]
    notes: tuple[str, ...] = ()

    @classmethod
    def make(
        cls, caption: str, head: Iterable[str], rows: Iterable[Iterable[str | Cell]], words: int = 1,
        notes: Iterable[str] = (),
    ) -> "Table":  # fmt: skip
        """Return a table of texts or cells; the columns behind the first ``words`` hold numbers."""
        columns = tuple(head)
        cells = (tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
        return cls(caption, columns, tuple(cells), frozenset(range(words, len(columns))), tuple(notes))


def build_page(title: str, parts: Iterable[str]) -> str:
    """Build the whole file."""
    body = "\n".join(parts)
    style = resources.files("keywright.core").joinpath("pages.css").read_text("utf-8")
    page = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{PAGE_POLICY}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )
    return str(replace_surrogates(page))


def build_heading(text: str, level: int = 2) -> str:
    """Build a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def build_paragraph(text: str) -> str:
    """Build a paragraph."""
    return f"<p>{escape(text)}</p>"


def build_facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Build a list of names with their values; signatures are folded behind their short ones."""
    facts = []
    for name, text in pairs:
        value = f"<code>{escape(text)}</code>"
        signature, comma, rest = text.partition(", ")
        if "|" in signature:
            short = escape(f"{short_signature(signature)}{comma}{rest}")
            value = f"<details><summary><code>{short}</code></summary>{value}</details>"
        facts.append(f"<dt>{escape(name)}</dt><dd>{value}</dd>")
    return f"<dl>{''.join(facts)}</dl>"


def build_plot(svg: str) -> str:
    """Build the figure of a plot, which includes its title."""
    return f"<figure>{svg}</figure>"


def build_table(content: Table) -> str:
    """Build a table."""
    classes = [' class="n"' if index in content.numbers else "" for index in range(len(content.head))]
    heads = (f'<th scope="col"{kind}>{escape(name)}</th>' for kind, name in zip(classes, content.head, strict=True))
    rows = ((f"<td{kind}>{cell.html()}</td>" for kind, cell in zip(classes, row, strict=True)) for row in content.rows)
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><caption>{escape(content.caption)}</caption>\n'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def table_page(title: str, tables: Iterable[Table]) -> str:
    """Build a file of tables, with the notes of each below it."""
    parts = (part for each in tables for part in (build_table(each), *map(build_paragraph, each.notes)))
    return build_page(title, parts)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A drawn figure with its description, and a short word for files and ids, unique on a page."""

    title: str
    name: str
    figure: "Figure"

    def inline(self) -> str:
        """Return an ``svg`` element for a page, its ids made unique by the name."""
        file = io.StringIO()
        with plot_style():
            without = {"Date": None, "Creator": None, "Type": None, "Format": None}
            self.figure.savefig(file, format="svg", metadata=without)
        text = _FONTS.sub("font-family: sans-serif", _SVG_METADATA.sub("", _PROLOGUE.sub("", file.getvalue())))
        opening, rest = text.split(">", 1)
        named = _NAMES.sub(lambda match: f"{match[1]}{self.name}-", rest)
        label = f'role="img" aria-labelledby="{self.name}-title"'
        title = f'<title id="{self.name}-title">{escape(self.title)}</title>'
        return f"{_NAMESPACE.sub('', opening)} {label}>{title}{named}"

    def svg(self) -> str:
        """Return an SVG file."""
        return self.inline().replace("<svg ", f"<svg {_NAMESPACES} ", 1) + "\n"

    def png(self) -> bytes:
        """Return a PNG file."""
        file = io.BytesIO()
        with plot_style():
            self.figure.savefig(file, format="png", dpi=_DOTS, metadata={"Software": None})
        return file.getvalue()


@contextmanager
def plot_style() -> Iterator[None]:
    """Apply the pages' style temporarily, without warnings of glyphs that the font which measures texts lacks."""
    with needs_extra("eval", "plots need matplotlib"):
        import matplotlib as mpl  # noqa: PLC0415 - heavy, an extra, only pages need it
    with mpl.rc_context(_PLOT_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@contextmanager
def open_figure(height: float, rows: int = 1, columns: int = 1, width: float = WIDTH) -> Iterator[tuple[Any, Any]]:
    """Create an empty figure in the pages' style, sizes in inches, and its panels as matplotlib's ``subplots``."""
    with plot_style():
        from matplotlib.figure import Figure  # noqa: PLC0415 - heavy, an extra, only pages need it

        empty = Figure(figsize=(width, max(1.3, height)), layout="constrained")
        yield empty, empty.subplots(rows, columns)


def draw_bars(
    title: str, groups: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]], name: str
) -> str:
    """Draw horizontal bars, one group below the other, one bar for each series; values from 0 to 1, None has no bar."""
    height = 0.9 + 0.24 * len(groups) * len(series)
    with open_figure(height) as (drawn_on, axes):
        thick = 0.8 / len(series)
        for number, (label, values) in enumerate(series):
            places = np.arange(len(groups)) + (number - (len(series) - 1) / 2) * thick
            shown = [0.0 if value is None else value for value in values]
            shade, hatch = SHADES[number % len(SHADES)], HATCHES[number % len(HATCHES)]
            drawn = axes.barh(places, shown, thick * 0.9, label=label, color=shade, hatch=hatch, edgecolor="#222222")
            texts = ["" if value is None else f"{value:.3f}" for value in values]
            axes.bar_label(drawn, texts, padding=3, fontsize=8)
        axes.set_yticks(range(len(groups)), [_shorten(group) for group in groups])
        axes.invert_yaxis()
        longest = max([0.05, *(value for _, values in series for value in values if value)])
        axes.set_xlim(0, min(1.12, longest * 1.18))  # room for the numbers beside the bars
        if len(series) > 1:
            drawn_on.legend(loc="outside upper right", ncols=len(series), frameon=False)
        return Picture(title, name, drawn_on).inline()


def draw_histogram(title: str, series: Sequence[tuple[str, Sequence[float]]], name: str) -> str:
    """Draw the number of documents by score: one panel for each series, scores from 0 to 1 in tenths."""
    with open_figure(1.55 * len(series) + 0.5, len(series)) as (drawn_on, panels):
        for axes, (label, scores) in zip(np.atleast_1d(panels), series, strict=True):
            counts, _ = np.histogram(np.clip(scores, 0, 1), bins=np.linspace(0, 1, 11))
            drawn = axes.bar(np.arange(10) / 10 + 0.05, counts, 0.09, color=SHADES[1], edgecolor="#222222")
            axes.bar_label(drawn, ["" if not count else str(count) for count in counts], padding=1, fontsize=8)
            axes.set_title(label, fontsize=10, loc="left")
            axes.set(xlim=(0, 1), xticks=np.arange(11) / 10, ylabel="documents")
            axes.margins(y=0.15)
            axes.yaxis.get_major_locator().set_params(integer=True)
            axes.grid(visible=False)
        return Picture(title, name, drawn_on).inline()


def draw_intervals(
    title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[tuple[float, float, float]]]], name: str
) -> str:
    """Draw points with intervals (value, low, high), one row for each label, one marker for each series."""
    with open_figure(0.9 + 0.2 * len(labels) * max(2, len(series))) as (drawn_on, axes):
        step = 0.62 / max(1, len(series))
        for number, (label, points) in enumerate(series):
            places = np.arange(len(labels)) + (number - (len(series) - 1) / 2) * step
            middle, low, high = np.array(points).T
            marker, shade = MARKERS[number % len(MARKERS)], SHADES[number % 2]
            around = np.abs(np.stack([middle - low, high - middle]))
            axes.errorbar(middle, places, xerr=around, fmt=marker, color=shade, capsize=3, label=label, markersize=5)
        axes.set_yticks(range(len(labels)), [_shorten(label) for label in labels])
        axes.set_ylim(len(labels) - 0.5, -0.5)
        if len(series) > 1:
            drawn_on.legend(loc="outside upper right", ncols=min(4, len(series)), frameon=False)
        return Picture(title, name, drawn_on).inline()


def draw_differences(title: str, panels: Sequence[tuple[str, Sequence[float]]], name: str) -> str:
    """Draw for each pair of runs the differences of documents, from the largest win to the largest loss."""
    with open_figure(1.45 * len(panels) + 0.5, len(panels)) as (drawn_on, drawn):
        for axes, (label, values) in zip(np.atleast_1d(drawn), panels, strict=True):
            ordered = sorted(values, reverse=True)
            shades = [SHADES[0] if value > 0 else SHADES[2] for value in ordered]
            axes.bar(range(len(ordered)), ordered, 0.9, color=shades, edgecolor="#222222", linewidth=0.4)
            axes.axhline(0, color="#222222", linewidth=0.8)
            axes.set_title(label, fontsize=10, loc="left")
            axes.set(xlim=(-0.6, max(0.6, len(ordered) - 0.4)), xticks=[], ylabel="difference")
            axes.grid(visible=True, axis="y")
        return Picture(title, name, drawn_on).inline()


def _shorten(label: str, most: int = 28) -> str:
    """Shorten the label of an axis; the table next to the plot has it in full."""
    return label if len(label) <= most else f"{label[: most - 1]}…"
