"""Write reports and comparisons for papers and other programs: CSV, Markdown, LaTeX, HTML."""

import csv
import enum
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final

from keywright.core.pages import Cell, Table
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.html import comparison_html, reports_html
from keywright.evaluation.publishing.page_content import make_view
from keywright.evaluation.publishing.tables import comparison_table, difference_table, report_table
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison, Difference
from keywright.evaluation.statistics.significance import Effect

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
    """Write one line for each value of each report (``Report.rows``); fractions in either unit."""
    return write_csv([row for report in reports for row in report.rows()])


def comparison_csv(comparison: Comparison) -> str:
    """Write one line for each value and pair of runs; fractions in either unit."""
    plain = [field.name for field in fields(Difference) if field.name != "effect"]
    lines = []
    for pair in comparison.differences:
        values = (comparison.reports[run].values[pair.value] for run in (pair.first, pair.second))
        record: dict[str, Any] = {name: getattr(pair, name) for name in plain}
        record |= dict(zip(("first_value", "second_value"), values, strict=True))
        record |= {field.name: getattr(pair.effect, field.name) for field in fields(Effect)}
        lines.append(record | {"protocol": comparison.protocol, "test": comparison.test})
    return write_csv(lines)


def reports_markdown(reports: Sequence[Report]) -> str:
    """Write a table for each report, with its identities below."""
    return "\n".join(markdown(report_table(report)) for report in reports)


def comparison_markdown(comparison: Comparison) -> str:
    """Write the table of runs and the table of their differences."""
    return "\n".join(map(markdown, (comparison_table(comparison), difference_table(comparison))))


def reports_latex(reports: Sequence[Report]) -> str:
    """Write a ``table`` for each report; needs the package booktabs."""
    return "\n".join(latex(report_table(report)) for report in reports)


def comparison_latex(comparison: Comparison) -> str:
    """Write a ``table`` of runs: best values bold, letters as superscripts; needs the package booktabs."""
    return latex(comparison_table(comparison))


def escape_latex(text: str) -> str:
    """Escape every character that is special in LaTeX; line ends become blanks."""
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def escape_markdown(text: str) -> str:
    """Escape every character that is special in Markdown or its tables; line ends become blanks."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def write_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Write records under a header line; None is an empty field."""
    lines = list(records)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lines[0]) if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def markdown(table: Table) -> str:
    """Write a pipe table; below it, the notes as code."""
    lines = [_pipe_row(map(escape_markdown, table.head))]
    lines.append(_pipe_row("---:" if place in table.numbers else "---" for place in range(len(table.head))))
    lines += [_pipe_row(map(_markdown_cell, row)) for row in table.rows]
    notes = [f"- `{' '.join(note.replace('`', chr(39)).split())}`" for note in table.notes]
    return "\n".join([*lines, "", escape_markdown(table.caption), *(["", *notes] if notes else []), ""])


def _pipe_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: Cell) -> str:
    text = escape_markdown(cell.text)
    return (f"**{text}**" if cell.best else text) + (f"<sup>{cell.above}</sup>" if cell.above else "")


def latex(table: Table) -> str:
    """Write a floating booktabs table; the notes, which name every rule, are comments above it."""
    columns = "".join("r" if place in table.numbers else "l" for place in range(len(table.head)))
    lines = [
        *(f"% {' '.join(note.split())}" for note in table.notes),
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escape_latex(table.caption)}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        _latex_row(map(escape_latex, table.head)),
        r"    \midrule",
        *(_latex_row(map(_latex_cell, row)) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _latex_cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return (f"\\textbf{{{text}}}" if cell.best else text) + (f"\\textsuperscript{{{cell.above}}}" if cell.above else "")


class Publication(enum.StrEnum):
    """Formats for papers and other programs."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


_OF_REPORTS: Final[Mapping[Publication, Callable[[Sequence[Report]], str]]] = MappingProxyType(
    {
        Publication.CSV: reports_csv,
        Publication.MARKDOWN: reports_markdown,
        Publication.LATEX: reports_latex,
    }
)
_OF_COMPARISONS: Final[Mapping[Publication, Callable[[Comparison], str]]] = MappingProxyType(
    {
        Publication.CSV: comparison_csv,
        Publication.MARKDOWN: comparison_markdown,
        Publication.LATEX: comparison_latex,
        Publication.HTML: comparison_html,
    }
)


def publish(scored: Sequence[tuple[Report, PairedRun]], rules: Sequence[Protocol], form: Publication) -> str:
    """Format reports of one run, each with its predictions, gold and protocol, as one text."""
    if form is Publication.HTML:
        return reports_html([make_view(*pair, protocol) for pair, protocol in zip(scored, rules, strict=True)])
    return _OF_REPORTS[form]([report for report, _ in scored])


def publish_comparison(comparison: Comparison, form: Publication) -> str:
    """Format a comparison as one text."""
    return _OF_COMPARISONS[form](comparison)
