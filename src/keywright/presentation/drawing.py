"""Figures in the style of our pages, as self-contained SVG and as PNG, readable without colour."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from keywright.core.errors import MissingExtra

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
    try:
        import matplotlib as mpl  # noqa: PLC0415 - heavy, an extra, only pages need it
    except ImportError as error:
        message = "plots need matplotlib, which is not installed"
        raise MissingExtra(message, "pip install 'keywright[eval]'") from error
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
