"""The table of a result, and the verdict of the budgets."""

from collections.abc import Mapping, Sequence
from typing import Any

Result = Mapping[str, Any]


def show(result: Result, budgets: Mapping[str, Any]) -> None:
    """Print the table, the parts of the headline and the verdict."""
    from rich.console import Console  # noqa: PLC0415 - run.py stays small until everything is measured
    from rich.table import Table  # noqa: PLC0415 - likewise

    judged = result["documents"] == budgets["documents"] and result["papers"] == "all"
    table = Table(title=f"Speed on one core: {result['documents']}", caption=_CAPTION)
    for heading in ("", "a second", "ms each", "in a unit", "budget", "tokens/s", "peak MiB"):
        table.add_column(heading, justify="right" if heading else "left")
    slow = []
    for row in result["rows"]:
        if "seconds" not in row:
            table.add_row(row["name"], row["note"], "", "", "", "", "")
            continue
        least = budgets["items_in_a_unit"].get(row["name"]) if judged else None
        ratio = row["items"] / row["seconds"] * row["calibration"]
        if least is not None and ratio < least:
            slow.append(row["name"])
        table.add_row(row["name"], *_cells(row, ratio), _verdict(ratio, least), *_sizes(row))
    console = Console()
    console.width = max(console.width, _WIDTH)
    console.print(table)
    for row in result["rows"]:
        if row.get("parts"):
            parts = ", ".join(f"{part} {milliseconds:.2f}" for part, milliseconds in row["parts"].items())
            console.print(f"{row['name']}, ms a paper: {parts}", highlight=False)
    for line in ratios(result["rows"]):
        console.print(line, highlight=False)
    console.print(_judgement(slow, judged=judged), highlight=False)


def ratios(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """How many times the speed of another tool's row ours have that do the same work, for each such pair."""
    speed = {row["name"]: row["items"] / row["seconds"] * row["calibration"] for row in rows if "seconds" in row}
    pairs = [(ours, row["name"]) for row in rows for ours in row.get("beside", ())]
    return [
        f"{ours}: {_number(speed[ours] / speed[theirs])} times the speed of {theirs}"
        for ours, theirs in pairs
        if ours in speed and theirs in speed
    ]


_WIDTH = 116
_CAPTION = "CPU time of one process; a unit is the time of a fixed loop (measuring.py); tokens as each tool counts them"


def _cells(row: Mapping[str, Any], ratio: float) -> tuple[str, str, str]:
    rate = row["items"] / row["seconds"]
    return f"{_number(rate)} {row['unit']}", _number(1_000 / rate), _number(ratio)


def _sizes(row: Mapping[str, Any]) -> tuple[str, str]:
    tokens = f"{row['tokens'] / row['seconds']:,.0f}" if row["tokens"] else ""
    return tokens, f"{row['peak']:.0f}"


def _verdict(ratio: float, least: float | None) -> str:
    if least is None:
        return ""
    return f"[green]{_number(least)} kept[/]" if ratio >= least else f"[bold red]{_number(least)} MISSED[/]"


def _judgement(slow: list[str], *, judged: bool) -> str:
    if not judged:
        return "Budgets are for all papers of SemEval-2010: not judged here."
    if not slow:
        return "All budgets kept."
    return f"Slower than the budget: {', '.join(slow)}."


def _number(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits
