"""Comparisons as tables for data analysis and for notebooks."""

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from keywright.core.views import MOST_ROWS, Kinds, NotebookTable, frame_records

if TYPE_CHECKING:  # comparisons use this module
    from keywright.evaluation.statistics.comparison import Comparison, Difference

_NUMBERS: Final = ("difference", "low", "high", "detectable", "p", "p_holm", "relative")
COMPARISON_COLUMNS: Final[Kinds] = MappingProxyType(
    {
        **dict.fromkeys(("protocol", "value", "first", "second"), str),
        **dict.fromkeys(_NUMBERS, float),
        **dict.fromkeys(("wins", "ties", "losses"), int),
        "test": str,
    }
)
"""Columns of a comparison: one row for each value and pair of runs; ``difference`` is first minus second."""


def comparison_frame(comparison: "Comparison", library: str | None) -> Any:
    """Return a table with a row for each value and each pair of runs."""
    shared = {"protocol": comparison.protocol.partition("|")[0], "test": comparison.test}
    return frame_records(
        (shared | _difference_row(difference) for difference in comparison.differences), COMPARISON_COLUMNS, library
    )


def comparison_html(comparison: "Comparison") -> str:
    """Return the differences of a comparison for a notebook."""
    head = ("value", "first", "second", "difference", "95 % interval", "p (Holm)")
    rows = [_difference_line(difference) for difference in comparison.differences[:MOST_ROWS]]
    caption = f"Differences, first minus second, under {comparison.protocol.partition('|')[0]}"
    notes = (f"tests by {comparison.test}, intervals by {comparison.intervals_by}", *comparison.warnings)
    beyond = len(comparison.differences) - len(rows), "differences"
    return NotebookTable(caption, head, rows, head[3:], notes, beyond).html()


def _difference_row(difference: "Difference") -> dict[str, Any]:
    names = ("value", "first", "second", *_NUMBERS)
    effect = difference.effect
    counts = {"wins": effect.wins, "ties": effect.ties, "losses": effect.losses}
    return {name: getattr(difference, name) for name in names} | counts


def _difference_line(difference: "Difference") -> tuple[str, ...]:
    p = "" if difference.p_holm is None else f"{difference.p_holm:.4f}"
    interval = f"{difference.low:+.4f} to {difference.high:+.4f}"
    return difference.value, difference.first, difference.second, f"{difference.difference:+.4f}", interval, p
