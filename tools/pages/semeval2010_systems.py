"""Write the page on the steps of the shared task's systems, and what their docstrings say of the origins of values.

KEYWRIGHT_MIRROR=... keywright reproduce semeval2010 --ablate --json -o benchmarks/results/semeval2010-steps.json
python -m tools.pages.semeval2010_systems          writes docs/reference/semeval2010-systems.md, and the docstrings
python -m tools.pages.semeval2010_systems --check  exits with status 1 if they differ
"""

import inspect
import json
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.pages.writing import write_or_check

from keywright.catalogue import system_class
from keywright.experiments.semeval2010_ablations import DIFFERENCE, USUAL, name_variant
from keywright.experiments.semeval2010_records import ORIGINS, Record, Step, read_printed, read_records
from keywright.experiments.study import Row

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "semeval2010-systems.md"
RESULTS: Final = ROOT / "benchmarks" / "results" / "semeval2010-steps.json"
OPENING: Final = "Values by origin"
"""Beginning of the paragraph in a system's docstring that this program writes."""
_WIDTH: Final = 120
_MAIN: Final = "F@15"
Worth = Mapping[tuple[str, str], tuple[float, tuple[float, float]]]
"""Difference in F at 15 and its interval, by system and variant."""

INTRO = """# Systems of SemEval-2010 Task 5, step by step

<!-- Written by tools/pages/semeval2010_systems.py from the records in src/keywright/experiments/records and
from benchmarks/results/semeval2010-steps.json: change those, not this page. -->

Where each step of a system comes from, and what it is worth. *Stated*: by the paper or by the task paper (the journal
article of Kim, Medelyan, Kan and Baldwin, 2013); what is marked *recalled* was not at hand and is from memory.
*Authors' program*: read in it. *Usual form*: of a method that is named. *Cross-validated*: left open, and chosen on the
144 training papers. *Invented*: not named, and needed. The order decides which value is the default
([decision 0012](../decisions/0012-values-of-reproduced-systems.md)); a *departure* is a default that is not the stated
value, with its reason, and the system has a *literal* row in [the table of scores](semeval2010.md).

The last column is the change of combined F at 15 in percent points when another value is taken, on held-out folds of
the training papers (`keywright reproduce semeval2010 --ablate`), with its interval from papers drawn anew in pairs. A
change whose interval holds 0 is within noise. Values of *best on training* were combined by
`tools/train/best_parameters.py`; their score there is optimistic, as they were chosen by it.
"""


def page(rows: Sequence[Row]) -> str:
    """Return the whole page."""
    listed = [name for name in (*read_printed(), "kea") if name in read_records()]
    worth = {
        (row.system or "", row.variant or ""): (row.ours or 0.0, row.interval or (0.0, 0.0))
        for row in rows
        if row.measure == DIFFERENCE
    }
    usual = {row.system or "": row.ours for row in rows if (row.variant, row.measure) == (USUAL, _MAIN)}
    parts = [INTRO, _summary(listed), *(_section(read_records()[name], worth, usual.get(name)) for name in listed)]
    return "\n".join(parts).rstrip() + "\n"


def _summary(listed: Sequence[str]) -> str:
    lines = _table(("system", *ORIGINS, "departures"))
    for name in listed:
        steps = read_records()[name].steps
        numbers = [sum(step.origin == origin for step in steps) for origin in ORIGINS]
        departures = ", ".join(f"`{step.parameter}`" for step in steps if step.literal)
        lines.append(_line((f"[{_printed(name)}](#{name})", *map(str, numbers), departures)))
    return "Steps by origin.\n\n" + "\n".join(lines) + "\n"


def _section(record: Record, worth: Worth, usual: float | None) -> str:
    lines = [f"## {record.system}", "", f"{record.paper}. Read in: {record.read}.", ""]
    if usual is not None:
        lines += [
            f"On held-out training papers the default has a combined F at 15 of {usual:.2f}{_rows(record, worth)}.",
            "",
        ]
    lines += _table(("step", "value", "origin", "where", "worth of other values"))
    lines += [_line(_cells(record.system, step, worth)) for step in record.steps]
    for step in record.steps:
        if step.departs:
            lines += ["", f"`{step.parameter}` departs from `{_text(step.literal[0])}`. {step.departs}"]
    features = {variant: change for (name, variant), change in worth.items() if name == record.system}
    left_out = [
        f"{variant.removeprefix('without=')} {_change(change)}"
        for variant, change in features.items()
        if variant.startswith("without=")
    ]
    if left_out:
        lines += ["", f"Without a feature: {'; '.join(left_out)}."]
    return "\n".join(lines) + "\n"


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


def _table(heads: Sequence[str]) -> list[str]:
    return [_line(heads), _line(["---"] * len(heads))]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def paragraph(record: Record) -> str:
    """Return what the docstring of a system says of the origins of its values."""
    said = [f"{origin}: {', '.join(names)}" for origin, names in _by_origin(record).items()]
    departures = [step.parameter for step in record.steps if step.literal]
    text = (
        f"{OPENING} (docs/reference/semeval2010-systems.md). {'. '.join(part[0].upper() + part[1:] for part in said)}."
    )
    if departures:
        text += f" Departing from the paper: {', '.join(departures)}."
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _by_origin(record: Record) -> dict[str, list[str]]:
    named = {origin: [step.parameter for step in record.steps if step.origin == origin] for origin in ORIGINS}
    return {origin: [name for name in names if name] for origin, names in named.items() if any(names)}


def modules() -> Iterator[tuple[Path, str]]:
    """Yield the file of each system with a record, and its content with the paragraph as it must be."""
    for name, record in read_records().items():
        path = Path(inspect.getfile(system_class(name)))
        source = path.read_text("utf-8")
        before, opening, rest = source.partition(f"\n{OPENING}")
        end = min(place for place in (rest.find("\n\n"), rest.find('\n"""')) if place >= 0)
        yield path, f"{before}\n{paragraph(record)}{rest[end:]}" if opening else source + paragraph(record)


def main() -> None:
    """Write or check."""
    rows = [Row.of(record) for record in json.loads(RESULTS.read_text("utf-8"))["rows"]]
    write_or_check({PAGE: page(rows), **dict(modules())}, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
