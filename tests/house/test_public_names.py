"""The public names of the package: one list, all of them there, and the same for programs that check types."""

import ast
from pathlib import Path

from tests.house.tree import ROOT, parsed

import keywright as kw
from keywright import systems


def test_every_public_name_is_there():
    assert [name for name in kw.__all__ if getattr(kw, name) is None] == []
    assert set(dir(kw)) == set(kw.__all__) == {*kw._PLACE, "__version__"}


def test_type_checkers_see_the_same_names():
    assert imported_names("__init__.py") - {"VERSION"} == set(kw.__all__) - {"__version__"}
    assert imported_names("systems.py") == set(systems.__all__)
    assert all(getattr(systems, name) for name in systems.__all__)


def test_every_name_for_systems_is_explained():
    page = (ROOT / "docs" / "how-to" / "write-a-system.md").read_text("utf-8")
    assert [name for name in systems.__all__ if f"`{name}" not in page] == []


def imported_names(file):
    return {
        alias.asname or alias.name
        for node in ast.walk(parsed(Path(file)))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("keywright")
        for alias in node.names
    }
