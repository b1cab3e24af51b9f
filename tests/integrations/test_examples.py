"""Examples in docstrings run, and each part says which library it needs where that is not installed."""

import doctest
import importlib
import importlib.resources
import sys

import pytest
from tests.integrations.hosts import host

from keywright.core.errors import MissingExtra

PARTS = {
    "spacy": ("spacy", "spacy"),
    "sklearn": ("sklearn", "scikit-learn"),
    "langchain": ("langchain_core", "langchain-core"),
    "haystack": ("haystack", "haystack-ai"),
    "table_batches": ("pandas", "pandas"),
}
"""The library of each part: the name that is imported, and the name that is installed."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("part", PARTS)
def test_the_examples_of_a_part_run(part):
    host(PARTS[part][0])
    module = importlib.import_module(f"keywright.integrations.{part}")
    assert not doctest.testmod(module, optionflags=FLAGS).failed


@pytest.mark.parametrize("part", sorted(PARTS.keys() - {"table_batches"}))
def test_a_part_without_its_library_says_what_to_install(part, monkeypatch):
    """The functions for tables work on what they are given, and need no library."""
    name = f"keywright.integrations.{part}"
    library, package = PARTS[part]
    for module in [each for each in sys.modules if each == library or each.startswith(f"{library}.")]:
        monkeypatch.setitem(sys.modules, module, None)  # as if not installed
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(MissingExtra, match=package) as caught:
        importlib.import_module(name)
    assert caught.value.hint == f"pip install {package}"


def test_every_part_is_listed():
    import keywright.integrations  # noqa: PLC0415

    folder = importlib.resources.files(keywright.integrations)
    parts = {file.name.removesuffix(".py") for file in folder.iterdir() if file.name.endswith(".py")}
    assert parts - {"__init__", "hosts", "texts"} == PARTS.keys()
