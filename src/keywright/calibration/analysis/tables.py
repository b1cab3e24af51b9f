"""Analyses of several runs as tables, for the terminal, and as one self-contained HTML page."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Final

from keywright.calibration.analysis.analysing import APART, CLASSES, Analysis
from keywright.calibration.analysis.plots import draw_pictures
from keywright.calibration.analysis.positions import FIFTHS, PLACES
from keywright.calibration.measuring import MEASURES, CalibrationReport
from keywright.calibration.proper_scores import TENTHS
from keywright.core import pages
from keywright.core.arrays import Floats, Ints
from keywright.core.pages import Table
from keywright.core.word_lists import read_sections

_ORDINALS: Final = ("first", "second", "third", "fourth", "last")
_BY_CLASS: Final = frozenset({"classwise_ece", "ece: present", "ece: absent"})
_PLACES: Final = tuple(f"word {place + 1}" for place in range(PLACES))
_TEXTS: Final = read_sections("calibration/analysis/tables.txt", "\n")
Analyses = Mapping[str, Analysis]


def draw_tables(analyses: Analyses) -> tuple[Table, ...]:
    """Return the main tables, runs one below the other, of confidences as probabilities where they are; none empty."""
    probable = {run: each for run, each in analyses.items() if each.comparable}
    tables = [_draw_classes(probable, name) for name in ("CALIBRATION", "OTHER", "NUMBER")]
    histograms = {run: each.perplexities for run, each in analyses.items() if each.perplexities}
    medians = [(run, *(each[name].median_text for name in APART)) for run, each in histograms.items()]
    caption = "Median keyphrase perplexity; certain predictions have a perplexity of 1."
    places = [(run, name, means) for run, each in analyses.items() for name, means in each.places.items()]
    means = [(run, name, *_format_column(means.mean)) for run, name, means in places]
    tables += [
        _draw_classes(analyses, "ORDER"),
        Table.make(caption, ("run", *APART), medians),
        Table.make("Mean probability of words, by their position in the phrase.", ("run", "class", *_PLACES), means, 2),
        fifth_table(analyses),
        output_table(analyses),
    ]
    return tuple(table for table in tables if table.rows)


def _format_number(value: float | None, form: str, factor: float = 1.0) -> str:
    return "-" if value is None or math.isnan(value) else f"{factor * value:{form}}"


def _format_column(column: Ints | Floats) -> list[str]:
    """Return counts, or means, a dash for one without values."""
    counts = column.dtype.kind == "i"
    return [f"{value:,}" if counts else _format_number(value, ".3f") for value in column.tolist()]


def _draw_classes(analyses: Analyses, table: str) -> Table:
    """Return a table with a row for each run and class that has phrases."""
    caption, head, sources = (line.split("|") for line in _TEXTS[table].split("\n"))

    def format_cell(report: CalibrationReport, source: str) -> str:
        name, _, part = source.partition(" ")
        if name == "phrases":
            return f"{report.phrases:,}"
        if name == "risk":
            return _format_number(report.curve.risk_at(float(part)) if report.curve else None, ".2f", 100)
        return report.format_measure(name)[_PARTS.index(part)]

    rows = [
        (run, name, *(format_cell(each.reports[name], source) for source in sources))
        for run, each in analyses.items()
        for name in APART
        if each.reports[name].phrases
    ]
    return Table.make(caption[0], ("run", "class", *head), rows, 2)


_PARTS: Final = ("", "interval", "floor")


def fifth_table(analyses: Analyses) -> Table:
    """Return gold and recall by fifth of the document; gold once, where all runs have the same."""
    gold = {}
    for run, each in analyses.items():
        columns = {
            "gold": each.gold.recall.size,
            "gold, as listed": each.gold.counted,
            "gold, as published": each.gold.as_published,
        }
        gold[run] = [(title, *_format_column(column)) for title, column in columns.items() if column is not None]
    first = next(iter(gold.values()))
    same = len(analyses) > 1 and all(rows == first for rows in gold.values())
    rows = [("(all)", *row) for row in first] if same else []
    for run, each in analyses.items():
        rows += [] if same else [(run, *row) for row in gold[run]]
        rows.append((run, "recall", *_format_column(each.gold.recall.mean)))
    caption = (
        "Number and recall of present gold phrases, by the fifth of the document in which they begin. As listed: with "
        "repeats, by title and abstract; as published: with the shifted positions of the study."
    )
    return Table.make(caption, ("run", "", *_ORDINALS[:FIFTHS]), rows, 2)


def output_table(analyses: Analyses) -> Table:
    """Return repeats and degenerate output, and calibration errors without degenerate output, where there is any."""
    any_errors = any(each.ece_without_degenerate for each in analyses.values())
    rows = []
    for run, each in analyses.items():
        output = each.degeneration
        repeats, share = (_format_number(part, ".2f", 100) for part in (output.repeat_share, output.degenerate_share))
        errors = (_format_number(each.ece_without_degenerate.get(name), ".2f", 100) for name in APART if any_errors)
        counts = f"{output.long:,}", f"{len(output.degenerate):,}"
        rows.append((run, f"{output.phrases:,}", repeats, *counts, share, *errors))
    head = ("run", "phrases", "repeats", "long lists", "degenerate", "share", *(APART if any_errors else ()))
    without = "; ECE of present and absent phrases of the other documents" if any_errors else ""
    caption = (
        "Output as it was written, shares in percent: repeated phrases, documents with long lists, and documents with "
        f"degenerate output (long lists of single words){without}."
    )
    return Table.make(caption, head, rows)


def measure_table(report: CalibrationReport) -> Table:
    """Return every measure of one class, with interval and noise floor; errors by class only where there are both."""
    both = report.values.keys() >= _BY_CLASS
    rows = [
        (MEASURES[name].label, *report.format_measure(name)) for name in report.values if both or name not in _BY_CLASS
    ]
    counts = f"{report.phrases:,} phrases of {report.documents:,} documents, {report.correct:,} correct"
    return Table.make(f"{counts} ({report.sig}).", ("measure", "value", "interval", "noise floor"), rows)


def bin_table(report: CalibrationReport) -> Table:
    """Return the numbers of a reliability diagram."""
    rows = []
    for each in report.bins:
        means = (_format_number(value, ".4f") for value in (each.probability, each.share))
        rows.append((f"{each.low:.1f} to {each.high:.1f}", f"{each.size:,}", *means))
    return Table.make("Bins of the diagram.", ("confidence", "phrases", "mean confidence", "share correct"), rows)


def risk_table(reports: Mapping[str, CalibrationReport]) -> Table:
    """Return the numbers of risk-coverage curves, at tenths."""
    rows = [
        (name, *(f"{report.curve.risk_at(share):.4f}" for share in TENTHS))
        for name, report in reports.items()
        if report.curve
    ]
    caption = "Share wrong of the phrases of highest confidence, by the share of phrases shown."
    return Table.make(caption, ("class", *(f"{share:.1f}" for share in TENTHS)), rows)


def place_size_table(analysis: Analysis) -> Table:
    """Return the numbers of phrases behind the means by place."""
    rows = [(name, *_format_column(means.size)) for name, means in analysis.places.items()]
    return Table.make("Phrases that have such a word.", ("class", *_PLACES), rows)


def histogram_table(analysis: Analysis) -> Table:
    """Return the numbers of histograms of perplexity."""
    rows = []
    if analysis.perplexities:
        histograms = [analysis.perplexities[name] for name in APART]
        edges = histograms[0].edges.tolist()
        ranges = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(edges)] + [f"{edges[-1]:g} on"]
        columns = [[*histogram.counts.tolist(), histogram.above] for histogram in histograms]
        rows = [(label, *map(str, counts)) for label, *counts in zip(ranges, *columns, strict=True)]
    return Table.make("Phrases by their perplexity.", ("perplexity", *APART), rows)


def draw_analysis_page(analyses: Analyses) -> str:
    """Return the page."""
    title = "Confidence of a run" if len(analyses) == 1 else f"Confidence of {len(analyses)} runs"
    return pages.build_page(title, _draw_parts(analyses))


def _draw_parts(analyses: Analyses) -> Iterator[str]:
    yield pages.build_paragraph(_TEXTS["READING"])
    yield pages.build_facts((run, f"{each.system}, confidence {each.confidence}") for run, each in analyses.items())
    for protocol in dict.fromkeys(each.protocol for each in analyses.values()):
        yield pages.build_facts([("protocol", protocol)])
    for run, each in analyses.items():
        yield from (pages.build_paragraph(f"{run}: not shown: {reason}.") for reason in each.missing)
        yield from (pages.build_paragraph(f"{run}: note: {note}.") for note in each.notes)
    yield pages.build_heading("At a glance")
    yield from map(pages.build_table, draw_tables(analyses))
    yield pages.build_heading("Pictures")
    for picture in draw_pictures(analyses):
        yield pages.build_heading(picture.title, 3)
        yield pages.build_plot(picture.inline())
    for run, each in analyses.items():
        yield pages.build_heading(f"All measures of {run}")
        for name in CLASSES:
            report = each.reports[name]
            if report.phrases:
                yield pages.build_heading(f"{name} phrases".capitalize(), 3)
                yield pages.build_table(measure_table(report))
                if report.bins:
                    yield pages.build_table(bin_table(report))
        tables = risk_table(each.reports), histogram_table(each), place_size_table(each)
        yield from (pages.build_table(table) for table in tables if table.rows)
