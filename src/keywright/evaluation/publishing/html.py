"""Reports and comparisons as one HTML file each, with plots; the numbers of every plot are also in a table."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from keywright.evaluation.publishing.phrases import Mistake
from keywright.evaluation.publishing.tables import (
    comparison_table,
    difference_table,
    number,
    report_table,
    shown,
    turned,
)
from keywright.evaluation.publishing.views import Part, View
from keywright.evaluation.statistics.comparison import Comparison, document_rows
from keywright.presentation import drawing, page
from keywright.presentation.page import Cell, Table

MOST: Final = 30  # mistakes of each kind on a page, arbitrary; the page has their total number
_DOCUMENTS: Final = 8  # ids of documents in a cell, arbitrary
_PANELS: Final = 6  # pairs of runs that are drawn, arbitrary
_WIDE: Final = 8  # columns that fit on a page
_EXTREMES: Final = 5  # lowest and highest documents, arbitrary


def reports_html(views: Sequence[View]) -> str:
    """Write a page of one run under one protocol or several."""
    parts = itertools.chain.from_iterable(_report(view, f"r{place}") for place, view in enumerate(views))
    names = ", ".join(view.name for view in views)
    return page.page(f"Scores under {names}", parts)


def comparison_html(comparison: Comparison) -> str:
    """Write a page of several runs under one protocol."""
    identities = [("protocol", comparison.protocol), ("gold", ", ".join(comparison.gold))]
    identities += [(name, report.run) for name, report in comparison.reports.items()]
    parts = [page.facts(identities), page.heading("Values"), page.table(_runs(comparison))]
    if any(report.intervals for report in comparison.reports.values()):
        parts.append(page.plot(_values_plot(comparison)))
    parts += [page.heading("Differences, pair by pair"), page.table(difference_table(comparison))]
    parts += [page.heading("Wins and losses of documents"), *_document_plots(comparison)]
    parts += [page.paragraph(f"Note: {warning}") for warning in comparison.warnings]
    return page.page(f"{len(comparison.reports)} runs compared under {comparison.rules.name}", parts)


def _runs(comparison: Comparison) -> Table:
    """Return the table of runs, transposed if it has many values."""
    table = comparison_table(comparison)
    return turned(table) if len(table.head) > _WIDE else table


def _report(view: View, name: str) -> Iterator[str]:
    report = view.report
    yield page.heading(f"Protocol {view.name}")
    yield page.facts([("protocol", report.protocol), ("run", report.run), ("gold", ", ".join(report.gold))])
    yield page.table(report_table(report))
    for reason, count in report.skipped.items():
        yield page.paragraph(f"{count} documents: {reason}.")
    for warning in report.warnings:
        yield page.paragraph(f"Note: {warning}.")
    if view.cutoff is None:
        return
    at = f"@{view.cutoff}"
    yield page.heading("Documents", 3)
    yield page.paragraph(f"Number of documents by F{at}, for each kind of gold.")
    series = [(f"gold {by}", [score for _, score in scores]) for by, scores in view.documents.items()]
    yield page.plot(drawing.histogram(f"Distribution of documents by F{at}", series, f"{name}-documents"))
    yield page.table(_extremes(view))
    scope = f"{view.kind} gold, cutoff {view.cutoff}"
    presence = f"Phrases whose stems follow each other in the text, and all others, pooled; {scope}."
    for title, parts, note, key in (
        ("By kind of gold", view.kinds, f"All documents, cutoff {view.cutoff}.", "kinds"),
        ("By category", view.categories, f"Documents of each category; {scope}.", "categories"),
        ("By length of phrase", view.lengths, f"Phrases by number of words, pooled; {scope}.", "lengths"),
        ("Present and absent", view.presence, presence, "presence"),
    ):
        if parts:
            yield page.heading(title, 3)
            yield page.plot(_parts_plot(title, parts, f"{name}-{key}"))
            yield page.table(_parts_table(parts, note))
    yield page.heading("Mistakes", 3)
    yield page.paragraph(
        f"The cost is the gain in F{at} ({view.kind} gold) if each of the documents had one more hit, in hundredths."
    )
    yield page.table(_mistakes_table("Predicted, but not in the gold", view.wrong))
    yield page.table(_mistakes_table("In the gold, but not predicted", view.missed))


def _parts_plot(title: str, parts: Sequence[Part], name: str) -> str:
    series = [("P", [part.P for part in parts]), ("R", [part.R for part in parts]), ("F", [part.F for part in parts])]
    return drawing.bars(f"{title}: precision, recall and F", [part.name for part in parts], series, name)


def _parts_table(parts: Sequence[Part], note: str) -> Table:
    rows = tuple(
        (
            Cell(part.name),
            Cell(str(part.size)),
            *(Cell(number(value, "fraction")) for value in (part.P, part.R, part.F)),
        )
        for part in parts
    )
    return Table(note, ("part", "size", "P", "R", "F"), rows, frozenset(range(1, 5)))


def _extremes(view: View) -> Table:
    """Return the documents with the lowest and the highest score on the gold set of the details."""
    ordered = sorted(view.documents[view.kind], key=lambda scored: scored[1])
    extremes = [*ordered[:_EXTREMES], *ordered[_EXTREMES:][-_EXTREMES:]]
    rows = tuple((Cell(name), Cell(number(score, "fraction"))) for name, score in extremes)
    caption = f"The lowest and the highest documents by F@{view.cutoff}, {view.kind} gold."
    return Table(caption, ("document", f"F@{view.cutoff}"), rows, frozenset({1}))


def _mistakes_table(title: str, mistakes: Sequence[Mistake]) -> Table:
    rows = tuple(
        (
            Cell(mistake.text or "(empty)"),
            Cell(f"{100 * mistake.cost:.3f}"),
            Cell(str(len(mistake.documents))),
            Cell(_listed(mistake.documents)),
        )
        for mistake in mistakes[:MOST]
    )
    size = f"the {MOST} most costly of {len(mistakes)}" if len(mistakes) > MOST else f"all {len(mistakes)}"
    return Table(f"{title}: {size}.", ("phrase", "cost in points", "documents", "ids"), rows, frozenset({1, 2}))


def _listed(documents: Sequence[str]) -> str:
    """List the first ids and the number of the others."""
    rest = len(documents) - _DOCUMENTS
    return ", ".join(documents[:_DOCUMENTS]) + (f" and {rest} more" if rest > 0 else "")


def _values_plot(comparison: Comparison) -> str:
    names = shown(next(iter(comparison.reports.values())).values)
    series = []
    for run, report in comparison.reports.items():
        points = [(report.values[name], *report.intervals.get(name, (report.values[name],) * 2)) for name in names]
        series.append((run, points))
    return drawing.intervals("Values of the runs with their intervals", names, series, "values")


def _document_plots(comparison: Comparison) -> Iterator[str]:
    """Draw differences of documents for the first pairs, on the last value shown."""
    name = shown(next(iter(comparison.reports.values())).values)[-1]
    gold, _, measure = name.rpartition("/")
    rows = [row.scores for row in document_rows(comparison) if (row.gold, row.measure) == (gold, measure)]
    pairs = list(itertools.combinations(enumerate(comparison.reports), 2))
    panels = []
    for (first, run), (second, other) in pairs[:_PANELS]:
        values = [(row[first], row[second]) for row in rows]
        panels.append((f"{run} − {other}", [a - b for a, b in values if a is not None and b is not None]))
    yield page.paragraph(
        f"{name}: each bar is a document; dark ones are wins of the first run, light ones losses. "
        + (f"The first {_PANELS} of {len(pairs)} pairs." if len(pairs) > _PANELS else "")
    )
    yield page.plot(drawing.sorted_differences(f"Differences of documents in {name}", panels, "documents"))
