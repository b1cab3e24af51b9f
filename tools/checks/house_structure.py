"""Count files, lines, circles, imports between rooms, names, tests, words of documents, and files that tasks enter."""

import ast
import io
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from house_language import PARTICIPLE, functions

PACKAGE: Final = "src/keywright"
NEEDED: Final = ("src", "studies", "tests", "docs", "examples", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Files and folders of a checkout that the counts need."""
SMALL: Final = 40
"""Lines below which a file needs a reason (shared style: a file holds a whole idea)."""
USERS_DOCUMENTS: Final = ("start", "tutorials", "how-to", "reference", "gallery.md", "index.md")
"""Parts of ``docs`` that people who use the package read; results of studies and decisions are for the others."""

TASKS: Final = {
    "extract article.pdf": ["extract", "examples/article.pdf", "--quiet"],
    "extract article.txt": ["extract", "examples/article.txt", "--quiet"],
    "score": ["score", "{}/run.jsonl", "--gold", "{}/gold.jsonl", "--protocol", "keywright-1", "--quiet"],
    "summaries score": [
        "summaries",
        "score",
        "docs/examples/summaries.jsonl",
        "--evaluator",
        "rouge155",
        "--evaluator",
        "kpeval",
        "--quiet",
    ],
    "POST /api/extract": ["serve", "--port", "0", "--jobs", "1"],
}
"""Commands whose files are counted; the service gets one request."""

_FOLLOW: Final = """
import os, sys, threading
package = os.environ["KEYWRIGHT_FOLLOWED"]
entered = set()
def follow(frame, event, argument):
    code = frame.f_code
    # Bodies of modules and classes run at import; functions have optimised locals.
    if event == "call" and code.co_flags & 1 and code.co_filename not in entered:
        entered.add(code.co_filename)
        if code.co_filename.startswith(package):
            with open(os.environ["KEYWRIGHT_ENTERED"], "a") as file:
                file.write(code.co_filename + "\\n")
threading.setprofile(follow)
sys.setprofile(follow)
"""
"""Python's ``sitecustomize``, so that worker processes are followed as well."""


def count_structure(root: Path, *, run: bool = True) -> dict[str, int]:
    """Return all counts of structure, by name; ``run`` includes those that need the package to run."""
    files = sorted((root / PACKAGE).rglob("*.py"))
    trees = {path: ast.parse(path.read_text("utf-8")) for path in files}
    lengths = [_count_lines(path) for path in files]
    names = [function.name for tree in trees.values() for function in functions(tree)]
    counts = {
        "src: lines": sum(lengths),
        "src: files": len(files),
        f"src: files under {SMALL} lines": sum(
            length < SMALL for path, length in zip(files, lengths, strict=True) if path.name != "__init__.py"
        ),
        "src: circles of imports": len(find_circles(root)),
        "src: imports between rooms": len(_room_imports(root)),
        "src: functions": len(names),
        "src: functions named by a participle": sum(bool(PARTICIPLE.fullmatch(name)) for name in names),
        "src: public names defined in several modules": _repeated_names(trees.values()),
        "tests: lines": sum(map(_count_lines, (root / "tests").rglob("*.py"))),
        "documents: words": sum(map(_count_words, _documents(root))),
        "documents for users: words": sum(map(_count_words, _documents(root, users=True))),
    }
    return counts | (count_entered(root) if run else {})


def _count_lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def _count_words(path: Path) -> int:
    return len(path.read_text("utf-8").split())


def _documents(root: Path, *, users: bool = False) -> Iterator[Path]:
    tops = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    yield from (root / name for name in tops[: 1 if users else None] if (root / name).is_file())
    for path in sorted((root / "docs").rglob("*.md")):
        if not users or path.relative_to(root / "docs").parts[0] in USERS_DOCUMENTS:
            yield path


def _repeated_names(trees: Iterable[ast.Module]) -> int:
    """Return how many public classes and functions of module level have a name that another module defines as well."""
    modules: dict[str, int] = defaultdict(int)
    for tree in trees:
        names = {
            node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        }
        for name in names:
            modules[name] += not name.startswith("_")
    return sum(number > 1 for number in modules.values())


def _imports(root: Path) -> dict[str, set[str]]:
    """Return the modules of the package that each module imports, also inside functions and for types only."""
    source = root / "src"
    names = {}
    for path in (root / PACKAGE).rglob("*.py"):
        parts = path.relative_to(source).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    edges: dict[str, set[str]] = {}
    for module, path in names.items():
        targets: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                targets |= {
                    full if (full := f"{node.module}.{alias.name}") in names else node.module for alias in node.names
                }
            elif isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
        edges[module] = (targets & names.keys()) - {module}
    return edges


def _room_imports(root: Path) -> set[tuple[str, str]]:
    """Return pairs of folders or modules right inside the package of which the first imports the second."""
    rooms = {
        (room[1], other[1])
        for module, targets in _imports(root).items()
        for target in targets
        if len(room := module.split(".")) > 1 and len(other := target.split(".")) > 1
    }
    return {(room, other) for room, other in rooms if room != other}


def find_circles(root: Path) -> list[list[str]]:
    """Return the groups of modules that import each other in a circle (strongly connected components)."""
    edges = _imports(root)
    reached = {module: _reach(edges, module) for module in edges}
    circles = {
        tuple(sorted({module} | {other for other in reached[module] if module in reached[other]})) for module in edges
    }
    return sorted(list(circle) for circle in circles if len(circle) > 1)


def _reach(edges: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = edges[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


def count_entered(root: Path) -> dict[str, int]:
    """Return in how many files of the package each task runs a function, worker processes included."""
    return {f"files entered by {name}": len(entered_files(root, task)) for name, task in TASKS.items()}


def entered_files(root: Path, task: list[str]) -> set[str]:
    """Return the files of the package in which a command runs a function."""
    with tempfile.TemporaryDirectory() as name:
        folder, entered = Path(name), Path(name, "entered")
        (folder / "sitecustomize.py").write_text(_FOLLOW)
        (folder / "gold.jsonl").write_text('{"id": "a", "text": "Grid markets.", "keyphrases": ["grid market"]}\n')
        (folder / "run.jsonl").write_text('{"id": "a", "keyphrases": ["grid market", "price"]}\n')
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join((name, str(root / "src"))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "KEYWRIGHT_FOLLOWED": str(root / PACKAGE),
            "KEYWRIGHT_ENTERED": str(entered),
        }
        command = [sys.executable, "-c", "from keywright.faces.cli import main; main()"]
        command += [argument.format(name) for argument in task]
        if task[0] == "serve":
            _serve(command, root, environment)
        else:
            subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
        return set(entered.read_text().split("\n")) - {""}


def _serve(command: list[str], root: Path, environment: dict[str, str]) -> None:
    """Start the service, send one request, and stop it."""
    code = (
        "import sys, json, urllib.request as u\n"
        "body = json.dumps({'text': 'Grid markets. A grid market clears.'}).encode()\n"
        "r = u.Request(sys.argv[1] + '/api/extract', body, {'Content-Type': 'application/json'})\n"
        "print(u.urlopen(r).status)"
    )
    with subprocess.Popen(command, cwd=root, env=environment, stderr=subprocess.PIPE, text=True) as service:
        output = service.stderr or io.StringIO()
        try:
            address = next(match[0] for line in output if (match := re.search(r"http://[\d.:]+", line)))
            subprocess.run([sys.executable, "-c", code, address], check=True, capture_output=True)
        finally:
            service.terminate()
            output.read()
