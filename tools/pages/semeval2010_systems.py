"""Steps of the shared task's systems as tables, and what their docstrings say of the origins of values.

KEYWRIGHT_MIRROR=... keywright reproduce semeval2010 --ablate --json -o benchmarks/results/semeval2010-steps.json
``results.py`` writes both.
"""

import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from keywright.catalogue import system_class
from keywright.core.pages import Cell, Table
from keywright.experiments.semeval2010_records import ORIGINS, Record, Step, read_printed, read_records
from keywright.experiments.semeval2010_task import DIFFERENCE, USUAL, name_variant
from keywright.experiments.study import Row

OPENING: Final = "Values by origin"
"""Beginning of the paragraph in a system's docstring that this program writes."""
_WIDTH: Final = 120
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


def paragraph(record: Record) -> str:
    """Return what the docstring of a system says of the origins of its values."""
    said = [f"{origin}: {', '.join(names)}" for origin, names in _by_origin(record).items()]
    departures = [step.parameter for step in record.steps if step.literal]
    text = f"{OPENING} (docs/results/semeval2010-systems.md). {'. '.join(part[0].upper() + part[1:] for part in said)}."
    if departures:
        text += f" Departing from the paper: {', '.join(departures)}."
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _by_origin(record: Record) -> dict[str, list[str]]:
    named = {origin: [step.parameter for step in record.steps if step.origin == origin] for origin in ORIGINS}
    return {origin: [name for name in names if name] for origin, names in named.items() if any(names)}


def write_docstrings() -> Iterator[tuple[Path, str]]:
    """Yield the file of each system with a record, and its content with the paragraph as it must be."""
    for name, record in read_records().items():
        path = Path(inspect.getfile(system_class(name)))
        source = path.read_text("utf-8")
        before, opening, rest = source.partition(f"\n{OPENING}")
        end = min(place for place in (rest.find("\n\n"), rest.find('\n"""')) if place >= 0)
        yield path, f"{before}\n{paragraph(record)}{rest[end:]}" if opening else source + paragraph(record)
