"""Limits of readers that people set in the environment: ``KEYWRIGHT_LIMITS=file_bytes=2e9,seconds=600``."""

import math
import os
from collections.abc import Callable
from typing import Final, TypeVar

from keywright.core.errors import BadParameter

VARIABLE: Final = "KEYWRIGHT_LIMITS"
"""The variable, which worker processes inherit."""
Number = TypeVar("Number", int, float)


def limit_from_environment(name: str, usual: Number) -> Callable[[], Number]:
    """Return a function for the value of a limit: as the environment says, else the usual one.

    Its call raises ``BadParameter`` where the environment has something else than numbers above 0.
    """
    return lambda: _read_limit(name, usual)


def advise_raising(name: str) -> str:
    """Return the advice to raise a limit."""
    return f"raise Limits.{name}, in the terminal by {VARIABLE}={name}=NUMBER"


def _read_limit(name: str, usual: Number) -> Number:
    for part in filter(None, os.environ.get(VARIABLE, "").split(",")):
        key, _, text = part.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise BadParameter(f"{VARIABLE} has {part!r}", f"expected {key}=NUMBER, such as file_bytes=2e9")
        if key.strip() == name:
            return type(usual)(value)
    return usual
