"""JSON: checked values, and text that is safe for any terminal."""

import json
import re
import sys
from collections.abc import Mapping
from typing import Any, Final


def check_object(value: Any) -> Mapping[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {value!r:.60}")
    return value


def check_list(value: Any, name: str) -> list[Any]:
    """Return a JSON list."""
    if not isinstance(value, list):
        raise TypeError(f"{name} must be a list, found {value!r:.60}")
    return value


def check_texts(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(check_text(item, name) for item in check_list(value, name))


def check_text(value: Any, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, found {value!r:.60}")
    return value


def check_number(value: Any, name: str) -> float:
    """Return a finite number within the range of floats."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise TypeError(f"{name} must be a finite number, found {value!r:.60}")
    return value


def check_numbers(value: Any, name: str) -> tuple[float, ...]:
    """Return a list of finite numbers."""
    return tuple(check_number(item, name) for item in check_list(value, name))


def check_count(value: Any, name: str) -> int:
    """Return a whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} must be a whole number from 0, found {value!r:.60}")
    return value


_NO_CHARACTER: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines, and code points without a character, such as those of damaged ids."""


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that is safe for any terminal and any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
