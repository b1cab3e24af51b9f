"""The public names of the package: one list, all of them there, and the same for programs that check types."""

import ast
from pathlib import Path

from tests.house.tree import parsed

import keywright as kw


def test_every_public_name_is_there():
    assert [name for name in kw.__all__ if getattr(kw, name) is None] == []
    assert set(dir(kw)) == set(kw.__all__) == {*kw._PLACE, "__version__"}


def test_type_checkers_see_the_same_names():
    tree = parsed(Path("__init__.py"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("keywright")
        for alias in node.names
    }
    assert imported - {"VERSION"} == set(kw.__all__) - {"__version__"}
