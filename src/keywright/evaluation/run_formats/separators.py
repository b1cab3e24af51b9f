"""Separators of phrases in one text: told, or recognised over all texts of a file, and refused where two would do."""

import ast
import re
from collections.abc import Sequence
from typing import Final

from keywright.core.errors import BadRecord

_COMMA: Final = ","
_CANDIDATES: Final = ("<sep>", "[SEP]", ";", "|", "\t", "\n", _COMMA)
_LITERAL: Final = re.compile(r"\s*\[.*\]\s*", re.DOTALL)


def split_texts(texts: Sequence[str], separator: str | None, where: str) -> tuple[list[tuple[str, ...]], str]:
    """Split the texts of a file into phrases, and say how: ``phrases separated by ';'``; empty if none is split.

    Without a separator, the only one in the file is taken, or the one beside commas that every divided text has. Texts
    that look like lists of Python or JSON, as tables write columns of lists, are read as such.

    Raises:
        BadRecord: several separators are possible, or a list is broken; ``where`` names the file.
    """
    filled = [text for text in texts if text.strip()]
    if separator is None and filled and all(map(_LITERAL.fullmatch, filled)):
        return [_literal(text, where) for text in texts], "phrases in lists of Python or JSON"
    separator = _recognised(filled, where) if separator is None else separator
    if not separator:
        return [tuple(filter(None, (text.strip(),))) for text in texts], ""
    pieces = [tuple(filter(None, map(str.strip, text.split(separator)))) for text in texts]
    return pieces, f"phrases separated by {separator!r}"


def _recognised(texts: Sequence[str], where: str) -> str:
    """Return the only separator that all texts with any have; empty where no text has one."""
    stripped = [text.strip() for text in texts]
    present = [mark for mark in _CANDIDATES if any(mark in text for text in stripped)]
    divided = [text for text in stripped if any(mark in text for mark in present)]
    common = [mark for mark in present if all(mark in text for text in divided)]
    if not present:
        return ""
    # A comma may be part of a phrase, so that beside another separator it is none, unless texts have it alone.
    others = [mark for mark in present if mark != _COMMA] or present
    if len(others) == 1 and others[0] in common:
        return others[0]
    example = next(text for text in divided if any(mark in text for mark in present))
    message = f"{where}: phrases may be separated by {' or '.join(map(repr, present))}, as in {example!r:.80}"
    raise BadRecord(message, f"say by which: --separator {present[0]!r}, in Python separator={present[0]!r}")


def _literal(text: str, where: str) -> tuple[str, ...]:
    if not text.strip():
        return ()
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRecord(f"{where}: {text!r:.80} is not a list of phrases", "expected such as ['grid', 'tides']")
    return tuple(filter(None, map(str.strip, value)))
