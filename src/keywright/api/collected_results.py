"""Results of the rows of a table, collected as columns: no prediction stays in memory."""

import numbers
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from keywright.core.data_frames import as_column, data_frame
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, UnreadableInput
from keywright.core.predictions import Failure, Prediction
from keywright.core.result_rows import Kinds, kinds, result_rows
from keywright.execution.distinct_ids import DistinctIds
from keywright.execution.extraction import Outcome
from keywright.reading.tables.columns import TableColumns
from keywright.reading.tables.rows import Row


@dataclass(slots=True)
class CollectedResults:
    """Columns of results, which grow while outcomes come.

    Attributes:
        wide: whether there is one row for each document.
        strict: whether a failure is raised.
        concepts: whether there are columns of concepts.
        columns: values by column of the result.
        positions: for each row of the result the number of its document, from 0.
        ids: cells with ids by document; empty where no column has ids.
        cells: values by kept column and document.
        notes: what people should know.
    """

    wide: bool
    strict: bool
    concepts: bool
    columns: dict[str, list[Any]] = field(init=False)
    positions: list[int] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)
    cells: dict[str, list[Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _warnings: Counter[str] = field(default_factory=Counter)
    _warned: str = ""
    _repeated: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start with empty columns."""
        self.columns = {name: [] for name in self._kinds}

    def checked(self, columns: TableColumns) -> TableColumns:
        """Return columns without a kept column of ids that the result has anyway.

        Raises:
            BadParameter: another kept column has the name of one of the result.
        """
        keep = tuple(name for name in columns.keep or () if name != "id" or columns.id != "id")
        for name in keep:
            if name in self.columns:
                message = f"the column {name!r} cannot be kept: the result has a column of this name"
                raise BadParameter(message, "rename it, or leave it out of keep")
        return replace(columns, keep=keep)

    def with_ids(
        self, rows: Iterable[Row], columns: TableColumns, document_of: Callable[[Row, TableColumns], Document | Failure]
    ) -> Iterator[Document | Failure]:
        """Yield the documents of rows, and note the cells with their ids."""
        for row in rows:
            if columns.id:
                self.ids.append(row.cells.get(columns.id))
            yield document_of(row, columns)

    def with_kept(self, rows: Iterable[Row], names: Sequence[str]) -> Iterator[Row]:
        """Yield rows, and note their kept cells."""
        self.cells = {name: [] for name in names}
        for row in rows:
            for name, values in self.cells.items():
                values.append(row.cells.get(name))
            yield row

    def with_meta(self, outcomes: Iterable[Outcome], folder: Path, names: Sequence[str]) -> Iterator[Outcome]:
        """Yield the outcomes of a folder's documents, and note their paths and what they say of themselves."""
        self.cells = {name: [] for name in names}
        for outcome in outcomes:
            file = folder / outcome.document_id
            path = str(file) if file.is_file() else None  # records of a file have other ids
            for name, values in self.cells.items():
                values.append(path if name == "path" else outcome.meta.get(name))
            yield outcome

    def collect(self, outcomes: Iterable[Outcome], name: str) -> None:
        """Add the rows of all outcomes, under distinct ids; ``name`` is that of the table.

        Raises:
            UnreadableInput: a document failed, and the results are strict.
        """
        distinct, number = DistinctIds(), 0
        for number, outcome in enumerate(outcomes, start=1):
            if self.strict and isinstance(outcome, Failure):
                raise UnreadableInput(f"{outcome.document_id}: {outcome.message}", outcome.hint)
            label = distinct.distinct(outcome.document_id)
            if label != outcome.document_id:
                self._repeated.append(label)
            if isinstance(outcome, Prediction) and outcome.warnings:
                self._warnings.update(outcome.warnings)
                self._warned = self._warned or f"{label}: {outcome.warnings[0]}"
            for row in result_rows(replace(outcome, document_id=label), wide=self.wide, concepts=self.concepts):
                self.positions.append(number - 1)
                for column, value in zip(self.columns.values(), row, strict=True):
                    column.append(value)
        if not number:
            self.notes.append(f"{name} has no rows: the result is empty")

    def all_notes(self) -> Iterator[str]:
        """Yield all notes, those about repeated ids and about documents with warnings last."""
        yield from self.notes
        if self._repeated:
            count = len(self._repeated)
            rows = "1 row repeats" if count == 1 else f"{count} rows repeat"
            yield f"{rows} an earlier id: a number makes ids distinct, such as {self._repeated[0]!r}"
        if total := self._warnings.total():
            plural = "s" if total > 1 else ""
            yield f"documents have {total} warning{plural}, the first is {self._warned!r}; kw.extract returns all"

    def frame(self, library: str) -> Any:
        """Return the columns, and those that were noted to be kept, as a table of a library."""
        types = dict(self._kinds)
        columns: dict[str, Sequence[Any]] = dict(self.columns)
        if self._whole_ids():
            columns["id"], types["id"] = [int(self.ids[place]) for place in self.positions], int
        for name, values in self.cells.items():
            columns[name], types[name] = as_column([values[place] for place in self.positions])
        return data_frame(columns, types, library)

    @property
    def _kinds(self) -> Kinds:
        return kinds(wide=self.wide, concepts=self.concepts)

    def _whole_ids(self) -> bool:
        """Return whether all ids are whole numbers, each once, so that the result can be joined by them."""
        whole = all(isinstance(value, numbers.Integral) and not isinstance(value, bool) for value in self.ids)
        return bool(self.ids) and whole and not self._repeated
