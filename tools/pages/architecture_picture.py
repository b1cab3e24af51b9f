"""Draw the floors of the package and the flow of its values: docs/explanation/architecture.svg.

Everything in the picture is read from the code: the floors from the import checker's contract in ``pyproject.toml``,
the purpose of a room from the first line of its docstring, its imports from the syntax trees of its files.

    python -m tools.pages.architecture_picture           writes the picture
    python -m tools.pages.architecture_picture --check   exits with status 1 if the stored picture differs
"""

import ast
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src" / "keywright"
PICTURE: Final = ROOT / "docs" / "explanation" / "architecture.svg"

FLOW: Final = (
    ("Document", "reading"),
    ("AnalysedDocument", "text"),
    ("Candidates", "extraction/candidates"),
    ("Floats", "extraction/features"),
    ("Ranking", "extraction/ranking"),
    ("Prediction", "running"),
)
"""Values on their way from a file to a person, and the room whose functions return each; both are checked."""

# Sizes in pixels; chosen by eye.
WIDTH: Final = 1200
LANE: Final = 180
GAP: Final = 10
PADDING: Final = 12
LINE: Final = 17
TITLE: Final = 20
PILL: Final = 44
ARROW: Final = 22
CHARACTER: Final = 7.3
"""Mean width of a character of the 13-pixel text, rounded up so that lines stay inside their boxes in any font."""


@dataclass(frozen=True)
class Room:
    """A folder or module of the package: its purpose, its folders and the rooms that it imports, from the top floor."""

    name: str
    purpose: str
    folders: tuple[str, ...]
    imports: tuple[str, ...]


WING: Final = "extraction"
"""Folder that is drawn room by room, by the second contract."""


def floors() -> list[list[str]]:
    """Return the names of the rooms of each floor, top floor first; those of the wing are ``extraction/ranking``."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    house, wing = (contract["layers"] for contract in settings["tool"]["importlinter"]["contracts"][:2])
    names = []
    for layer in house:
        rooms_of_layer = _split_layer(layer)
        names.append([name for name in rooms_of_layer if name != WING])
        if WING in rooms_of_layer:
            names += [[f"{WING}/{name}" for name in _split_layer(part)] for part in wing]
    present = [[name for name in floor if _files(name)] for floor in names]
    return [floor for floor in present if floor]


def _shorten(name: str) -> str:
    """Return the name of a room without the wing."""
    return name.removeprefix(f"{WING}/")


def _split_layer(layer: str) -> list[str]:
    return [name.strip(" ()") for name in re.split(r"[|:]", layer)]


def rooms() -> list[list[Room]]:
    """Return the rooms of each floor, top floor first."""
    names = floors()
    order = [name for floor in names for name in floor]
    return [[_room(name, order) for name in floor] for floor in names]


def _files(name: str) -> list[Path]:
    """Return the Python files of a room."""
    module = PACKAGE / f"{name}.py"
    return [module] if module.is_file() else sorted((PACKAGE / name).rglob("*.py"))


def _room(name: str, order: list[str]) -> Room:
    """Read a room from its files."""
    files = _files(name)
    head = PACKAGE / name / "__init__.py"
    purpose = (ast.get_docstring(_tree(head if head in files else files[0])) or "").partition("\n")[0]
    folders = sorted(path.parent.name for path in (PACKAGE / name).glob("*/__init__.py"))
    imported = {other for path in files for other in _imports(_tree(path))} - {name}
    return Room(name, purpose.replace("``", ""), tuple(folders), tuple(other for other in order if other in imported))


def _tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def _imports(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the rooms that a module imports, anywhere in it."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for parts in (name.split(".") for name in names if name.startswith("keywright.")):
            yield "/".join(parts[1:3]) if parts[1] == WING else parts[1]


def check_flow() -> None:
    """Raise SystemExit where no function of a room returns the value that the picture shows there."""
    for value, room in FLOW:
        nodes = [node for path in _files(room) for node in ast.walk(_tree(path))]
        returned = {ast.unparse(node.returns) for node in nodes if isinstance(node, ast.FunctionDef) and node.returns}
        if not any(re.search(rf"\b{value}\b", annotation) for annotation in returned):
            raise SystemExit(f"no function of {room} returns a {value}: correct FLOW in {Path(__file__).name}")


def _wrapped(room: Room, width: float) -> list[tuple[str, str]]:
    """Return the lines below a room's name, each with its style."""
    characters = int((width - 2 * PADDING) / CHARACTER)
    texts = [("purpose", room.purpose)]
    if room.folders:
        texts.append(("folders", f"folders: {', '.join(room.folders)}"))
    texts.append(("imports", f"imports: {', '.join(map(_shorten, room.imports)) or 'nothing'}"))
    return [(style, line) for style, text in texts for line in textwrap.wrap(text, characters, break_on_hyphens=False)]


def _box(room: Room, left: float, top: float, width: float, height: float) -> Iterator[str]:
    """Yield the elements of one room."""
    yield f'<rect class="room" x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="4"/>'
    yield f'<text class="name" x="{left + PADDING:g}" y="{top + TITLE + 2:g}">{escape(room.name)}</text>'
    for number, (style, line) in enumerate(_wrapped(room, width), 1):
        y = top + TITLE + 3 + number * LINE
        yield f'<text class="{style}" x="{left + PADDING:g}" y="{y:g}">{escape(line)}</text>'


def _lane(tops: dict[str, tuple[float, float]]) -> Iterator[str]:
    """Yield the values of the flow, each beside the floor of the room that makes it, joined by arrows."""
    beside: dict[tuple[float, float], list[tuple[str, str]]] = {}
    for value, room in FLOW:
        beside.setdefault(tops[room], []).append((value, room))
    middle = LANE / 2
    start: float | None = None
    for (top, height), values in beside.items():
        centre = top + (height + (len(values) - 1) * (PILL + ARROW)) / 2
        for value, room in values:
            if start is not None:
                line = f"M{middle:g} {start:g} V{centre + PILL / 2 + 6:g}"
                yield f'<path class="flow" d="{line}" marker-end="url(#tip)"/>'
            shape = f'x="{GAP}" y="{centre - PILL / 2:g}" width="{LANE - 2 * GAP:g}" height="{PILL}" rx="{PILL / 2:g}"'
            yield f'<rect class="value" {shape}/>'
            yield f'<text class="kind" x="{middle:g}" y="{centre - 3:g}">{value}</text>'
            yield f'<text class="maker" x="{middle:g}" y="{centre + 14:g}">from {_shorten(room)}</text>'
            start = centre - PILL / 2
            centre -= PILL + ARROW


STYLE: Final = """
text { font-family: sans-serif; font-size: 13px; fill: #000; }
.name { font-size: 16px; font-weight: bold; }
.folders { fill: #333; }
.imports { fill: #444; font-style: italic; }
.room { fill: #fff; stroke: #444; }
.floor { fill: #eee; }
.value { fill: #fff; stroke: #000; stroke-width: 2; }
.kind { font-weight: bold; text-anchor: middle; }
.maker { text-anchor: middle; fill: #333; }
.flow { stroke: #000; stroke-width: 2; fill: none; }
"""

TIP: Final = (
    '<marker id="tip" markerWidth="12" markerHeight="12" refX="6" refY="6" orient="auto" '
    'markerUnits="userSpaceOnUse"><path d="M0 0 L12 6 L0 12 Z"/></marker>'
)


def picture() -> str:
    """Return the SVG."""
    check_flow()
    parts: list[str] = []
    tops: dict[str, tuple[float, float]] = {}
    top: float = 44
    for floor in rooms():
        width = (WIDTH - LANE - GAP * (len(floor) + 1)) / len(floor)
        values = sum(room.name == maker for room in floor for _, maker in FLOW)
        lines = max(len(_wrapped(room, width)) for room in floor)
        height = max(TITLE + PADDING + LINE * lines, values * (PILL + ARROW) - ARROW)
        parts.append(
            f'<rect class="floor" x="{LANE}" y="{top:g}" width="{WIDTH - LANE}" height="{height + 2 * GAP:g}" rx="6"/>'
        )
        for number, room in enumerate(floor):
            parts += _box(room, LANE + GAP + number * (width + GAP), top + GAP, width, height)
            tops[room.name] = (top, height + 2 * GAP)
        top += height + 3 * GAP
    heading = (
        '<text class="name" x="10" y="26">Values</text>'
        f'<text class="name" x="{LANE + GAP}" y="26">Floors of keywright: a room imports from lower floors only</text>'
    )
    frame = f'viewBox="0 0 {WIDTH} {top:g}" width="{WIDTH}" height="{top:g}"'
    words = "The rooms of keywright by floor, with what each is for and imports, and the values that pass between them"
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" aria-label="{words}">',
        f"<style>{STYLE}</style>",
        f"<defs>{TIP}</defs>",
        f'<rect width="{WIDTH}" height="{top:g}" fill="#fff"/>',
        heading,
    ]
    return "\n".join([*head, *_lane(tops), *parts, "</svg>"]) + "\n"


def main() -> None:
    """Write the picture, or check it."""
    drawn = picture()
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(drawn, "utf-8")
    elif not PICTURE.is_file() or PICTURE.read_text("utf-8") != drawn:
        raise SystemExit(f"{PICTURE.name} differs from the code: run python -m tools.pages.architecture_picture")


if __name__ == "__main__":
    main()
