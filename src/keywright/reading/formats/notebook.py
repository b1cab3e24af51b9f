"""Notebooks of Jupyter: the text between the code."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BrokenFile
from keywright.reading.blocks import LeftOut
from keywright.reading.encodings import decode
from keywright.reading.formats.markdown import document_of_markdown
from keywright.reading.limits import Limits

_PICTURE: Final = re.compile(r"\bdata:[a-z]+/[\w.+-]+;base64,[A-Za-z0-9+/=]*")
_LEVEL: Final = 6  # deepest heading of Markdown
_HINT: Final = "open it in Jupyter and save it again"


def read_notebook(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a notebook: its cells of Markdown; code, output and pictures are left out."""
    limits.check_file(len(data), name)
    text, notes = decode(data, name)
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{name} is not a readable notebook: {error}", _HINT) from error
    left = LeftOut()
    cells = [cell for cell in _find_cells(notebook) if isinstance(cell, Mapping)]
    markdown = "\n\n".join(filter(None, (_read_cell(cell, left) for cell in cells)))
    return document_of_markdown(markdown, name, limits, left).add_warnings(*notes)


def _find_cells(notebook: Any) -> Iterator[Any]:
    """Yield the cells; those of the third version of the format are on sheets."""
    for sheet in [notebook, *_get_list(notebook, "worksheets")]:
        yield from _get_list(sheet, "cells")


def _get_list(value: Any, key: str) -> list[Any]:
    entries = value.get(key) if isinstance(value, Mapping) else None
    return entries if isinstance(entries, list) else []


def _read_cell(cell: Mapping[str, Any], left: LeftOut) -> str:
    """Return the text of a cell in Markdown; empty for code, which is counted with its output."""
    source = cell.get("source", cell.get("input", ""))
    text = (
        source
        if isinstance(source, str)
        else "".join(line for line in _get_list(cell, "source") if isinstance(line, str))
    )
    form = cell.get("cell_type")
    if form == "code":
        left.add("code cell", len(text))
        for _ in _get_list(cell, "outputs"):
            left.add("output", 0)
        return ""
    if form == "heading":  # in the third version
        level = cell.get("level")
        return f"{'#' * (level if isinstance(level, int) and 0 < level <= _LEVEL else 1)} {text}"
    if form != "markdown":
        left.add("raw cell", len(text))
        return ""
    return _PICTURE.sub("", text)
