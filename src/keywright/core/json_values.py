"""Values of JSON checked for what they should be: each function gives the value back, or says what it found instead."""

import sys
from collections.abc import Mapping
from typing import Any


def an_object(value: Any) -> Mapping[str, Any]:
    """A JSON object.

    Raises:
        TypeError: it is something else, as for all functions here.
    """
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {value!r:.60}")
    return value


def a_list(value: Any, name: str) -> list[Any]:
    """A JSON list."""
    if not isinstance(value, list):
        raise TypeError(f"{name} must be a list, found {value!r:.60}")
    return value


def texts(value: Any, name: str) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text(one, name) for one in a_list(value, name))


def text(value: Any, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, found {value!r:.60}")
    return value


def number(value: Any, name: str) -> float:
    """A finite number, not larger than a float can be."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise TypeError(f"{name} must be a finite number, found {value!r:.60}")
    return value


def numbers(value: Any, name: str) -> tuple[float, ...]:
    """A list of finite numbers."""
    return tuple(number(one, name) for one in a_list(value, name))


def whole(value: Any, name: str) -> int:
    """A whole number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} must be a whole number from 0, found {value!r:.60}")
    return value
