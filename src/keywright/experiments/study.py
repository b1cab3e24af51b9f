"""A computed table as one value: its rows, what makes them, how they are laid out and published."""

import inspect
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias, TypeVar

from keywright.core import pages
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.interfaces import Progress
from keywright.core.json_values import decode_fields, encode
from keywright.core.pages import Cell, Table
from keywright.evaluation.publishing import writing as text
from keywright.evaluation.publishing.writing import Publication
from keywright.running.engines import engine


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a computed table: its fields are what a subclass adds."""

    part: ClassVar[str] = ""  # kind of the row, the first key of its record, in tables that hold several kinds

    def record(self) -> dict[str, Any]:
        """Return the row as JSON values, fields in their order."""
        record: dict[str, Any] = encode(self)
        return {"part": self.part, **record} if self.part else record

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the row of a record; keys that are not fields are ignored."""
        return decode_fields(cls, record)


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """One number of a published table beside ours, both in the published table's unit; None where there is none.

    Attributes:
        measure: what is measured, such as ``F@15`` or ``documents``.
        dataset: such as ``semeval2010/test``.
        category: part of the collection; None for all of it.
        variant: way of computing it, where there are several.
        note: explanation of a difference, or a statement that none was found.
        interval: low and high end of ours, from resampling documents.
        phrase_class: ``present`` or ``absent``; None where both or neither are meant.
    """

    measure: str
    published: float | None
    ours: float | None
    system: str | None = None
    gold: str | None = None
    dataset: str | None = None
    category: str | None = None
    variant: str | None = None
    note: str = ""
    interval: tuple[float, float] | None = None
    phrase_class: str | None = field(default=None, metadata={"key": "class"})

    @property
    def difference(self) -> float | None:
        """Ours less published, rounded to four decimals, which is finer than any published table."""
        return None if self.published is None or self.ours is None else round(self.ours - self.published, 4)

    def record(self) -> dict[str, Any]:
        """Return JSON values; ``dataset``, ``class``, ``category``, ``variant``, ``interval`` where they apply."""
        values = super(Row, self).record() | {"difference": self.difference}
        return {name: values[name] for name in _KEYS if values[name] is not None or name not in _PLACES}


_KEYS: Final = (
    "system", "measure", "gold", "dataset", "class", "category", "variant", "interval",
    "published", "ours", "difference", "note",
)  # fmt: skip
_PLACES: Final = frozenset({"dataset", "class", "category", "variant", "interval"})
"""Keys of a record that are left out where they are None."""


class Plot(NamedTuple):
    """A drawing of rows: ``name`` of its file without ending, ``heading`` above it on a page."""

    name: str
    title: str
    svg: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """A computed table.

    Attributes:
        rows: computes the rows; ``make_table`` says what is passed where it takes it.
        kinds: types of the rows.
        tables: lays rows out for people, and is passed ``find`` where it takes it; None for one line per row.
        lines: plain records for CSV; None for the columns that published tables share.
        ablations: computes what each open option is worth; None where nothing can be left out.
        wait: says of systems, or all, how long the rows take where that is hours; empty where it is not.
    """

    name: str
    rows: Callable[..., tuple[Any, ...]]
    kinds: tuple[type[TableRow], ...] = (Row,)
    tables: Callable[..., Iterable[Table]] | None = None
    plots: Callable[[Sequence[Any]], Iterable[Plot]] = lambda _: ()
    lines: Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]] | None = None
    ablations: Callable[..., tuple[Any, ...]] | None = None
    wait: Callable[[Collection[str] | None], str] = lambda _: ""

    def read(self, records: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
        """Return the rows of stored records, distinguished by ``part`` where there are several kinds."""
        by_part = {kind.part: kind for kind in self.kinds}
        return tuple(by_part[record.get("part", "")].of(record) for record in records)


def make_study(name: str, entry: Any) -> Study:
    """Return a catalogue entry as a study; other packages may register a function that makes rows."""
    return entry if isinstance(entry, Study) else Study(name, entry)


def make_table(
    study: Study, systems: Collection[str] | None = None, *, ablate: bool = False, **options: Any
) -> tuple[Any, ...]:
    """Compute the rows of some systems, or what each open option is worth (``ablate``).

    A table gets those ``options`` that it takes: ``progress``; ``jobs``, the number of processes; ``find``, which gives
    a system's class by its name; ``train``, which trains a generator.
    """
    rows = study.ablations if ablate else study.rows
    if rows is None:
        raise BadParameter("this table has no ablations", "leave --ablate out")
    if systems and "systems" not in inspect.signature(rows).parameters:
        raise BadParameter("this table has no systems to choose from", "leave --systems out")
    table: tuple[Any, ...] = call_with(rows, systems=systems, **options)
    return table


def call_with(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function with those of the options that it takes."""
    takes = inspect.signature(function).parameters.keys()
    return function(*arguments, **{name: options[name] for name in options.keys() & takes})


@lru_cache
def read_published(name: str) -> dict[str, Any]:
    """Return printed numbers and notes on them, from the package's data."""
    return tomllib.loads(files("keywright.experiments").joinpath("published", f"{name}.toml").read_text("utf-8"))


def choose_systems(systems: Collection[str] | None, listed: Sequence[str], table: str) -> tuple[str, ...]:
    """Return the wanted systems of a table in its order, all by default; others are ``UnknownName``."""
    for name in systems or ():
        if name not in listed:
            raise unknown_name("system of this table", name, listed, f"keywright reproduce {table} --list")
    return tuple(name for name in listed if not systems or name in systems)


Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")


def run_units(
    work: Callable[[Unit], Outcome], units: Sequence[Unit], progress: Progress | None = None, jobs: int | None = None
) -> Iterator[tuple[Unit, Outcome]]:
    """Yield each unit with its outcome, in order; both must pickle where ``jobs`` is more than one."""
    for done, pair in enumerate(zip(units, engine(jobs=jobs).map(work, units), strict=True), 1):
        yield pair
        if progress:
            progress(done, len(units))


PERCENT: Final = 100  # values are fractions; tables show percent
RowType = TypeVar("RowType")
Lines: TypeAlias = dict[tuple[str, ...], dict[str, str | Cell]]
"""Cells of a cross table by the name of the line, in parts, and by column."""

_COLUMNS: Final = (
    "protocol", "reference", "cases", "equal", "dataset", "class", "category", "system", "variant", "gold", "measure",
    "published", "ours", "difference", "interval", "note",
)  # fmt: skip
_NUMBERS: Final = frozenset({"cases", "equal", "published", "ours", "difference", "interval"})


def lay_out_records(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    """Return a table with one line per record; columns that would be empty throughout are left out."""
    columns = [column for column in _COLUMNS if any(record.get(column) not in (None, "") for record in records)]
    numbers = frozenset(index for index, column in enumerate(columns) if column in _NUMBERS)
    body = tuple(tuple(Cell(_format_cell(column, record.get(column))) for column in columns) for record in records)
    return Table(name, tuple(columns), body, numbers)


def lay_out_groups(
    caption: str,
    heads: Sequence[str],
    lines: Mapping[tuple[str, ...], Mapping[str, str | Cell]],
    columns: Sequence[str],
    notes: tuple[str, ...] = (),
) -> Table:
    """Return a table with one line per group: its names, then columns of numbers; missing cells are empty."""
    rows = ((*line, *(cells.get(column, "") for column in columns)) for line, cells in lines.items())
    return Table.make(caption, (*heads, *columns), rows, len(heads), notes)


def lay_out_cross(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[RowType],
    line: Callable[[RowType], tuple[str, ...]],
    cells: Callable[[RowType], Mapping[str, str | Cell]],
    columns: Sequence[str] | None = None,
) -> Table:
    """Return a cross table: each row gives its line's names and cells; columns empty throughout are left out."""
    lines: Lines = {}
    for row in rows:
        lines.setdefault(line(row), {}).update(cells(row))
    names = dict.fromkeys(name for each in lines.values() for name in each)
    filled = [name for name in names if any(each.get(name) for each in lines.values())]
    return lay_out_groups(caption, heads, lines, filled if columns is None else columns)


class Sheet(NamedTuple):
    """A table of rows: a line for each combination of some fields, columns of numbers; names are made of fields."""

    caption: str  # with a place for the value of ``by``
    measures: str  # pattern of the measures of its rows
    lines: tuple[str, ...]  # fields of the rows
    ours: str  # column of our number
    published: str = ""
    digits: int = 3
    by: str = ""  # field whose values divide the rows into tables
    intervals: bool = True  # whether ours has its interval in brackets
    notes: bool = False  # whether the last column has the notes

    def cells(self, row: Row) -> dict[str, str | Cell]:
        """Return the numbers of a row by column."""
        values = {each.name: getattr(row, each.name) or "" for each in fields(row)}
        published, ours = (name.format(**values).strip() for name in (self.published, self.ours))
        text = format_decimal(row.ours, self.digits)
        text += f" ({format_interval(row.interval, self.digits)})" if self.intervals and row.interval else ""
        cells: dict[str, str | Cell] = {}
        if row.published is not None:
            cells[published] = format_decimal(row.published, self.digits)
        cells[ours] = text
        return {**cells, "note": row.note} if self.notes else cells


def lay_out_sheets(sheets: Iterable[Sheet], rows: Sequence[Row]) -> Iterator[Table]:
    """Return the tables that have rows."""
    for sheet in sheets:
        groups: dict[Any, list[Row]] = {}
        for row in rows:
            if re.fullmatch(sheet.measures, row.measure):
                groups.setdefault(getattr(row, sheet.by) if sheet.by else None, []).append(row)
        heads = tuple("class" if name == "phrase_class" else name for name in sheet.lines)
        for value, members in groups.items():
            lines = {row: tuple(getattr(row, name) or "" for name in sheet.lines) for row in members}
            yield lay_out_cross(sheet.caption.format(value), heads, members, lines.__getitem__, sheet.cells)


def format_decimal(value: float | None, digits: int) -> str:
    """Return a number with so many decimals, or nothing for None."""
    return "" if value is None else f"{value:.{digits}f}"


def format_interval(interval: tuple[float, float] | None, digits: int) -> str:
    """Return an interval such as ``22.8 to 27.4``, or nothing for None."""
    return "" if interval is None else f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"


def round_ends(interval: tuple[float, float], digits: int, scale: float = 1) -> tuple[float, float]:
    """Return an interval in another unit, rounded."""
    return round(scale * interval[0], digits), round(scale * interval[1], digits)


def _format_cell(column: str, value: Any) -> str:
    match value:
        case None:
            return ""
        case [low, high]:
            return f"{low:.1f} to {high:.1f}"
        case float() | int() if column == "difference":
            return f"{value:+d}" if isinstance(value, int) else f"{value:+.2f}"
        case float():
            return f"{value:.2f}"
        case _:
            return str(value)


def lay_out_study(study: Study, rows: Sequence[Any], find: Callable[[str], type]) -> tuple[Table, ...]:
    """Return the rows as tables: as the papers print them where there is a layout for that, else one line per row."""
    if study.tables is None:
        return (lay_out_records(study.name, [row.record() for row in rows]),)
    return tuple(call_with(study.tables, rows, find=find))


def publish(study: Study, rows: Sequence[Any], form: Publication, find: Callable[[str], type]) -> str:
    """Return a computed table as one text."""
    match form:
        case Publication.CSV:
            if study.lines:
                return text.write_csv(study.lines(rows))
            records = [row.record() for row in rows]
            columns = lay_out_records("", records).head
            return text.write_csv(
                {name: _format_cell(name, row.get(name)) if name == "interval" else row.get(name) for name in columns}
                for row in records
            )
        case Publication.MARKDOWN:
            return "\n".join(map(text.markdown, lay_out_study(study, rows, find)))
        case Publication.LATEX:
            return "\n".join(map(text.latex, lay_out_study(study, rows, find)))
        case Publication.HTML:
            parts = []
            for plot in study.plots(rows):
                parts += [pages.build_heading(plot.heading)] if plot.heading else []
                parts.append(pages.build_plot(plot.svg))
            parts += map(pages.build_table, lay_out_study(study, rows, find))
            title = f"{study.name}: published and ours" if any(isinstance(row, Row) for row in rows) else study.name
            return pages.build_page(title, parts)
