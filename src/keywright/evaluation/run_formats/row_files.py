"""Rows of files with one document each: JSON Lines, a JSON array, or a table in CSV; and their phrases.

Phrases in one text have a separator: named by the caller, or recognised over all texts of a file, and refused where two
would do.
"""

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import Source, count_note, locate_errors
from keywright.evaluation.run_formats.json_lines import iterate_records
from keywright.evaluation.run_formats.phrase_lists import (
    IDS,
    PhraseLists,
    check_distinct,
    choose_name,
    missing_name_error,
    parse_id,
    parse_phrase_list,
)
from keywright.evaluation.run_formats.text_lines import find_delimiter

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
        return [_parse_literal(text, where) for text in texts], "phrases in lists of Python or JSON"
    separator = _find_separator(filled, where) if separator is None else separator
    if not separator:
        return [tuple(filter(None, (text.strip(),))) for text in texts], ""
    pieces = [tuple(filter(None, map(str.strip, text.split(separator)))) for text in texts]
    return pieces, f"phrases separated by {separator!r}"


def _find_separator(texts: Sequence[str], where: str) -> str:
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


def _parse_literal(text: str, where: str) -> tuple[str, ...]:
    if not text.strip():
        return ()
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRecord(f"{where}: {text!r:.80} is not a list of phrases", "expected such as ['grid', 'tides']")
    return tuple(filter(None, map(str.strip, value)))


_EXPECTED: Final = 'one object for each document, such as {"id": "a", "keyphrases": ["grid computing", "tides"]}'

Fields: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One document of a file: its place, for messages, and its fields."""

    place: str
    fields: Fields


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a file.

    Attributes:
        kind: ``JSON Lines``, ``JSON`` or ``CSV``.
        names: all fields, in the order of their first occurrence.
    """

    source: Source
    kind: str
    rows: tuple[Row, ...]
    names: tuple[str, ...]

    def field(self, name: str) -> str:
        """Return a field that the caller named.

        Raises:
            BadRecord: no row has it; the hint has the nearest.
        """
        if name not in self.names:
            raise missing_name_error(name, self.names, self.source.name, "field")
        return name

    def lists(
        self,
        form: str,
        value: Callable[[Fields], Any],
        document: Callable[[str, Fields], Document] | None = None,
    ) -> PhraseLists:
        """Return phrases by document; rows of a table whose fields the caller names are joined by id.

        Args:
            form: name of the format.
            value: returns the phrases of a row, a list or a text.
            document: returns the document from its id and the fields of its first row; None for one without text.
        """
        layout = self.source.layout
        by_id = self.field(layout.id_field) if layout.id_field else choose_name(self.names, IDS)
        ids = [
            str(number) if by_id is None else parse_id(row.fields.get(by_id), f"{row.place} of {self.source.name}")
            for number, row in enumerate(self.rows, start=1)
        ]
        may_repeat = self.kind == "CSV" and layout.phrases_field is not None and by_id is not None
        if not may_repeat:
            check_distinct(ids, "rows")
        values = [value(row.fields) for row in self.rows]
        pieces, how = split_texts([item for item in values if isinstance(item, str)], layout.between, self.source.name)
        parts = iter(pieces)
        documents: dict[str, Document] = {}
        entries: dict[str, tuple[GoldKeyphrase, ...]] = {}
        for name, row, item in zip(ids, self.rows, values, strict=True):
            listed = [piece for piece in next(parts) if piece != PRESENT_END] if isinstance(item, str) else item
            documents.setdefault(name, document(name, row.fields) if document else Document(name, ""))
            entries[name] = entries.get(name, ()) + parse_phrase_list(listed, f"{row.place} of {self.source.name}")
        labelled = tuple(LabelledDocument(documents[name], entries[name]) for name in documents)
        joined = count_note(len(ids) - len(documents), "rows were joined to an earlier row with the same id")
        return PhraseLists(form, labelled, by_id is None, (*((how,) if how else ()), *joined))


def read_rows(source: Source) -> Rows:
    """Read the rows of a file.

    Raises:
        BadRecord: it is neither JSON nor a table, or a row is broken; the message names it.
    """
    start = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"{":
        kind, rows = (
            "JSON Lines",
            [Row(f"line {number}", record) for number, record in iterate_records(source, _EXPECTED)],
        )
    elif start == b"[":
        kind, rows = (
            "JSON",
            [_make_item_row(number, item) for number, item in enumerate(read_json_array(source), start=1)],
        )
    else:
        kind, rows = "CSV", _read_table_rows(source)
    names = dict.fromkeys(name for row in rows for name in row.fields)
    return Rows(source, kind, tuple(rows), tuple(names))


def read_json_array(source: Source) -> Sequence[Any]:
    """Return the items of a file that is one JSON array."""
    with locate_errors(f"{source.name} is not valid JSON", '[["grid computing", "tides"], …]'):
        items = json.loads(source.text())
        if not isinstance(items, list):
            raise TypeError(f"expected a list, found {items!r:.60}")
    return items


def _make_item_row(number: int, item: Any) -> Row:
    if not isinstance(item, dict):
        raise BadRecord(f"item {number} is {item!r:.60}, not an object", f"expected {_EXPECTED}")
    return Row(f"item {number}", item)


def read_header(source: Source) -> list[str]:
    """Return the columns of a table's header; empty where the first line is none."""
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=find_delimiter(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return []
    return [name.strip() for name in names]


def _read_table_rows(source: Source) -> list[Row]:
    text = source.text().lstrip("\n")
    lines = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=find_delimiter(text.partition("\n")[0]), strict=True
    )
    rows = []
    try:
        for cells in lines:
            if None in cells or None in cells.values():
                raise ValueError(f"it has another number of cells than the header: {list(cells.values())!r:.80}")  # noqa: TRY301 - one place adds the line
            rows.append(Row(f"line {lines.line_num}", {name.strip(): cell for name, cell in cells.items()}))
    except (csv.Error, ValueError) as error:
        hint = 'quote cells with the separator of columns in them, such as "grid, computing"'
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", hint) from None
    return rows
