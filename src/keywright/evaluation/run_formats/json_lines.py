"""JSON Lines of others: records with their line numbers, and lists of phrases in the ways people write them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import Source


def first_record(source: Source) -> Mapping[str, Any]:
    """The object on the first line; empty where there is none."""
    try:
        value = json.loads(next(iter(source.beginning(1)), ""))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def records(source: Source, expected: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line numbers and objects; blank lines are passed over.

    Raises:
        BadRecord: a line is no JSON object.
    """
    for number, line in enumerate(source.text().split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"line {number} of {source.name} is no JSON: {error}", f"expected {expected}") from None
        if not isinstance(value, dict):
            raise BadRecord(f"line {number} of {source.name} is no JSON object", f"expected {expected}")
        yield number, value


def phrases(value: Any) -> tuple[str, ...]:
    """Phrases of a text with ``;`` between them, of a list of texts, or of a list of lists of tokens; blank ones go.

    Raises:
        TypeError: it is nothing of that kind.
    """
    if isinstance(value, str):
        found = [piece.strip() for piece in value.split(";")]
    elif isinstance(value, list):
        found = [_joined(piece).strip() for piece in value]
    else:
        raise TypeError(f"the list {value!r:.60}")
    return tuple(filter(None, found))


def _joined(piece: Any) -> str:
    """A phrase given as a text or as its tokens."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
        return " ".join(piece)
    raise TypeError(f"the phrase {piece!r:.60}")
