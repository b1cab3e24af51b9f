"""The gain of an adapted system as a table, from the record on its card."""

from collections.abc import Mapping
from typing import Any

from keywright.faces.cli.printing import print_table, printable, table


def print_gain(record: Mapping[str, Any]) -> None:
    """Print measures before and after, with intervals of the differences, in percent."""
    columns = ("before", "after", "difference", "95 % interval")
    title = f"{record['documents']} documents, each held out from training"
    rows = table("measure", *columns, numbers=columns, title=title)
    for change in record["changes"]:
        low, high = change["interval"]
        numbers = (
            f"{100 * change['before']:.1f}",
            f"{100 * change['after']:.1f}",
            f"{100 * change['difference']:+.1f}",
        )
        rows.add_row(printable(change["measure"]), *numbers, f"{100 * low:+.1f} to {100 * high:+.1f}")
    print_table(rows)
