"""Libraries that call keywright, for the tests of the parts for them."""

import importlib
import os
from typing import Any

import pytest

TEXTS = (
    "A grid scheduler assigns jobs to machines. The grid scheduler knows every machine.",
    "",
    "Rain gardens hold storm water. A rain garden needs sand.\r\nSand lets storm water through.",
)
"""Texts of which the second has no words, and the third has a line end of two characters."""


def host(module: str) -> Any:
    """Return a module of a library that tests need: without it they skip, but where CI runs they fail."""
    if os.environ.get("CI"):
        return importlib.import_module(module)
    return pytest.importorskip(module)
