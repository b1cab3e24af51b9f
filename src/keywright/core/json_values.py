"""JSON: dataclasses as plain values and back, checks of values, and text that is safe for any terminal."""

import contextlib
import dataclasses
import enum
import functools
import json
import re
import sys
import types
import typing
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from keywright.core.errors import BadRequest, BrokenFile

_NO_CHARACTER: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines, and code points without a character, such as those of damaged ids."""
Part = TypeVar("Part")
_PLAIN: Final = frozenset({str, int, float, bool, types.NoneType})  # types of values that are JSON values as they are


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that is safe for any terminal and any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_LONE: Final = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no encoding has: from damaged JSON, and names of files in other encodings."""


def replace_surrogates(value: Any) -> Any:
    """Return a text, or JSON values, with replacement characters for halves of characters."""
    if isinstance(value, str):
        with contextlib.suppress(UnicodeEncodeError):
            value.encode()  # a search takes many times as long
            return value
        return _LONE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {replace_surrogates(name): replace_surrogates(item) for name, item in value.items()}
    return list(map(replace_surrogates, value)) if isinstance(value, list) else value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of pairs, as a hook of the parser; raise ``ValueError`` for a key that comes twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r:.60} comes twice")
    return values


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body; raise ``BadRequest`` for anything else."""
    try:
        values = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant, object_pairs_hook=unique_keys)
    except UnicodeDecodeError as error:
        message = f"the body is not valid UTF-8: {error.reason} at byte {error.start}"
        raise BadRequest(message, "send it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadRequest(f"the body is not valid JSON: {reason}", 'expected {"text": "..."}') from error
    if not isinstance(values, dict):
        raise BadRequest(f"the body is a JSON {type(values).__name__}, not an object", 'expected {"text": "..."}')
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def encode(value: Any) -> Any:
    """Return JSON values: dataclasses as objects of their fields, arrays and tuples as lists, parts by ``as_json``.

    Metadata of a field can give its ``key`` in the object; with ``optional`` a false value is left out.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: _encode_part(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return list(map(_encode_part, value))
    if dataclasses.is_dataclass(kind):
        items = ((field.metadata, field.name, getattr(value, field.name)) for field in dataclasses.fields(kind))
        return {
            metadata.get("key", name): _encode_part(item)
            for metadata, name, item in items
            if "optional" not in metadata or item
        }
    return value.tolist() if hasattr(value, "tolist") else value  # arrays and numbers of numpy


def _encode_part(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    return value.as_json() if hasattr(value, "as_json") else encode(value)


def decode(kind: Any, value: Any, name: str) -> Any:
    """Return a value of a type from JSON values, its keys as ``encode`` writes them; unknown keys are ignored.

    ``kind``: a dataclass, an enumeration, text, a number (from 0 where it is whole), anything, or a tuple, mapping or
    union with None of these; ``name``: of the value, for messages. Fields of a dataclass that may be None, or whose
    default is empty, may be missing. A class with a method ``from_dict`` reads its values itself. Other values raise
    KeyError, TypeError or ValueError.
    """
    return _make_decoder(kind)(value, name)


@functools.cache
def _make_decoder(kind: Any) -> Callable[[Any, str], Any]:
    arguments = typing.get_args(kind)
    if kind in _CHECKS:
        return _CHECKS[kind]
    if types.NoneType in arguments:
        some = _make_decoder(arguments[0])
        return lambda value, name: None if value is None else some(value, name)
    if typing.get_origin(kind) is Mapping:
        entry = _make_decoder(arguments[1])
        return lambda value, _name: {key: entry(each, key) for key, each in check_object(value).items()}
    if typing.get_origin(kind) is tuple:
        item = _make_decoder(arguments[0])
        return lambda value, name: tuple([item(each, name) for each in check_list(value, name)])
    if isinstance(kind, enum.EnumType):
        return lambda value, _name: kind(value)
    if read := getattr(kind, "from_dict", None):
        return lambda value, _name: read(value)
    return lambda value, _name: decode_fields(kind, check_object(value))


def decode_fields(part: type[Part], record: Mapping[str, Any]) -> Part:
    """Return a dataclass of the values in a JSON object, as ``decode`` does where there is no ``from_dict``."""
    kind: Any = part
    values = {}
    for name, key, read, default in _list_fields(kind):
        if key in record:
            values[name] = read(record[key], key)
        elif default is dataclasses.MISSING or default:
            raise KeyError(key)
        elif default is None:
            values[name] = None
    return part(**values)


@functools.cache
def _list_fields(kind: Any) -> list[tuple[str, str, Callable[[Any, str], Any], Any]]:
    """Return the name, key, decoder and default of each field of a dataclass, None where it may be None."""
    hints, fields = typing.get_type_hints(kind), []
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        default = field.default if field.default_factory is dataclasses.MISSING else ()
        default = None if types.NoneType in typing.get_args(hint) else default
        fields.append((field.name, field.metadata.get("key", field.name), _make_decoder(hint), default))
    return fields


def parse_file(content: str | bytes, path: Path, hint: str) -> dict[str, Any]:
    """Return the JSON object that a file holds; anything else is a ``BrokenFile``, whose hint says what to do."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{path} is not valid JSON: {error}", hint) from error
    if not isinstance(values, dict):
        raise BrokenFile(f"{path} is not a JSON object", hint)
    return values


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


def check_truth(value: Any, name: str) -> bool:
    """Return a truth value, or raise ``TypeError``."""
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false as {name}, found {value!r:.60}")
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


def check_span(value: Any, name: str) -> tuple[int, int]:
    """Return a span: two offsets, the second not before the first."""
    start, end = (check_count(offset, "offset") for offset in check_list(value, name))
    if start > end:
        raise ValueError(f"span [{start}, {end}) ends before it starts")
    return start, end


_CHECKS: Final[Mapping[Any, Callable[[Any, str], Any]]] = {
    str: check_text, float: check_number, bool: check_truth, int: check_count,
    tuple[int, int]: lambda value, _name: check_span(value, "span"), Any: lambda value, _name: value,
}  # fmt: skip
