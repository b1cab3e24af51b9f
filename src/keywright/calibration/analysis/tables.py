"""Tables of analyses of several runs, for the terminal and for a page."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from keywright.calibration.analysis.positions import FIFTHS, PLACES, MeansByPlace
from keywright.calibration.analysis.result import APART, Analysis
from keywright.calibration.measures.report import MEASURES, TENTHS, CalibrationReport
from keywright.presentation.page import Cell, Table

_ORDINALS: Final = ("first", "second", "third", "fourth", "last")
_ALL_RUNS: Final = "(all)"
_BY_CLASS: Final = frozenset({"classwise_ece", "ece: present", "ece: absent"})
_WORDS: Final = frozenset({"run", "class", "measure", "confidence", "perplexity", ""})
"""Leading columns that hold words; all others hold numbers."""
_WORD_PLACES: Final = tuple(f"word {place + 1}" for place in range(PLACES))
_FIFTH, _HALF = 0.2, 0.5
"""Shares of the highest-ranked phrases whose errors are listed; arbitrary."""
Analyses = Mapping[str, Analysis]
Rows = Iterable[tuple[str, ...]]


def tables(analyses: Analyses) -> tuple[Table, ...]:
    """Return the main tables, runs one below the other; tables without rows are left out."""
    calibration = (calibration_table, other_table, number_table, order_table)
    makers = (*calibration, perplexity_table, place_table, fifth_table, output_table)
    return tuple(table for make in makers if (table := make(analyses)).rows)


def calibration_table(analyses: Analyses) -> Table:
    """Return confidence beside accuracy, and their distance with interval and noise floor; not of mere scores."""
    rows = []
    for run, name, report in _probabilities(analyses):
        values = _values(report, "accuracy", "confidence", "ece")
        rows.append((run, name, f"{report.phrases:,}", *values, *report.formatted("ece")[1:]))
    caption = (
        "Calibration in percent. ECE is the mean distance between confidence and precision, with its interval over "
        "documents; the noise floor is the ECE of exact probabilities."
    )
    head = ("phrases", "precision", "confidence", "ECE", "interval", "noise floor")
    return _table(caption, ("run", "class", *head), rows)


def other_table(analyses: Analyses) -> Table:
    """Return calibration errors without equal-width bins, and proper scores."""
    names = ("adaptive_ece", "smooth_ece", "brier", "reliability", "resolution", "log_loss")
    rows = [(run, name, *_values(report, *names)) for run, name, report in _probabilities(analyses)]
    head = ("adaptive", "smooth", "Brier", "reliability", "resolution", "log loss")
    caption = "Other measures of calibration; adaptive and smooth ECE are in percent."
    return _table(caption, ("run", "class", *head), rows)


def number_table(analyses: Analyses) -> Table:
    """Return expected and true numbers of correct phrases per document."""
    names = ("expected_per_document", "correct_per_document")
    rows = [
        (run, name, *_values(report, *names), *report.formatted("count_error"))
        for run, name, report in _probabilities(analyses)
    ]
    head = ("expected", "correct", "distance", "interval", "noise floor")
    caption = "Correct phrases per document: the sum of the confidences, the count, and the mean distance of the two."
    return _table(caption, ("run", "class", *head), rows)


def order_table(analyses: Analyses) -> Table:
    """Return measures of the order of confidences, which scores have as well."""
    rows = []
    for run, name, report in _reports(analyses):
        area, interval, _ = report.formatted("auroc")
        risk = (1 - report.curve.precision_at(share) if report.curve else None for share in (_FIFTH, _HALF))
        cells = (f"{report.phrases:,}", *_values(report, "accuracy"), area, interval, *_values(report, "aurc"))
        rows.append((run, name, *cells, *(_number(share, ".2f", 100) for share in risk)))
    caption = (
        "This table shows whether phrases with higher confidence are correct more often. AURC is the area under the "
        "risk-coverage curve; top fifth and top half: percentage of wrong phrases in the most confident fifth and half."
    )
    head = ("run", "class", "phrases", "precision", "AUROC", "interval", "AURC", "top fifth", "top half")
    return _table(caption, head, rows)


def perplexity_table(analyses: Analyses) -> Table:
    """Return medians of perplexity."""
    rows = [
        (run, *(each.perplexities[name].median_text for name in APART))
        for run, each in analyses.items()
        if each.perplexities
    ]
    return _table("Median keyphrase perplexity; certain predictions have a perplexity of 1.", ("run", *APART), rows)


def place_table(analyses: Analyses) -> Table:
    """Return mean probabilities by place in the phrase."""
    rows = [
        (run, name, *_means(each.places[name]))
        for run, each in analyses.items()
        for name in APART
        if name in each.places
    ]
    return _table("Mean probability of words, by their position in the phrase.", ("run", "class", *_WORD_PLACES), rows)


def fifth_table(analyses: Analyses) -> Table:
    """Return gold and recall by fifth of the document; gold once, where all runs have the same."""
    gold = {run: _gold_rows(each) for run, each in analyses.items()}
    same = len(analyses) > 1 and len(set(gold.values())) == 1
    rows = [(_ALL_RUNS, *row) for row in next(iter(gold.values()))] if same else []
    for run, each in analyses.items():
        rows += [] if same else [(run, *row) for row in gold[run]]
        rows.append((run, "recall", *_means(each.gold.recall)))
    caption = (
        "Number and recall of present gold phrases, by the fifth of the document in which they begin. As listed: with "
        "repeats, by title and abstract; as published: with the shifted positions of the study."
    )
    return _table(caption, ("run", "", *_ORDINALS[:FIFTHS]), rows)


def _gold_rows(analysis: Analysis) -> tuple[tuple[str, ...], ...]:
    gold = analysis.gold
    counts = (("gold", gold.recall.size), ("gold, as listed", gold.counted), ("gold, as published", gold.as_published))
    return tuple((title, *_counts(column.tolist())) for title, column in counts if column is not None)


def output_table(analyses: Analyses) -> Table:
    """Return repeats and degenerate output, and calibration errors without degenerate output, where there is any."""
    any_errors = any(each.ece_without_degenerate for each in analyses.values())
    rows = []
    for run, each in analyses.items():
        output = each.degeneration
        repeats, share = (_number(part, ".2f", 100) for part in (output.repeat_share, output.degenerate_share))
        errors = (_number(each.ece_without_degenerate.get(name), ".2f", 100) for name in APART if any_errors)
        counts = f"{output.long:,}", f"{len(output.degenerate):,}"
        rows.append((run, f"{output.phrases:,}", repeats, *counts, share, *errors))
    head = ("run", "phrases", "repeats", "long lists", "degenerate", "share", *(APART if any_errors else ()))
    without = "; ECE of present and absent phrases of the other documents" if any_errors else ""
    caption = (
        "Output as it was written, shares in percent: repeated phrases, documents with long lists, and documents with "
        f"degenerate output (long lists of single words){without}."
    )
    return _table(caption, head, rows)


def measure_table(report: CalibrationReport) -> Table:
    """Return every measure of one class, with interval and noise floor; errors by class only where there are both."""
    both = report.values.keys() >= _BY_CLASS
    rows = [
        (MEASURES[name].title.strip() + (" %" if MEASURES[name].percent else ""), *report.formatted(name))
        for name in report.values
        if both or name not in _BY_CLASS
    ]
    counts = f"{report.phrases:,} phrases of {report.documents:,} documents, {report.correct:,} correct"
    caption = f"{counts} ({report.sig})."
    return _table(caption, ("measure", "value", "interval", "noise floor"), rows)


def bin_table(report: CalibrationReport) -> Table:
    """Return the numbers of a reliability diagram."""
    rows = [
        (
            f"{each.low:.1f} to {each.high:.1f}",
            f"{each.size:,}",
            _number(each.probability, ".4f"),
            _number(each.share, ".4f"),
        )
        for each in report.bins
    ]
    return _table("Bins of the diagram.", ("confidence", "phrases", "mean confidence", "share correct"), rows)


def risk_table(reports: Mapping[str, CalibrationReport]) -> Table:
    """Return the numbers of risk-coverage curves, at tenths."""
    rows = [
        (name, *(f"{1 - report.curve.precision_at(share):.4f}" for share in TENTHS))
        for name, report in reports.items()
        if report.curve
    ]
    caption = "Share wrong of the phrases of highest confidence, by the share of phrases shown."
    return _table(caption, ("class", *(f"{share:.1f}" for share in TENTHS)), rows)


def place_size_table(analysis: Analysis) -> Table:
    """Return the numbers of phrases behind the means by place."""
    rows = [(name, *_counts(means.size.tolist())) for name, means in analysis.places.items()]
    return _table("Phrases that have such a word.", ("class", *_WORD_PLACES), rows)


def histogram_table(analysis: Analysis) -> Table:
    """Return the numbers of histograms of perplexity."""
    rows = []
    if analysis.perplexities:
        histograms = [analysis.perplexities[name] for name in APART]
        edges = histograms[0].edges.tolist()
        ranges = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(edges)] + [f"{edges[-1]:g} on"]
        columns = [[*histogram.counts.tolist(), histogram.above] for histogram in histograms]
        rows = [(label, *map(str, counts)) for label, *counts in zip(ranges, *columns, strict=True)]
    return _table("Phrases by their perplexity.", ("perplexity", *APART), rows)


def _probabilities(analyses: Analyses) -> Iterator[tuple[str, str, CalibrationReport]]:
    """Yield runs, classes and measures of runs whose confidences are more than an order."""
    return _reports({run: each for run, each in analyses.items() if each.comparable})


def _reports(analyses: Analyses) -> Iterator[tuple[str, str, CalibrationReport]]:
    """Yield runs, classes that have phrases, and their measures."""
    for run, each in analyses.items():
        yield from ((run, name, each.reports[name]) for name in APART if each.reports[name].phrases)


def _table(caption: str, head: tuple[str, ...], rows: Rows) -> Table:
    """Return a table whose leading columns named in ``_WORDS`` are words, and all others numbers."""
    numbers = frozenset(place for place, name in enumerate(head) if place > 1 or name not in _WORDS)
    return Table(caption, head, tuple(tuple(map(Cell, row)) for row in rows), numbers)


def _values(report: CalibrationReport, *names: str) -> list[str]:
    return [report.formatted(name)[0] for name in names]


def _number(value: float | None, form: str, factor: float = 1.0) -> str:
    return "-" if value is None or math.isnan(value) else f"{factor * value:{form}}"


def _means(means: MeansByPlace) -> tuple[str, ...]:
    return tuple(_number(mean, ".3f") for mean in means.mean.tolist())


def _counts(counts: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{count:,}" for count in counts)
