"""JSON records with a card that holds the hash of all the rest, so that damage and edits by hand are detected."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from keywright.core.atomic_files import whole_file
from keywright.core.errors import BrokenFile, KeywrightError, MissingData
from keywright.core.json_values import an_object

Value = TypeVar("Value")


def sealed(kind: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as JSON values, lists in place of tuples, with its kind and, on its card, ``sha256``."""
    plain: dict[str, Any] = json.loads(json.dumps({"keywright": kind, **record}, allow_nan=False))
    plain["card"]["sha256"] = _digest(plain)
    return plain


def write_sealed(record: Mapping[str, Any], path: Path) -> None:
    """Write a sealed record to a file, atomically."""
    with whole_file(path) as file:
        file.write(json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_sealed(
    path: Path, kind: str, parse: Callable[[Mapping[str, Any]], Value], command: str, check: Callable[[int, str], None]
) -> Value:
    """Return what ``parse`` makes of the sealed record in a file.

    Errors of ``parse`` mean a broken file; ``check`` raises for a file of too many bytes; ``command`` makes such a
    file.
    """
    if not path.is_file():
        raise MissingData(f"there is no {kind} {path}", f"`{command}` makes one")
    check(path.stat().st_size, str(path))
    try:
        return parse(_unsealed(path.read_text(encoding="utf-8"), kind))
    except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
        hint = f"expected a file that `{command}` wrote; copy it again, or make it again"
        raise BrokenFile(f"the {kind} {path} cannot be read: {_reason(error):.200}", hint) from error


def _unsealed(text: str, kind: str) -> Mapping[str, Any]:
    """Return the record of a text."""
    record = an_object(json.loads(text))
    if record.get("keywright") != kind:
        raise ValueError("it is something else")
    if an_object(record["card"]).get("sha256") != _digest(record):
        raise ValueError("it is not what its card says")
    return record


def _reason(error: Exception) -> str:
    """Return what is wrong, without a hint that is for other cases."""
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return error.message if isinstance(error, KeywrightError) else str(error)


def _digest(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record without its own hash, keys in order."""
    card = {name: value for name, value in record["card"].items() if name != "sha256"}
    return hashlib.sha256(json.dumps({**record, "card": card}, sort_keys=True).encode()).hexdigest()
