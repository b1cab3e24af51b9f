"""JSON Lines of other tools: records with their line numbers, and lists of phrases in the usual notations."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import Source, located


def first_record(source: Source) -> Mapping[str, Any]:
    """Return the object on the first line; empty where there is none."""
    try:
        value = json.loads(next(iter(source.beginning(1)), ""))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def records(source: Source, expected: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line numbers and objects; blank lines are skipped."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        if not line.strip():
            continue
        with located(f"line {number} of {source.name} is not valid JSON", expected):
            value = json.loads(line)
        if not isinstance(value, dict):
            raise BadRecord(f"line {number} of {source.name} is not a JSON object", f"expected {expected}")
        yield number, value


def phrases(value: Any) -> tuple[str, ...]:
    """Parse phrases: a string separated by ``;``, a list of strings, or a list of lists of tokens; drop blank ones."""
    if not isinstance(value, str | list):
        raise TypeError(f"{value!r:.60} is not a list of phrases")
    pieces = value.split(";") if isinstance(value, str) else map(_joined, value)
    return tuple(filter(None, (piece.strip() for piece in pieces)))


def _joined(piece: Any) -> str:
    """Return a phrase from its text or its tokens."""
    if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
        return " ".join(piece)
    if not isinstance(piece, str):
        raise TypeError(f"{piece!r:.60} is not a phrase")
    return piece
