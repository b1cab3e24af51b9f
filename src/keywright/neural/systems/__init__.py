"""Generators as systems: one file per published generator."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_CLASSES: Final = ("Bart", "ExHiRD", "One2Seq", "One2Set", "T5")
SYSTEMS: Final[Mapping[str, str]] = MappingProxyType(
    {name.lower(): f"keywright.neural.systems.{name.lower()}:{name}" for name in _CLASSES}
)
"""``module:class`` by the name of the generator."""
