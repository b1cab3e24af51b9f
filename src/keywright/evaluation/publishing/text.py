"""Reports and comparisons as text for other programs: CSV, Markdown, LaTeX."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from keywright.evaluation.publishing.tables import comparison_table, difference_table, report_table
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison, Difference
from keywright.evaluation.statistics.effect_size import Effect
from keywright.presentation.table import Cell, Table

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
}
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|#])")


def reports_csv(reports: Sequence[Report]) -> str:
    """One line for each value of each report (``Report.rows``); fractions, whatever the unit."""
    return csv_of([row for report in reports for row in report.rows()])


def comparison_csv(comparison: Comparison) -> str:
    """One line for each value and pair of runs; fractions, whatever the unit."""
    plain = [field.name for field in fields(Difference) if field.name != "effect"]
    lines = []
    for one in comparison.differences:
        values = (comparison.reports[run].values[one.value] for run in (one.first, one.second))
        record: dict[str, Any] = {name: getattr(one, name) for name in plain}
        record |= dict(zip(("first_value", "second_value"), values, strict=True))
        record |= {field.name: getattr(one.effect, field.name) for field in fields(Effect)}
        lines.append(record | {"protocol": comparison.protocol, "test": comparison.test})
    return csv_of(lines)


def reports_markdown(reports: Sequence[Report]) -> str:
    """A table for each report, with its identities below."""
    return "\n".join(markdown(report_table(report)) for report in reports)


def comparison_markdown(comparison: Comparison) -> str:
    """The table of runs and the table of their differences."""
    return "\n".join(map(markdown, (comparison_table(comparison), difference_table(comparison))))


def reports_latex(reports: Sequence[Report]) -> str:
    """A ``table`` for each report; needs the package booktabs."""
    return "\n".join(latex(report_table(report)) for report in reports)


def comparison_latex(comparison: Comparison) -> str:
    """A ``table`` of runs: best values bold, letters as superscripts; needs the package booktabs."""
    return latex(comparison_table(comparison))


def escaped_latex(text: str) -> str:
    """Text with every character that LaTeX would act on written as a command; line ends become blanks."""
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def escaped_markdown(text: str) -> str:
    """Text with every character that Markdown or a table would act on behind a backslash."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def csv_of(records: Iterable[Mapping[str, Any]]) -> str:
    """Records under a line of their names; None is an empty field."""
    lines = list(records)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lines[0]) if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def markdown(table: Table) -> str:
    """A pipe table; below it, the notes as code."""
    lines = [_pipes(map(escaped_markdown, table.head))]
    lines.append(_pipes("---:" if place in table.numbers else "---" for place in range(len(table.head))))
    lines += [_pipes(map(_markdown_cell, row)) for row in table.rows]
    notes = [f"- `{' '.join(note.replace('`', chr(39)).split())}`" for note in table.notes]
    return "\n".join([*lines, "", escaped_markdown(table.caption), *(["", *notes] if notes else []), ""])


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: Cell) -> str:
    text = escaped_markdown(cell.text)
    return (f"**{text}**" if cell.best else text) + (f"<sup>{cell.above}</sup>" if cell.above else "")


def latex(table: Table) -> str:
    """A floating table in the manner of booktabs; the notes, which name every rule, are comments above it."""
    columns = "".join("r" if place in table.numbers else "l" for place in range(len(table.head)))
    lines = [
        *(f"% {' '.join(note.split())}" for note in table.notes),
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escaped_latex(table.caption)}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        _ampersands(map(escaped_latex, table.head)),
        r"    \midrule",
        *(_ampersands(map(_latex_cell, row)) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _ampersands(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _latex_cell(cell: Cell) -> str:
    text = escaped_latex(cell.text)
    return (f"\\textbf{{{text}}}" if cell.best else text) + (f"\\textsuperscript{{{cell.above}}}" if cell.above else "")
