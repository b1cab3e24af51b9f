"""Reports and comparisons as one HTML file each, with plots; the numbers of every plot are also in a table."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from keywright.core import pages
from keywright.core.pages import Cell, Table
from keywright.evaluation.measures.measure import NAMES
from keywright.evaluation.publishing.page_content import Mistake, Part, View
from keywright.evaluation.publishing.tables import (
    comparison_table,
    difference_table,
    format_number,
    report_table,
    shown,
    transpose_table,
)
from keywright.evaluation.statistics.comparison import Comparison, pair_document_scores

MOST: Final = 30  # mistakes of each kind on a page, arbitrary; the page has their total number
_DOCUMENTS: Final = 8  # ids of documents in a cell, arbitrary
_PANELS: Final = 6  # pairs of runs that are drawn, arbitrary
_WIDE: Final = 8  # columns that fit on a page
_EXTREMES: Final = 5  # lowest and highest documents, arbitrary


def reports_html(views: Sequence[View]) -> str:
    """Write a page of one run under one protocol or several."""
    parts = itertools.chain.from_iterable(_report_parts(view, f"r{place}") for place, view in enumerate(views))
    names = ", ".join(view.name for view in views)
    return pages.build_page(f"Scores under {names}", parts)


def comparison_html(comparison: Comparison) -> str:
    """Write a page of several runs under one protocol."""
    identities = [("protocol", comparison.protocol), ("gold", ", ".join(comparison.gold))]
    identities += [(name, report.run) for name, report in comparison.reports.items()]
    runs = comparison_table(comparison)
    runs = transpose_table(runs) if len(runs.head) > _WIDE else runs
    parts = [pages.build_facts(identities), pages.build_heading("Values"), pages.build_table(runs)]
    if any(report.intervals for report in comparison.reports.values()):
        parts.append(pages.build_plot(_values_plot(comparison)))
    parts += [pages.build_heading("Differences, pair by pair"), pages.build_table(difference_table(comparison))]
    parts += [pages.build_heading("Wins and losses of documents"), *_document_plots(comparison)]
    parts += [pages.build_paragraph(f"Note: {warning}") for warning in comparison.warnings]
    return pages.build_page(f"{len(comparison.reports)} runs compared under {comparison.rules.name}", parts)


def _report_parts(view: View, name: str) -> Iterator[str]:
    report = view.report
    yield pages.build_heading(f"Protocol {view.name}")
    yield pages.build_facts([("protocol", report.protocol), ("run", report.run), ("gold", ", ".join(report.gold))])
    yield pages.build_table(report_table(report))
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
    yield pages.build_table(_extremes_table(view))
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
            yield pages.build_plot(_parts_plot(title, parts, f"{name}-{key}"))
            yield pages.build_table(_parts_table(parts, note))
    yield pages.build_heading("Mistakes", 3)
    yield pages.build_paragraph(
        f"The cost is the gain in F{at} ({view.kind} gold) if each of the documents had one more hit, in hundredths."
    )
    yield pages.build_table(_mistakes_table("Predicted, but not in the gold", view.wrong))
    yield pages.build_table(_mistakes_table("In the gold, but not predicted", view.missed))


def _parts_plot(title: str, parts: Sequence[Part], name: str) -> str:
    series = [(kind, [getattr(part, kind) for part in parts]) for kind in NAMES]
    return pages.draw_bars(f"{title}: precision, recall and F", [part.name for part in parts], series, name)


def _parts_table(parts: Sequence[Part], note: str) -> Table:
    rows = (
        (part.name, str(part.size), *(format_number(value, "fraction") for value in (part.P, part.R, part.F)))
        for part in parts
    )
    return Table.make(note, ("part", "size", *NAMES), rows)


def _extremes_table(view: View) -> Table:
    """Return the documents with the lowest and the highest score on the gold set of the details."""
    ordered = sorted(view.documents[view.kind], key=lambda scored: scored[1])
    extremes = [*ordered[:_EXTREMES], *ordered[_EXTREMES:][-_EXTREMES:]]
    rows = ((name, format_number(score, "fraction")) for name, score in extremes)
    caption = f"The lowest and the highest documents by F@{view.cutoff}, {view.kind} gold."
    return Table.make(caption, ("document", f"F@{view.cutoff}"), rows)


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


def _values_plot(comparison: Comparison) -> str:
    names = shown(next(iter(comparison.reports.values())).values)
    series = []
    for run, report in comparison.reports.items():
        points = [(report.values[name], *report.intervals.get(name, (report.values[name],) * 2)) for name in names]
        series.append((run, points))
    return pages.draw_intervals("Values of the runs with their intervals", names, series, "values")


def _document_plots(comparison: Comparison) -> Iterator[str]:
    """Draw differences of documents for the first pairs, on the last value shown."""
    name = shown(next(iter(comparison.reports.values())).values)[-1]
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
