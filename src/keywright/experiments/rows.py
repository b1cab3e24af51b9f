"""Rows of computed tables: values that become records of JSON values and are read from them again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, Self, get_args, get_type_hints


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
        return part | {self.keys.get(name, name): _plain(value) for name, value in asdict(self).items()}

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


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: lists for tuples."""
    return list(value) if isinstance(value, tuple) else value


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
