"""The words of help, errors, notes and pages are plain: none of the listed turns in any text of the package.

Checked are all texts in the code but docstrings, and the docstrings that people read: of verbs, which are their help,
and of systems, which `keywright systems NAME` shows.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.plain_words import TURNS, Turn, findings
from tests.house.tree import PACKAGE, modules, parsed

MESSAGES = (
    Turn(r"\ball the same\b", "regardless"),
    Turn(r"\bonce more\b", "again"),
    Turn(r"\blearns? nothing\b", "does not use gold"),
    Turn(r"\bone a line\b|\b(?:lines?|tokens?|phrases?) an? (?:line|document|phrase)\b", "per"),
    Turn(r"\bturns? (?:them|it|these) into some\b", "converts into"),
)
"""Turns that messages should not have; in documents they may be fine."""

ALLOWED: dict[str, set[str]] = {}
"""Words that files still have: they may only become fewer."""


def texts(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module without docstrings; for replaced fields of f-strings ``{}``."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def shown_docstrings(path: Path, tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a module that the command line prints."""
    if "systems" in path.parts:
        yield ast.get_docstring(tree) or ""
    if "verbs" in path.parts:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield ast.get_docstring(node) or ""


def words(path: Path) -> set[str]:
    """Return the words of a module's texts that should be replaced, in lower case."""
    tree = parsed(path)
    read = " \n".join((*(text for text in texts(tree) if " " in text), *shown_docstrings(path, tree)))
    return {finding.words.lower() for finding in findings(read, (*TURNS, *MESSAGES))}


def test_messages_use_plain_words() -> None:
    marked = {str(path): found for path in modules() if (found := words(path))}
    assert marked == ALLOWED, "use the plain words of tests/house/plain_words.py; take out of ALLOWED what is gone"


@pytest.mark.parametrize("suffix", [".css", ".html"])
def test_templates_use_plain_words(suffix: str) -> None:
    marked = {path.name: [*findings(path.read_text("utf-8"))] for path in PACKAGE.rglob(f"*{suffix}")}
    assert not any(marked.values())


def test_texts_are_read_and_docstrings_are_not() -> None:
    source = '"""A promise."""\nname = "x"\nerror(f"{name} is no file", "get it again")\n'
    assert {*texts(ast.parse(source))} == {"x", "{} is no file", " is no file", "get it again"}
