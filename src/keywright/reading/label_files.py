"""Files of labels for a vocabulary: one per line, or a column of a table; what is left out is counted and named."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BadParameter, EmptyInput
from keywright.reading.encodings import REPLACED
from keywright.reading.formats import Limits
from keywright.reading.phrase_lists import LONGEST, phrase_lines
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.reading.tables.columns import check_column, columns_there
from keywright.reading.tables.files import open_table, table_format
from keywright.reading.tables.rows import Rows

_USUAL: Final = frozenset("descriptor heading keyword label labels name preflabel subject term terms".split())
"""Names of columns of labels, in lower case; arbitrary."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Stand-ins for bytes that are not in a table's encoding."""

EMPTY: Final = "empty"
REPEATED: Final = "there before"
SIGNS: Final = "without letter or digit"
LONG: Final = f"longer than {LONGEST} characters"
DAMAGED: Final = "with damaged characters"
UNREADABLE: Final = "in rows that cannot be read"
REFUSED: Final = frozenset({SIGNS, LONG, DAMAGED, UNREADABLE})
"""Reasons that something may be wrong; empty lines and repeated labels are usual."""


@dataclass(slots=True)
class LabelsRead:
    """Labels in order, each once, and what was left out.

    Attributes:
        left_out: how many by reason, see the constants of this module.
        first: the first place of each reason, such as ``terms.txt:17``.
        notes: decisions of the reader that people should know.
    """

    labels: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def refused(self) -> int:
        """Number of labels that may be wrong."""
        return sum(self.left_out.get(reason, 0) for reason in REFUSED)

    def add(self, text: str, place: str, problem: str = "") -> None:
        """Add a label, its white space made single blanks, or count why it is left out."""
        label = " ".join(text.split())
        reason = problem or problem_of(label) or (REPEATED if label in self.labels else "")
        if not reason:
            self.labels[label] = None
            return
        self.left_out[reason] = self.left_out.get(reason, 0) + 1
        self.first.setdefault(reason, place)


def read_labels(path: Path, column: str | None = None, limits: Limits = DEFAULT_LIMITS) -> LabelsRead:
    """Return the labels of a text file, one per line, or of one column of a table.

    Args:
        path: a table by its ending (CSV, TSV, XLSX, Parquet, JSON Lines), else plain text.
        column: of the table; None takes its only column, or the only one with a usual name.
        limits: of the file.

    Raises:
        UnreadableInput: the file cannot be read; see the subclasses.
        BadParameter: a column is named and there is no table, or none is named and there are several.
        UnknownName: there is no such column.
        EmptyInput: there are no labels.
    """
    read = LabelsRead()
    if table_format(path.name) is not None:
        table = open_table(path, path.name, limits)
        name = _column(table, column)
        read.notes = (*table.notes, *(() if column else (f"{path.name}: labels are read from the column {name!r}",)))
        _add_all(read, _cells(table, name))
    elif column is not None:
        raise BadParameter(f"a column for {path.name}, which is not a table", "leave the column out, or name a table")
    else:
        _add_all(read, _lines(path, limits))
    if not read.labels:
        raise EmptyInput(f"{path.name} holds no labels", "expected one label per line, or in one column of a table")
    return read


def of_texts(texts: Iterable[str]) -> LabelsRead:
    """Return the labels of some texts."""
    read = LabelsRead()
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise BadParameter(f"label {number} is a value of type {type(text).__name__}", "expected texts")
        read.add(text, f"label {number}")
    if not read.labels:
        raise EmptyInput("there are no labels", "expected at least one with a letter or digit")
    return read


def _add_all(read: LabelsRead, labels: Iterable[tuple[str, str, str]]) -> None:
    for text, place, problem in labels:
        read.add(text, place, problem)


def _lines(path: Path, limits: Limits) -> Iterator[tuple[str, str, str]]:
    """Yield each line, its place, and no problem."""
    for number, line in phrase_lines(path, limits):
        yield line, f"{path.name}:{number}", ""


def _cells(table: Rows, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the text of each row's cell, its place, and why it cannot be read."""
    for row in table.rows:
        yield _text(row.cells, name), row.place, UNREADABLE if row.problem else ""


def _text(cells: Mapping[str, Any], name: str) -> str:
    cell = cells.get(name)
    return "" if cell is None else str(cell)


def _column(table: Rows, column: str | None) -> str:
    """Return the column of labels."""
    if column is not None:
        check_column(column, table)
        return column
    usual = [name for name in table.columns if name.strip().casefold().replace("_", "") in _USUAL]
    candidates = usual if len(table.columns) > 1 else list(table.columns)
    if len(candidates) != 1:
        hint = f"name it: --label-column NAME, or column=...; {columns_there(table.columns)}"
        raise BadParameter(f"{table.name} is a table, and several columns can hold the labels", hint)
    return candidates[0]


def problem_of(label: str) -> str:
    """Return why a text is not a label; empty if it is one."""
    if not label:
        return EMPTY
    if not label.isascii() and (REPLACED in label or _SURROGATE.search(label)):
        return DAMAGED
    if len(label) > LONGEST:
        return LONG
    return "" if label[0].isalnum() or any(map(str.isalnum, label)) else SIGNS
