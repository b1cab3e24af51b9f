"""What adapting gained, as a table: from the record that is kept on a trained system's card."""

from collections.abc import Mapping
from typing import Any

from keywright.faces.cli.printing import print_table, printable, table


def print_gain(record: Mapping[str, Any]) -> None:
    """Before and after, with intervals of the differences, in percent."""
    columns = ("before", "after", "difference", "95 % interval")
    title = f"{record['documents']} documents, each judged without having been learnt from"
    made = table("measure", *columns, numbers=columns, title=title)
    for one in record["changes"]:
        numbers = (f"{100 * one['before']:.1f}", f"{100 * one['after']:.1f}", f"{100 * one['difference']:+.1f}")
        low, high = one["interval"]
        made.add_row(printable(one["measure"]), *numbers, f"{100 * low:+.1f} to {100 * high:+.1f}")
    print_table(made)
