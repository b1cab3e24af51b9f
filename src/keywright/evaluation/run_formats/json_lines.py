"""JSON Lines of other tools: records with their line numbers, and lists of phrases in the usual notations."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import Document, Section, SectionKind
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


_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")


def document_of(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
    return Document(name, text, sections)
