"""A computed table as one value: its rows, what makes them, and how they are laid out."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, get_args, get_type_hints

from keywright.core.errors import BadParameter
from keywright.core.interfaces import Progress
from keywright.execution.engines import engine
from keywright.presentation.page import Table


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a computed table: its fields are what a subclass adds."""

    part: ClassVar[str] = ""
    """Kind of the row, the first key of its record, in tables that hold several kinds."""
    keys: ClassVar[Mapping[str, str]] = MappingProxyType({"phrase_class": "class"})
    """Keys in records of the fields that have another name there."""

    def record(self) -> dict[str, Any]:
        """Return the row as JSON values, fields in their order."""
        part = {"part": self.part} if self.part else {}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return part | {self.keys.get(name, name): value for name, value in plain.items()}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the row of a record; keys that are not fields are ignored."""
        kinds = get_type_hints(cls)
        keys = {field.name: cls.keys.get(field.name, field.name) for field in fields(cls)}
        return cls(**{name: _typed(record[key], kinds[name]) for name, key in keys.items() if key in record})


def read_rows(kinds: Iterable[type[TableRow]], records: Iterable[Mapping[str, Any]]) -> tuple[TableRow, ...]:
    """Return the rows of records of several kinds, distinguished by ``part``."""
    by_part = {kind.part: kind for kind in kinds}
    return tuple(by_part[record.get("part", "")].of(record) for record in records)


def _typed(value: Any, kind: Any) -> Any:
    """Return a JSON value as its field has it: tuples for lists, dataclasses for objects."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        item = next(iter(get_args(kind)), None)
        return tuple(_typed(part, item) for part in value)
    if isinstance(value, Mapping) and isinstance(kind, type):
        return kind(**value)
    return value


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """One number of a published table beside ours, both in the published table's unit.

    Attributes:
        measure: what is measured, such as ``F@15`` or ``documents``.
        published: as printed; None for a row that no paper prints, such as an ablation.
        ours: computed here; None for a row that is only published.
        interval: low and high end of ours, from resampling documents; None where it was not computed.
        system: of the catalogue; None where no system is involved.
        gold: kind of gold; None where none is involved.
        dataset: such as ``semeval2010/test``.
        category: part of the collection; None for all of it.
        phrase_class: ``present`` or ``absent``; None where both or neither are meant.
        variant: way of computing it, where there are several.
        note: explanation of a difference, or a statement that none was found.
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
    phrase_class: str | None = None

    @property
    def difference(self) -> float | None:
        """Ours less published, rounded to four decimals, which is finer than any published table."""
        return None if self.published is None or self.ours is None else round(self.ours - self.published, 4)

    def record(self) -> dict[str, Any]:
        """Return JSON values; ``dataset``, ``class``, ``category``, ``variant``, ``interval`` where they apply."""
        named = {"system": self.system, "measure": self.measure, "gold": self.gold}
        numbers = {"published": self.published, "ours": self.ours, "difference": self.difference, "note": self.note}
        interval = None if self.interval is None else list(self.interval)
        where: dict[str, Any] = {"dataset": self.dataset, "class": self.phrase_class, "category": self.category}
        where |= {"variant": self.variant, "interval": interval}
        return {**named, **{name: value for name, value in where.items() if value is not None}, **numbers}


class Plot(NamedTuple):
    """A drawing of rows.

    ``name``: of its file, without ending; ``heading``: above it on a page; none where it is empty.
    """

    name: str
    title: str
    svg: str
    heading: str = ""


def no_plots(_: Sequence[Any]) -> Iterable[Plot]:
    """Return nothing: the rows are not drawn."""
    return ()


@dataclass(frozen=True, slots=True)
class Study:
    """A computed table.

    Attributes:
        rows: computes the rows; ``make_table`` says what is passed where it takes it.
        kinds: types of the rows.
        tables: lays rows out for people, and is passed ``find`` where it takes it; None for one line per row.
        lines: plain records for CSV; None for the columns that published tables share.
        ablations: computes what each open option is worth; None where nothing can be left out.
    """

    name: str
    rows: Callable[..., tuple[Any, ...]]
    kinds: tuple[type[TableRow], ...] = (Row,)
    tables: Callable[..., Iterable[Table]] | None = None
    plots: Callable[[Sequence[Any]], Iterable[Plot]] = no_plots
    lines: Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]] | None = None
    ablations: Callable[..., tuple[Any, ...]] | None = None

    def read(self, records: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
        """Return the rows of stored records."""
        return read_rows(self.kinds, records)


def study_of(name: str, entry: Any) -> Study:
    """Return a catalogue entry as a study; other packages may register a function that makes rows."""
    return entry if isinstance(entry, Study) else Study(name, entry)


def make_table(
    study: Study, systems: Collection[str] | None = None, *, ablate: bool = False, **options: Any
) -> tuple[Any, ...]:
    """Compute the rows of a table.

    The rows are those of some systems, or what each open option is worth (``ablate``). A table gets those
    ``options`` that it takes: ``progress``; ``jobs``, the number of processes; ``find``, which gives a system's class
    by its name; ``train``, which trains a generator.
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
    takes = inspect.signature(function).parameters
    return function(*arguments, **{name: value for name, value in options.items() if name in takes})


Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")


def run_units(
    work: Callable[[Unit], Outcome], units: Sequence[Unit], progress: Progress | None = None, jobs: int | None = None
) -> Iterator[tuple[Unit, Outcome]]:
    """Yield each unit with its outcome, in order.

    Work and units must pickle where ``jobs`` is more than one; None is this process alone.
    """
    outcomes = engine(jobs=jobs).map(work, units)
    for done, pair in enumerate(zip(units, outcomes, strict=True), 1):
        yield pair
        if progress:
            progress(done, len(units))
