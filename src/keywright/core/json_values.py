"""Checks of JSON values: each function returns the value, or raises ``TypeError`` with the value found."""

import sys
from collections.abc import Mapping
from typing import Any


def an_object(value: Any) -> Mapping[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {value!r:.60}")
    return value


def a_list(value: Any, name: str) -> list[Any]:
    """Return a JSON list."""
    if not isinstance(value, list):
        raise TypeError(f"{name} must be a list, found {value!r:.60}")
    return value


def texts(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(text(item, name) for item in a_list(value, name))


def text(value: Any, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, found {value!r:.60}")
    return value


def number(value: Any, name: str) -> float:
    """Return a finite number within the range of floats."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise TypeError(f"{name} must be a finite number, found {value!r:.60}")
    return value


def numbers(value: Any, name: str) -> tuple[float, ...]:
    """Return a list of finite numbers."""
    return tuple(number(item, name) for item in a_list(value, name))


def whole(value: Any, name: str) -> int:
    """Return a whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} must be a whole number from 0, found {value!r:.60}")
    return value
