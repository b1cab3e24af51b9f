"""JSON: dataclasses as plain values and back, checks of values, and text that is safe for any terminal."""

import collections.abc
import dataclasses
import enum
import functools
import json
import re
import sys
import types
import typing
from collections.abc import Mapping
from typing import Any, Final

_NO_CHARACTER: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines, and code points without a character, such as those of damaged ids."""


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that is safe for any terminal and any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def encode(value: Any) -> Any:
    """Return a value as JSON values: dataclasses as objects of their fields, in order, arrays and tuples as lists.

    Metadata of a field can give its ``key`` in the object; with ``optional`` a false value is left out.
    """
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        return value.tolist()
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: encode(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return list(map(encode, value))
    if dataclasses.is_dataclass(value):
        items = ((field.metadata, field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {
            metadata.get("key", name): encode(item)
            for metadata, name, item in items
            if "optional" not in metadata or item
        }
    return value


def decode(kind: Any, value: Any, name: str) -> Any:
    """Return a value of a type from JSON values; fields of a dataclass that may be None may be missing.

    ``kind``: a dataclass, an enumeration, text, a number (of those from 0 where whole), or a tuple, mapping or
    union with None of these; ``name``: of the value, for messages.

    Raises:
        KeyError, TypeError, ValueError: the values are not those of the type.
    """
    arguments = typing.get_args(kind)
    if check := _CHECKS.get(kind):
        return check(value, name)
    if types.NoneType in arguments:
        return None if value is None else decode(arguments[0], value, name)
    if typing.get_origin(kind) is collections.abc.Mapping:
        return {key: decode(arguments[1], item, key) for key, item in check_object(value).items()}
    if typing.get_origin(kind) is tuple:
        return tuple(decode(arguments[0], item, name) for item in check_list(value, name))
    if isinstance(kind, enum.EnumType):
        return kind(value)
    record = check_object(value)
    return kind(
        **{
            field: decode(hint, record.get(field) if optional else record[field], field)
            for field, hint, optional in _fields(kind)
        }
    )


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """Return name and type of each field of a dataclass, and whether it may be missing."""
    hints = typing.get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    return tuple((name, hints[name], types.NoneType in typing.get_args(hints[name])) for name in names)


def check_object(value: Any) -> Mapping[str, Any]:
    """Return a JSON object, or raise ``TypeError`` with the value found; so do all checks."""
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {value!r:.60}")
    return value


def check_list(value: Any, name: str) -> list[Any]:
    """Return a JSON list."""
    if not isinstance(value, list):
        raise TypeError(f"{name} must be a list, found {value!r:.60}")
    return value


def check_text(value: Any, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, found {value!r:.60}")
    return value


def check_texts(value: Any, name: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(check_text(item, name) for item in check_list(value, name))


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


_CHECKS: Final[Mapping[Any, Any]] = {str: check_text, float: check_number, int: check_count}
