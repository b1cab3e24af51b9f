"""Steps of the shared task's systems as tables.

KEYWRIGHT_MIRROR=... keywright reproduce semeval2010 --ablate --json -o benchmarks/results/semeval2010-steps.json
``results.py`` writes them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from keywright.core.pages import Cell, Table
from keywright.experiments.semeval2010_records import ORIGINS, Record, Step, read_printed, read_records
from keywright.experiments.semeval2010_task import DIFFERENCE, USUAL, name_variant
from keywright.experiments.study import Row

_MAIN: Final = "F@15"
Worth = Mapping[tuple[str, str], tuple[float, tuple[float, float]]]
"""Difference in F at 15 and its interval, by system and variant."""


def list_steps(records: Sequence[Mapping[str, Any]]) -> tuple[Table, Table]:
    """Return how many steps of each system have which origin, and all steps with what other values are worth."""
    rows = [Row.of(record) for record in records]
    worth = {
        (row.system or "", row.variant or ""): (row.ours or 0.0, row.interval or (0.0, 0.0))
        for row in rows
        if row.measure == DIFFERENCE
    }
    usual = {row.system or "": row.ours for row in rows if (row.variant, row.measure) == (USUAL, _MAIN)}
    listed = [name for name in (*read_printed(), "kea") if name in read_records()]
    return _count_origins(listed, worth, usual), _list_steps(listed, worth)


def _count_origins(listed: Sequence[str], worth: Worth, usual: Mapping[str, float | None]) -> Table:
    lines = []
    for name in listed:
        record = read_records()[name]
        numbers = [sum(step.origin == origin for step in record.steps) for origin in ORIGINS]
        departures = ", ".join(step.parameter for step in record.steps if step.literal)
        score = usual.get(name)
        shown = "" if score is None else f"{score:.2f}{_rows(record, worth)}"
        lines.append(tuple(map(Cell, (_printed(name), *map(str, numbers), departures, shown))))
    head = ("system", *ORIGINS, "departures", "combined F@15 on held-out training papers")
    return Table("Steps by origin.", head, tuple(lines), frozenset(range(1, 1 + len(ORIGINS))))


def _list_steps(listed: Sequence[str], worth: Worth) -> Table:
    lines = []
    for name in listed:
        record = read_records()[name]
        for step in record.steps:
            literal = f"departs from {_text(step.literal[0])}. {step.departs}" if step.departs else ""
            lines.append((name, *_cells(name, step, worth), literal))
        without = {variant: change for (system, variant), change in worth.items() if system == name}
        lines += [
            (name, f"without the feature {variant.removeprefix('without=')}", "", "", "", _change(change), "")
            for variant, change in without.items()
            if variant.startswith("without=")
        ]
    head = ("system", "step", "value", "origin", "where", "worth of other values", "departure")
    return Table(
        "All steps, with what other values are worth",
        head,
        tuple(tuple(map(Cell, line)) for line in lines),
        frozenset(),
    )


def _rows(record: Record, worth: Worth) -> str:
    """Return the changes by the variants."""
    said = [
        f"{name} ({', '.join(f'`{option}={_text(value)}`' for option, value in values.items())})"
        f" {_measured(worth, record.system, name)}"
        for name, values in record.variants.items()
    ]
    return "".join(f"; {part}" for part in said)


def _cells(system: str, step: Step, worth: Worth) -> tuple[str, ...]:
    value = f"`{step.parameter}={_text(step.value)}`" if step.value is not None or step.tried else ""
    if step.parameter and not value:
        value = f"`{step.parameter}`"
    where = step.source + (f"; here: {step.instead}" if step.instead else "")
    changes = (
        f"`{_text(other)}` {_measured(worth, system, name_variant(step.parameter, other))}" for other in step.tried
    )
    return step.does, value, step.origin, where, "; ".join(changes)


def _measured(worth: Worth, system: str, variant: str) -> str:
    return _change(worth[system, variant]) if (system, variant) in worth else "not measured"


def _change(change: tuple[float, tuple[float, float]]) -> str:
    value, (low, high) = change
    return f"{value:+.2f} ({low:+.1f} to {high:+.1f})"


def _text(value: object) -> str:
    """Return a value as the command line takes it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _printed(name: str) -> str:
    return str(read_printed().get(name, {}).get("printed", name))
