"""Rows of a reproduced table: a published number, ours, and what explains the difference."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a published table beside ours, both in the published table's unit.

    Attributes:
        measure: what is measured, such as ``F@15`` or ``documents``.
        published: as printed; None for a row that no paper prints, such as an ablation.
        ours: computed here; None for a row that is only published.
        interval: low and high end of ours, from drawing documents; None where it was not drawn.
        system: of the catalogue; None where no system is involved.
        gold: kind of gold; None where none is involved.
        dataset: such as ``semeval2010/test``.
        category: part of the collection; None for all of it.
        phrase_class: ``present`` or ``absent``; None where both or neither are meant.
        variant: which way of doing it, where there are several.
        note: what explains a difference, or that nothing found does.
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
        """The row for machines; ``dataset``, ``class``, ``category``, ``variant``, ``interval`` where they apply."""
        named = {"system": self.system, "measure": self.measure, "gold": self.gold}
        numbers = {"published": self.published, "ours": self.ours, "difference": self.difference, "note": self.note}
        interval = None if self.interval is None else list(self.interval)
        where: dict[str, Any] = {"dataset": self.dataset, "class": self.phrase_class, "category": self.category}
        where |= {"variant": self.variant, "interval": interval}
        return {**named, **{name: value for name, value in where.items() if value is not None}, **numbers}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """The row of a record that ``record`` gave."""
        known = {name: value for name, value in record.items() if name != "difference"}
        ends, phrase_class = known.pop("interval", None), known.pop("class", None)
        return cls(**known, interval=None if ends is None else (ends[0], ends[1]), phrase_class=phrase_class)
