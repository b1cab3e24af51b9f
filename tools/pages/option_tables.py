"""Write the tables of options in ``docs/reference/commands.md`` from the one table of options in the code.

``python -m tools.pages.option_tables`` writes them; with ``--check`` it only compares.
"""

import re
import sys
from pathlib import Path
from typing import Final

from tools.pages.writing import write_or_check

from keywright.core.options import ChoiceOptions, GuaranteeOptions, PhraseOptions, options_of

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
TABLES: Final = {"choices": ChoiceOptions, "phrases": PhraseOptions, "guarantees": GuaranteeOptions}


def rows(table: type) -> str:
    """Return a table of options as Markdown."""
    lines = [
        f"| `{f'{option.flags[0]} {option.metavar}'.strip()}` | {option.command_line_help} |"
        for option in options_of(table).values()
    ]
    return "\n".join(["| option | meaning |", "|---|---|", *lines])


def page(text: str) -> str:
    """Return the page with the tables between its marks replaced."""
    for name, table in TABLES.items():
        marks = re.compile(rf"(<!-- options: {name} -->\n).*?(?=\n<!-- end -->)", re.DOTALL)
        text = marks.sub(lambda match, table=table: match[1] + rows(table), text)
    return text


if __name__ == "__main__":
    write_or_check({PAGE: page(PAGE.read_text("utf-8"))}, check="--check" in sys.argv[1:])
