"""Reports and comparisons for papers and other programs: CSV, Markdown, LaTeX, and one HTML file with plots."""

import enum
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from keywright.core import pages
from keywright.core.json_values import encode
from keywright.core.pages import Cell, Table
from keywright.core.views import format_row
from keywright.evaluation.measures.counts import NAMES
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing import tables
from keywright.evaluation.publishing.page_content import Mistake, View, make_view
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison, pair_document_scores

MOST: Final = 30  # mistakes of each kind on a page, arbitrary; the page has their total number
_DOCUMENTS: Final = 8  # ids of documents in a cell, arbitrary
_PANELS: Final = 6  # pairs of runs that are drawn, arbitrary
_WIDE: Final = 8  # columns that fit on a page
_EXTREMES: Final = 5  # lowest and highest documents, arbitrary


def comparison_html(comparison: Comparison) -> str:
    """Write a page of several runs under one protocol."""
    identities = [("protocol", comparison.protocol), ("gold", ", ".join(comparison.gold))]
    identities += [(name, report.run) for name, report in comparison.reports.items()]
    runs = tables.comparison_table(comparison)
    runs = tables.transpose_table(runs) if len(runs.head) > _WIDE else runs
    parts = [pages.build_facts(identities), pages.build_heading("Values"), pages.build_table(runs)]
    if any(report.intervals for report in comparison.reports.values()):
        names = tables.shown(next(iter(comparison.reports.values())).values)
        series = [
            (run, [(report.values[name], *report.intervals.get(name, (report.values[name],) * 2)) for name in names])
            for run, report in comparison.reports.items()
        ]
        plot = pages.draw_intervals("Values of the runs with their intervals", names, series, "values")
        parts.append(pages.build_plot(plot))
    parts += [pages.build_heading("Differences, pair by pair"), pages.build_table(tables.difference_table(comparison))]
    parts += [pages.build_heading("Wins and losses of documents"), *_document_plots(comparison)]
    parts += [pages.build_paragraph(f"Note: {warning}") for warning in comparison.warnings]
    return pages.build_page(f"{len(comparison.reports)} runs compared under {comparison.rules.name}", parts)


def _report_parts(view: View, name: str) -> Iterator[str]:
    report = view.report
    yield pages.build_heading(f"Protocol {view.name}")
    yield pages.build_facts([("protocol", report.protocol), ("run", report.run), ("gold", ", ".join(report.gold))])
    yield pages.build_table(tables.report_table(report))
    for reason, count in report.skipped.items():
        yield pages.build_paragraph(f"{count} documents: {reason}.")
    for warning in report.warnings:
        yield pages.build_paragraph(f"Note: {warning}.")
    if view.cutoff is None:
        return
    at = f"@{view.cutoff}"
    yield pages.build_heading("Documents", 3)
    yield pages.build_paragraph(f"Number of documents by F{at}, for each kind of gold.")
    series = [(f"gold {by}", [score for _, score in scores]) for by, scores in view.documents.items()]
    yield pages.build_plot(pages.draw_histogram(f"Distribution of documents by F{at}", series, f"{name}-documents"))
    ordered = sorted(view.documents[view.kind], key=lambda scored: scored[1])
    extremes = [*ordered[:_EXTREMES], *ordered[_EXTREMES:][-_EXTREMES:]]
    lines = ((document, tables.format_number(score, "fraction")) for document, score in extremes)
    caption = f"The lowest and the highest documents by F{at}, {view.kind} gold."
    yield pages.build_table(Table.make(caption, ("document", f"F{at}"), lines))
    scope = f"{view.kind} gold, cutoff {view.cutoff}"
    presence = f"Phrases whose stems follow each other in the text, and all others, pooled; {scope}."
    for title, parts, note, key in (
        ("By kind of gold", view.kinds, f"All documents, cutoff {view.cutoff}.", "kinds"),
        ("By category", view.categories, f"Documents of each category; {scope}.", "categories"),
        ("By length of phrase", view.lengths, f"Phrases by number of words, pooled; {scope}.", "lengths"),
        ("Present and absent", view.presence, presence, "presence"),
    ):
        if parts:
            yield pages.build_heading(title, 3)
            columns = [(each, [getattr(part, each) for part in parts]) for each in NAMES]
            names = [part.name for part in parts]
            bars = pages.draw_bars(f"{title}: precision, recall and F", names, columns, f"{name}-{key}")
            yield pages.build_plot(bars)
            rows = (
                (part.name, str(part.size), *(tables.format_number(getattr(part, each), "fraction") for each in NAMES))
                for part in parts
            )
            yield pages.build_table(Table.make(note, ("part", "size", *NAMES), rows))
    yield pages.build_heading("Mistakes", 3)
    gain = f"the gain in F{at} ({view.kind} gold) if each of the documents had one more hit, in hundredths"
    yield pages.build_paragraph(f"The cost is {gain}.")
    yield pages.build_table(_mistakes_table("Predicted, but not in the gold", view.wrong))
    yield pages.build_table(_mistakes_table("In the gold, but not predicted", view.missed))


def _mistakes_table(title: str, mistakes: Sequence[Mistake]) -> Table:
    rows = []
    for mistake in mistakes[:MOST]:
        rest = len(mistake.documents) - _DOCUMENTS
        names = ", ".join(mistake.documents[:_DOCUMENTS]) + (f" and {rest} more" if rest > 0 else "")
        cells = mistake.text or "(empty)", f"{100 * mistake.cost:.3f}", str(len(mistake.documents)), names
        rows.append(tuple(map(Cell, cells)))
    size = f"the {MOST} most costly of {len(mistakes)}" if len(mistakes) > MOST else f"all {len(mistakes)}"
    head = ("phrase", "cost in points", "documents", "ids")
    return Table(f"{title}: {size}.", head, tuple(rows), frozenset({1, 2}))


def _document_plots(comparison: Comparison) -> Iterator[str]:
    name = tables.shown(next(iter(comparison.reports.values())).values)[-1]
    gold, _, measure = name.rpartition("/")
    rows = [row.scores for row in pair_document_scores(comparison) if (row.gold, row.measure) == (gold, measure)]
    pairs = list(itertools.combinations(enumerate(comparison.reports), 2))
    panels = []
    for (first, run), (second, other) in pairs[:_PANELS]:
        values = [(row[first], row[second]) for row in rows]
        panels.append((f"{run} − {other}", [a - b for a, b in values if a is not None and b is not None]))
    yield pages.build_paragraph(
        f"{name}: each bar is a document; dark ones are wins of the first run, light ones losses. "
        + (f"The first {_PANELS} of {len(pairs)} pairs." if len(pairs) > _PANELS else "")
    )
    yield pages.build_plot(pages.draw_differences(f"Differences of documents in {name}", panels, "documents"))


_NAMED: Final = {
    "\\": "textbackslash", "^": "textasciicircum", "~": "textasciitilde", "|": "textbar", "<": "textless",
    ">": "textgreater", '"': "textquotedbl",
}  # fmt: skip
_LATEX: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}$&#%_"} | {sign: f"\\{name}{{}}" for sign, name in _NAMED.items()}
)
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|#])")


def escape_latex(text: str) -> str:
    """Escape every character that is special in LaTeX; line ends become blanks."""
    return " ".join(text.split()).translate(_LATEX)


def escape_markdown(text: str) -> str:
    """Escape every character that is special in Markdown or its tables; line ends become blanks."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def write_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Write records under a header line; None is an empty field."""
    lines = list(records)
    head = tuple(lines[0]) if lines else ()
    return "".join(map(format_row, (head, *(tuple(line[name] for name in head) for line in lines))))


def markdown(table: Table) -> str:
    """Write a pipe table; below it, the notes as code."""
    cell = partial(_mark_cell, escape=escape_markdown, best=("**", "**"), above=("<sup>", "</sup>"))
    rule = ("---:" if place in table.numbers else "---" for place in range(len(table.head)))
    rows = [map(escape_markdown, table.head), rule, *(map(cell, row) for row in table.rows)]
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    notes = [f"- `{' '.join(note.replace('`', chr(39)).split())}`" for note in table.notes]
    return "\n".join([*lines, "", escape_markdown(table.caption), *(["", *notes] if notes else []), ""])


def latex(table: Table) -> str:
    """Write a floating booktabs table; the notes, which name every rule, are comments above it."""

    def row(cells: Iterable[str]) -> str:
        return f"    {' & '.join(cells)} \\\\"

    cell = partial(_mark_cell, escape=escape_latex, best=("\\textbf{", "}"), above=("\\textsuperscript{", "}"))
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
        *(row(map(cell, cells)) for cells in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _mark_cell(cell: Cell, escape: Callable[[str], str], best: tuple[str, str], above: tuple[str, str]) -> str:
    """Return the text of a cell with marks around the best value and around letters above it."""
    text = escape(cell.text)
    text = text.join(best) if cell.best else text
    return text + (cell.above.join(above) if cell.above else "")


class Publication(enum.StrEnum):
    """Formats for papers and other programs."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


def publish(scored: Sequence[tuple[Report, PairedRun]], rules: Sequence[Protocol], form: Publication) -> str:
    """Format reports of one run, each with its predictions, gold and protocol; LaTeX needs the package booktabs."""
    reports = [report for report, _ in scored]
    match form:
        case Publication.CSV:
            return write_csv([row for report in reports for row in report.rows()])
        case Publication.HTML:
            views = [make_view(*pair, protocol) for pair, protocol in zip(scored, rules, strict=True)]
            parts = (part for place, view in enumerate(views) for part in _report_parts(view, f"r{place}"))
            return pages.build_page(f"Scores under {', '.join(view.name for view in views)}", parts)
    return "\n".join(map(latex if form is Publication.LATEX else markdown, map(tables.report_table, reports)))


def publish_comparison(comparison: Comparison, form: Publication) -> str:
    """Format a comparison as one text; LaTeX has the runs alone, best values bold and letters as superscripts."""
    match form:
        case Publication.CSV:  # fractions in either unit
            lines = []
            for pair in comparison.differences:
                first, second = (comparison.reports[run].values[pair.value] for run in (pair.first, pair.second))
                record: dict[str, Any] = encode(pair)
                effect = record.pop("effect") | {"protocol": comparison.protocol, "test": comparison.test}
                lines.append(record | {"first_value": first, "second_value": second} | effect)
            return write_csv(lines)
        case Publication.HTML:
            return comparison_html(comparison)
        case Publication.LATEX:
            return latex(tables.comparison_table(comparison))
    return "\n".join(map(markdown, (tables.comparison_table(comparison), tables.difference_table(comparison))))
