"""Records of JSON with a card that holds the hash of all the rest, so that damage and changes by hand are noticed."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from keywright.core.json_values import an_object


def sealed(kind: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as JSON values, lists in place of tuples, with its kind and, on its card, ``sha256``.

    Args:
        kind: what the record is of, such as ``calibrator``.
        record: with ``card``, an object.

    Raises:
        ValueError: a number is not finite.
    """
    plain: dict[str, Any] = json.loads(json.dumps({"keywright": kind, **record}, allow_nan=False))
    plain["card"]["sha256"] = _digest(plain)
    return plain


def text_of(record: Mapping[str, Any]) -> str:
    """A sealed record as a file holds it."""
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def unsealed(text: str, kind: str) -> Mapping[str, Any]:
    """The record of a file.

    Raises:
        ValueError, TypeError, KeyError, RecursionError: it is no JSON, of another kind, or not what its card says.
    """
    record = an_object(json.loads(text))
    if record.get("keywright") != kind:
        raise ValueError("it is something else")
    if an_object(record["card"]).get("sha256") != _digest(record):
        raise ValueError("it is not what its card says")
    return record


def _digest(record: Mapping[str, Any]) -> str:
    """SHA-256 of a record without its own hash, keys in order."""
    card = {name: value for name, value in record["card"].items() if name != "sha256"}
    return hashlib.sha256(json.dumps({**record, "card": card}, sort_keys=True).encode()).hexdigest()
