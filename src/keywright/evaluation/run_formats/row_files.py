"""Rows of files with one document each: JSON Lines, a JSON array, or a table in CSV; and their phrases."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import Source, located, note
from keywright.evaluation.run_formats.in_memory.column_names import IDS, chosen, missing
from keywright.evaluation.run_formats.in_memory.labelled_lists import PhraseLists, check_distinct, name_of, phrases
from keywright.evaluation.run_formats.json_lines import records
from keywright.evaluation.run_formats.separators import split_texts
from keywright.evaluation.run_formats.table import delimiter_of

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
            raise missing(name, self.names, self.source.name, "field")
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
        by_id = self.field(layout.id_field) if layout.id_field else chosen(self.names, IDS)
        ids = [
            str(number) if by_id is None else name_of(row.fields.get(by_id), f"{row.place} of {self.source.name}")
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
            entries[name] = entries.get(name, ()) + phrases(listed, f"{row.place} of {self.source.name}")
        labelled = tuple(LabelledDocument(documents[name], entries[name]) for name in documents)
        joined = note(len(ids) - len(documents), "rows were joined to an earlier row with the same id")
        return PhraseLists(form, labelled, by_id is None, (*((how,) if how else ()), *joined))


def read_rows(source: Source) -> Rows:
    """Read the rows of a file.

    Raises:
        BadRecord: it is neither JSON nor a table, or a row is broken; the message names it.
    """
    start = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"{":
        kind, rows = "JSON Lines", [Row(f"line {number}", record) for number, record in records(source, _EXPECTED)]
    elif start == b"[":
        kind, rows = "JSON", [_item(number, item) for number, item in enumerate(json_array(source), start=1)]
    else:
        kind, rows = "CSV", _table_rows(source)
    names = dict.fromkeys(name for row in rows for name in row.fields)
    return Rows(source, kind, tuple(rows), tuple(names))


def json_array(source: Source) -> Sequence[Any]:
    """Return the items of a file that is one JSON array."""
    with located(f"{source.name} is not valid JSON", '[["grid computing", "tides"], …]'):
        items = json.loads(source.text())
        if not isinstance(items, list):
            raise TypeError(f"expected a list, found {items!r:.60}")
    return items


def _item(number: int, item: Any) -> Row:
    if not isinstance(item, dict):
        raise BadRecord(f"item {number} is {item!r:.60}, not an object", f"expected {_EXPECTED}")
    return Row(f"item {number}", item)


def header_of(source: Source) -> list[str]:
    """Return the columns of a table's header; empty where the first line is none."""
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=delimiter_of(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return []
    return [name.strip() for name in names]


def _table_rows(source: Source) -> list[Row]:
    text = source.text().lstrip("\n")
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter_of(text.partition("\n")[0]), strict=True)
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
