"""The project's files, as the house rules look at them."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "keywright"


@cache
def files() -> tuple[Path, ...]:
    """Every file that git tracks or would track, relative to the root, in order."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(Path(name) for name in sorted(set(listed)) if (ROOT / name).is_file())


@cache
def modules() -> tuple[Path, ...]:
    """Python files of the package, relative to it."""
    return tuple(sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")))


@cache
def parsed(module: Path) -> ast.Module:
    """One module of the package as a syntax tree."""
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


@cache
def imported(module: Path) -> set[str]:
    """First names of everything that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names
