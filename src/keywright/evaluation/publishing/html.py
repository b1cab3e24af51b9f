"""Reports and comparisons as one HTML file each, with plots; what a plot shows stands in a table beside it."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from keywright.evaluation.publishing import plots
from keywright.evaluation.publishing.phrases import Mistake
from keywright.evaluation.publishing.tables import comparison_table, difference_table, report_table, shown, turned
from keywright.evaluation.publishing.views import Part, View
from keywright.evaluation.statistics.comparison import Comparison, document_rows
from keywright.presentation import page
from keywright.presentation.table import Cell, Table

MOST: Final = 30
"""Mistakes of each kind on a page; how many there are in all is said."""

_DOCUMENTS: Final = 8
_PANELS: Final = 6
_WIDE: Final = 8


def reports_html(views: Sequence[View]) -> str:
    """A page of one run under one protocol or several."""
    parts = itertools.chain.from_iterable(_report(view, f"r{number}") for number, view in enumerate(views))
    names = ", ".join(view.name for view in views)
    return page.page(f"Scores under {names}", parts)


def comparison_html(comparison: Comparison) -> str:
    """A page of several runs under one protocol."""
    identities = [("protocol", comparison.protocol), ("gold", ", ".join(comparison.gold))]
    identities += [(name, report.run) for name, report in comparison.reports.items()]
    parts = [page.facts(identities), page.heading("Values"), page.table(_runs(comparison))]
    if any(report.intervals for report in comparison.reports.values()):
        parts.append(page.plot(_values_plot(comparison)))
    parts += [page.heading("Differences, pair by pair"), page.table(difference_table(comparison))]
    parts += [page.heading("Documents won and lost"), *_document_plots(comparison)]
    warnings = dict.fromkeys(one for report in comparison.reports.values() for one in report.warnings)
    parts += [page.paragraph(f"Note: {warning}") for warning in warnings]
    return page.page(f"{len(comparison.reports)} runs compared under {comparison.rules.name}", parts)


def _runs(comparison: Comparison) -> Table:
    """The table of runs, turned where it has many values."""
    made = comparison_table(comparison)
    return turned(made) if len(made.head) > _WIDE else made


def _report(view: View, name: str) -> Iterator[str]:
    """The parts of one report."""
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
    yield page.paragraph(f"How many documents have which F{at}, for each kind of gold.")
    series = [(f"gold {by}", [score for _, score in scores]) for by, scores in view.documents.items()]
    yield page.plot(plots.histogram(f"Distribution of documents by F{at}", series, f"{name}-documents"))
    yield page.table(_extremes(view))
    closely = f"under {view.kind} gold at {view.cutoff}"
    for title, parts, note, key in (
        ("By kind of gold", view.kinds, f"All documents at {view.cutoff}.", "kinds"),
        ("By category", view.categories, f"Documents of each category, {closely}.", "categories"),
        ("By length of phrase", view.lengths, f"Phrases of so many words, pooled, {closely}.", "lengths"),
        (
            "Present and absent",
            view.presence,
            f"Whether a phrase's stems stand in the text, pooled, {closely}.",
            "presence",
        ),
    ):
        if parts:
            yield page.heading(title, 3)
            yield page.plot(_parts_plot(title, parts, f"{name}-{key}"))
            yield page.table(_parts_table(parts, note))
    yield page.heading("Mistakes", 3)
    yield page.paragraph(
        f"Costs are what F{at} {closely} would gain if each of the documents had one more hit, in points: hundredths."
    )
    yield page.table(_mistakes_table("Predicted, and not in the gold", view.wrong))
    yield page.table(_mistakes_table("In the gold, and not predicted", view.missed))


def _parts_plot(title: str, parts: Sequence[Part], name: str) -> str:
    series = [("P", [part.P for part in parts]), ("R", [part.R for part in parts]), ("F", [part.F for part in parts])]
    return plots.bars(f"{title}: precision, recall and F", [part.name for part in parts], series, name)


def _parts_table(parts: Sequence[Part], note: str) -> Table:
    rows = tuple(
        (Cell(part.name), Cell(str(part.size)), *(Cell(_four(one)) for one in (part.P, part.R, part.F)))
        for part in parts
    )
    return Table(note, ("part", "size", "P", "R", "F"), rows, frozenset(range(1, 5)))


def _extremes(view: View) -> Table:
    """The documents that score lowest and highest on the gold that is looked at closely."""
    ordered = sorted(view.documents[view.kind], key=lambda one: one[1])
    picked = [*ordered[:5], *ordered[5:][-5:]]
    rows = tuple((Cell(name), Cell(_four(score))) for name, score in picked)
    caption = f"The lowest and the highest documents, F@{view.cutoff} under {view.kind} gold."
    return Table(caption, ("document", f"F@{view.cutoff}"), rows, frozenset({1}))


def _mistakes_table(title: str, mistakes: Sequence[Mistake]) -> Table:
    rows = tuple(
        (
            Cell(one.text or "(empty)"),
            Cell(f"{100 * one.cost:.3f}"),
            Cell(str(len(one.documents))),
            Cell(_some(one.documents)),
        )
        for one in mistakes[:MOST]
    )
    more = f": the {MOST} dearest of {len(mistakes)}" if len(mistakes) > MOST else f": all {len(mistakes)}"
    return Table(f"{title}{more}.", ("phrase", "cost in points", "documents", "which"), rows, frozenset({1, 2}))


def _some(documents: Sequence[str]) -> str:
    """Ids, a few of them with how many more there are."""
    rest = len(documents) - _DOCUMENTS
    return ", ".join(documents[:_DOCUMENTS]) + (f" and {rest} more" if rest > 0 else "")


def _values_plot(comparison: Comparison) -> str:
    names = shown(next(iter(comparison.reports.values())).values)
    series = []
    for run, report in comparison.reports.items():
        points = [(report.values[name], *report.intervals.get(name, (report.values[name],) * 2)) for name in names]
        series.append((run, points))
    return plots.intervals("Values of the runs with their intervals", names, series, "values")


def _document_plots(comparison: Comparison) -> Iterator[str]:
    """Differences of documents for the first pairs, on the last value shown."""
    name = shown(next(iter(comparison.reports.values())).values)[-1]
    gold, _, measure = name.rpartition("/")
    rows = [row.scores for row in document_rows(comparison) if (row.gold, row.measure) == (gold, measure)]
    pairs = list(itertools.combinations(enumerate(comparison.reports), 2))
    panels = []
    for (first, one), (second, other) in pairs[:_PANELS]:
        values = [(row[first], row[second]) for row in rows]
        panels.append((f"{one} − {other}", [a - b for a, b in values if a is not None and b is not None]))
    yield page.paragraph(
        f"{name}: each bar is a document; dark ones are won by the first run, light ones lost. "
        + (f"The first {_PANELS} of {len(pairs)} pairs." if len(pairs) > _PANELS else "")
    )
    yield page.plot(plots.sorted_differences(f"Differences of documents in {name}", panels, "documents"))


def _four(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
