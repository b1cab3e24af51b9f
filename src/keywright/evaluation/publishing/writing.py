"""Write reports and comparisons for papers and other programs: CSV, Markdown, LaTeX, HTML."""

import csv
import enum
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from keywright.core.json_values import encode
from keywright.core.pages import Cell, Table
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.html import comparison_html, reports_html
from keywright.evaluation.publishing.page_content import make_view
from keywright.evaluation.publishing.tables import comparison_table, difference_table, report_table
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison

_NAMED: Final = {
    "\\": "textbackslash", "^": "textasciicircum", "~": "textasciitilde", "|": "textbar", "<": "textless",
    ">": "textgreater", '"': "textquotedbl",
}  # fmt: skip
_LATEX: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}$&#%_"} | {sign: f"\\{name}{{}}" for sign, name in _NAMED.items()}
)
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|#])")


def reports_csv(reports: Sequence[Report]) -> str:
    """Write one line for each value of each report (``Report.rows``); fractions in either unit."""
    return write_csv([row for report in reports for row in report.rows()])


def comparison_csv(comparison: Comparison) -> str:
    """Write one line for each value and pair of runs; fractions in either unit."""
    lines = []
    for pair in comparison.differences:
        values = (comparison.reports[run].values[pair.value] for run in (pair.first, pair.second))
        record: dict[str, Any] = encode(pair)
        effect = record.pop("effect") | {"protocol": comparison.protocol, "test": comparison.test}
        lines.append(record | dict(zip(("first_value", "second_value"), values, strict=True)) | effect)
    return write_csv(lines)


def escape_latex(text: str) -> str:
    """Escape every character that is special in LaTeX; line ends become blanks."""
    return " ".join(text.split()).translate(_LATEX)


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
    rule = ("---:" if place in table.numbers else "---" for place in range(len(table.head)))
    rows = [map(escape_markdown, table.head), rule, *(map(_markdown_cell, row) for row in table.rows)]
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    notes = [f"- `{' '.join(note.replace('`', chr(39)).split())}`" for note in table.notes]
    return "\n".join([*lines, "", escape_markdown(table.caption), *(["", *notes] if notes else []), ""])


def _markdown_cell(cell: Cell) -> str:
    text = escape_markdown(cell.text)
    return (f"**{text}**" if cell.best else text) + (f"<sup>{cell.above}</sup>" if cell.above else "")


def latex(table: Table) -> str:
    """Write a floating booktabs table; the notes, which name every rule, are comments above it."""

    def row(cells: Iterable[str]) -> str:
        return f"    {' & '.join(cells)} \\\\"

    columns = "".join("r" if place in table.numbers else "l" for place in range(len(table.head)))
    lines = [
        *(f"% {' '.join(note.split())}" for note in table.notes),
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escape_latex(table.caption)}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        row(map(escape_latex, table.head)),
        r"    \midrule",
        *(row(map(_latex_cell, cells)) for cells in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return (f"\\textbf{{{text}}}" if cell.best else text) + (f"\\textsuperscript{{{cell.above}}}" if cell.above else "")


class Publication(enum.StrEnum):
    """Formats for papers and other programs."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


def publish(scored: Sequence[tuple[Report, PairedRun]], rules: Sequence[Protocol], form: Publication) -> str:
    """Format reports of one run, each with its predictions, gold and protocol, as one text.

    Tables have the identities of a report below them or in comments; LaTeX needs the package booktabs.
    """
    reports = [report for report, _ in scored]
    match form:
        case Publication.CSV:
            return reports_csv(reports)
        case Publication.HTML:
            return reports_html([make_view(*pair, protocol) for pair, protocol in zip(scored, rules, strict=True)])
    return "\n".join(map(latex if form is Publication.LATEX else markdown, map(report_table, reports)))


def publish_comparison(comparison: Comparison, form: Publication) -> str:
    """Format a comparison as one text; LaTeX has the runs alone, best values bold and letters as superscripts."""
    match form:
        case Publication.CSV:
            return comparison_csv(comparison)
        case Publication.HTML:
            return comparison_html(comparison)
        case Publication.LATEX:
            return latex(comparison_table(comparison))
    return "\n".join(map(markdown, (comparison_table(comparison), difference_table(comparison))))
