"""Results that are kept until the code that computes them changes."""

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import keywright
from keywright.core.atomic_files import whole_file

PACKAGE: Final = Path(keywright.__file__).parent
FOLDERS: Final = (PACKAGE.parent, Path(__file__).parents[1])  # folders of our packages: ``keywright`` and ``studies``
MODELS: Final = PACKAGE / "models"


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """Statements of one module of ours.

    Attributes:
        path: its file.
        definitions: statements that bind a name, by name.
        imports: dotted names of what is imported, by local name.
        loose: statements that bind no name, which run on import.
    """

    path: Path
    definitions: Mapping[str, tuple[ast.stmt, ...]]
    imports: Mapping[str, str]
    loose: tuple[ast.stmt, ...]


@cache
def code_digest(*roots: str) -> str:
    """Return the SHA-256 over the code of roots and of everything that they use in our packages.

    Imports within functions count; those for type checkers do not. Data files count where they are beside a module that
    is used, or where a string that is used names a file of ``models``. Other trained tables are not code: signatures of
    systems contain their hashes.

    Args:
        roots: modules, or definitions such as ``keywright.extraction.systems.kea.Kea``.
    """
    lines = set()
    for name in used(*roots):
        module, symbol = _located(name)
        module_name, source = module, _module(module)
        lines.add(f"{module_name} {_files_beside(source.path)}")
        for statement in (*source.loose, *source.definitions.get(symbol, ())):
            lines.add(f"{module_name} {_digest(statement)} {_tables(statement)}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def used(*roots: str) -> frozenset[str]:
    """Return the dotted names of our definitions among the roots and everything that they use."""
    names: set[str] = set()
    waiting = list(roots)
    while waiting:
        module, symbol = _located(waiting.pop())
        name = f"{module}.{symbol}" if symbol else module
        if not module or name in names:
            continue
        source = _module(module)
        if not symbol:  # the whole module
            waiting.extend(f"{module}.{each}" for each in source.definitions)
        elif symbol not in source.definitions:  # imported there, or not there
            waiting.extend([source.imports[symbol]] if symbol in source.imports else [])
            continue
        names.add(name)
        for statement in (*source.loose, *source.definitions.get(symbol, ())):
            waiting.extend(_uses(statement, module, source))
    return frozenset(names)


def _located(name: str) -> tuple[str, str]:
    """Return the module of a dotted name, and the name in it; both may be empty."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        if _path(module := ".".join(parts[:size])) is not None:
            return module, parts[size] if size < len(parts) else ""
    return "", ""


def _uses(statement: ast.stmt, module: str, source: Module) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and (node.id in source.definitions or node.id in source.imports):
            yield f"{module}.{node.id}"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imported(node).values()


@cache
def _path(name: str) -> Path | None:
    """Return the file of a module of ours; None for a module of others and for what is not a module."""
    for folder in FOLDERS:
        place = folder.joinpath(*name.split("."))
        for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _module(name: str) -> Module:
    path = _path(name)
    if path is None:
        raise TypeError(f"{name} is not a module of ours")
    definitions: dict[str, tuple[ast.stmt, ...]] = {}
    imports: dict[str, str] = {}
    loose = []
    for statement in _Bare().visit(ast.parse(path.read_bytes())).body:
        for node in ast.walk(statement) if not isinstance(statement, _SCOPES) else ():
            imports |= _imported(node) if isinstance(node, ast.Import | ast.ImportFrom) else {}
        names = set(_bound(statement))
        definitions |= {name: (*definitions.get(name, ()), statement) for name in names}
        if not names and not isinstance(statement, ast.Import | ast.ImportFrom):
            loose.append(statement)
    return Module(path, definitions, imports, tuple(loose))


_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module defines."""
    if isinstance(statement, _SCOPES):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, _SCOPES):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return dotted names by local name; ``import a.b`` binds ``a`` and uses all of ``a.b``."""
    if isinstance(node, ast.ImportFrom):
        return {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}


class _Bare(ast.NodeTransformer):
    """Removes what never runs: docstrings, and blocks for type checkers."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        """Remove a statement that is only a string."""
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        """Remove ``if TYPE_CHECKING``."""
        checking = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if checking else self.generic_visit(node)


def _digest(statement: ast.stmt) -> str:
    return hashlib.sha256(ast.dump(statement).encode()).hexdigest()


def _tables(statement: ast.stmt) -> str:
    """Return the hashes of the files of ``models`` whose name is a string in a statement."""
    strings = {node.value for node in ast.walk(statement) if isinstance(node, ast.Constant)}
    return " ".join(_content(file) for file in sorted(MODELS.iterdir()) if file.name in strings)


@cache
def _files_beside(path: Path) -> str:
    """Return the hashes of the data files in a module's folder."""
    return " ".join(
        f"{file.name} {_content(file)}"
        for file in sorted(path.parent.iterdir())
        if file.is_file() and file.suffix not in {".py", ".pyc"}
    )


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def cached(folder: Path, identity: Iterable[Any], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a result of JSON values only, read from the folder or computed and written there.

    Args:
        folder: of the results; created where it does not exist.
        identity: JSON values of everything that decides the result; for the code there is ``source_code.code_digest``.
        make: computes it.
    """
    path = folder / f"{digest_of(identity)[:24]}.json"
    try:
        result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        result = make()
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            json.dump(result, file)
    return result


def digest_of(value: Any) -> str:
    """Return the SHA-256 of JSON values, or of an iterable of them, 64 hexadecimal digits."""
    plain = value if isinstance(value, dict | list) else list(value)
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()
