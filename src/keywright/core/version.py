"""The version, in one place; part of every signature."""

from typing import Final

VERSION: Final = "0.1.0"
