"""Count rooms and the imports between them, lines by kind, repeated module names, and files an extraction opens."""

import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

PACKAGE: Final = "src/keywright"
EXAMPLE: Final = "examples/article.pdf"

_FOLLOW: Final = """
import json, sys, threading
from pathlib import Path
import keywright as kw
package = str(Path(kw.__file__).parent)
executed = set()
def follow(frame, event, argument):
    if event == "call" and frame.f_code.co_name != "<module>":
        executed.add(frame.f_code.co_filename)
threading.setprofile(follow)
sys.setprofile(follow)
kw.extract(kw.read(sys.argv[1]))
sys.setprofile(None)
loaded = {module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)}
print(json.dumps([len([name for name in names if name.startswith(package)]) for names in (executed, loaded)]))
"""
"""Program that extracts keyphrases and prints how many files of the package ran a function, and how many are loaded."""


@dataclass(frozen=True)
class Rooms:
    """Direct parts of a folder (modules and packages), and the imports between them.

    floors   parts of the longest chain of imports; parts that import each other in a circle count as one floor
    imports  pairs of parts of which the first imports the second
    files    modules at any depth
    """

    rooms: int
    floors: int
    imports: int
    files: int


@dataclass(frozen=True)
class Lines:
    """Lines of files by kind; a line is of one kind, and blank lines inside docstrings are docstring."""

    all: int
    code: int
    imports: int
    docstrings: int
    comments: int
    blank: int


def rooms(root: Path, folder: str) -> Rooms:
    """Count the rooms of a folder of the package, as ``calibration``."""
    place = root / PACKAGE / folder
    files = [path for path in sorted(place.rglob("*.py")) if path != place / "__init__.py"]
    parts = {_part(path.relative_to(place)) for path in files if path.name != "__init__.py"}
    prefix = ["keywright", *Path(folder).parts]
    edges: dict[str, set[str]] = {part: set() for part in parts}
    for path in files:
        part = _part(path.relative_to(place))
        targets = {
            name[len(prefix)] for name in _imported(path) if name[: len(prefix)] == prefix and len(name) > len(prefix)
        }
        edges[part] |= (targets & parts) - {part}
    modules = sum(path.name != "__init__.py" for path in files)
    return Rooms(len(parts), _floors(edges), sum(map(len, edges.values())), modules)


def _part(path: Path) -> str:
    return path.parts[0].removesuffix(".py")


def _imported(path: Path) -> list[list[str]]:
    """Return the full names that a module imports, each as its parts."""
    names: list[list[str]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [[*node.module.split("."), alias.name] for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name.split(".") for alias in node.names]
    return names


def _floors(edges: dict[str, set[str]]) -> int:
    reachable = {part: _reachable(edges, part) for part in edges}
    circles = {
        part: frozenset(other for other in reachable[part] if part in reachable[other]) | {part} for part in edges
    }
    depths: dict[frozenset[str], int] = {}

    def depth(circle: frozenset[str]) -> int:
        if circle not in depths:
            below = {circles[target] for part in circle for target in edges[part]} - {circle}
            depths[circle] = 1 + max(map(depth, below), default=0)
        return depths[circle]

    return max(map(depth, circles.values()), default=0)


def _reachable(edges: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = edges[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


def lines(root: Path, folder: str = PACKAGE) -> Lines:
    """Count the lines of all Python files of a folder."""
    totals: dict[str, int] = defaultdict(int)
    for path in sorted((root / folder).rglob("*.py")):
        for kind, count in _kinds(path.read_text("utf-8")).items():
            totals[kind] += count
    return Lines(**{kind: totals[kind] for kind in Lines.__dataclass_fields__})


def _kinds(source: str) -> dict[str, int]:
    text = source.splitlines()
    kinds = ["blank" if not line.strip() else "code" for line in text]

    def mark(first: int, last: int | None, kind: str) -> None:
        kinds[first - 1 : last or first] = [kind] * ((last or first) - first + 1)

    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip():
            mark(token.start[0], None, "comments")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            mark(node.lineno, node.end_lineno, "imports")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            mark(node.lineno, node.end_lineno, "docstrings")
    return {kind: kinds.count(kind) for kind in set(kinds)} | {"all": len(text)}


def repeated_names(root: Path) -> dict[str, list[str]]:
    """Return the module names that occur in more than one folder of the package, with the folders."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted((root / PACKAGE).rglob("*.py")):
        if path.stem not in {"__init__", "__main__"}:
            places[path.stem].append(path.parent.relative_to(root / PACKAGE).as_posix())
    return {name: folders for name, folders in sorted(places.items()) if len(folders) > 1}


def files_opened(root: Path) -> tuple[int, int]:
    """Return how many files of the package run a function from a PDF to its keyphrases, and how many are loaded."""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", _FOLLOW, str(root / EXAMPLE)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    executed, loaded = json.loads(done.stdout)
    return executed, loaded


def counted(root: Path, *, run: bool = True) -> dict[str, int]:
    """Return all counts of structure, by name; ``run`` includes the counts that need an extraction."""
    counts: dict[str, int] = {}
    for folder in ("calibration", "evaluation"):
        counts |= {f"{folder}: {name}": number for name, number in asdict(rooms(root, folder)).items()}
    counts |= {f"lines: {name}": number for name, number in asdict(lines(root)).items()}
    counts["files"] = sum(1 for _ in (root / PACKAGE).rglob("*.py"))
    repeated = repeated_names(root)
    counts |= {
        "module names that occur twice or more": len(repeated),
        "modules with such a name": sum(map(len, repeated.values())),
    }
    if not run:
        return counts
    executed, loaded = files_opened(root)
    return counts | {"files that run from a PDF to its keyphrases": executed, "files loaded on that way": loaded}
