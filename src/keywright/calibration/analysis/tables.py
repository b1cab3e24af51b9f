"""Analyses of several runs as tables: the same ones on the terminal and on a page."""

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Final

from keywright.calibration.analysis.positions import FIFTHS, PLACES, ByPlace
from keywright.calibration.analysis.result import APART, Analysis
from keywright.calibration.measures.report import MEASURES, TENTHS, CalibrationReport, Measured
from keywright.presentation.table import Cell, Table

_ORDINALS: Final = ("first", "second", "third", "fourth", "last")
_EVERY: Final = "(all)"
_BY_CLASS: Final = frozenset({"classwise_ece", "ece: present", "ece: absent"})

Rows = Iterable[tuple[str, ...]]


def tables(analyses: Mapping[str, Analysis]) -> tuple[Table, ...]:
    """What is to be seen at a glance, runs one below the other; tables without a row are left out."""
    calibration = (calibration_table, other_table, number_table, order_table)
    made = (*calibration, perplexity_table, place_table, fifth_table, output_table)
    return tuple(one for one in (make(analyses) for make in made) if one.rows)


def calibration_table(analyses: Mapping[str, Analysis]) -> Table:
    """Confidence beside accuracy, and their distance with interval and noise floor; only of what is no mere score."""
    rows = []
    for run, name, report in _probabilities(analyses):
        cells = [f"{report.phrases:,}", *(_value(report, one) for one in ("accuracy", "confidence", "ece"))]
        rows.append((run, name, *cells, _interval(report, "ece"), _floor(report, "ece")))
    caption = (
        "Calibration in percent: phrases that are right, mean confidence, and how far the two are apart, with the "
        "interval over documents and what exact probabilities would show by chance."
    )
    head = ("phrases", "right", "confidence", "ECE", "interval", "noise floor")
    return _table(caption, ("run", "class", *head), rows)


def other_table(analyses: Mapping[str, Analysis]) -> Table:
    """Errors that know no equal bins, and scores of probabilities."""
    names = ("adaptive_ece", "smooth_ece", "brier", "reliability", "resolution", "log_loss")
    rows = [(run, name, *(_value(report, one) for one in names)) for run, name, report in _probabilities(analyses)]
    head = ("adaptive", "smooth", "Brier", "reliability", "resolution", "log loss")
    caption = "Other measures: adaptive and smooth ECE in percent, Brier score with its parts, log loss."
    return _table(caption, ("run", "class", *head), rows)


def number_table(analyses: Mapping[str, Analysis]) -> Table:
    """How many phrases of a document should be right by their confidences, and how many are."""
    names = ("expected_per_document", "correct_per_document", "count_error")
    rows = [
        (run, name, *(_value(report, one) for one in names), _interval(report, names[2]), _floor(report, names[2]))
        for run, name, report in _probabilities(analyses)
    ]
    head = ("expected", "right", "distance", "interval", "noise floor")
    caption = "Phrases a document that are expected to be right, that are, and how far apart these are in a document."
    return _table(caption, ("run", "class", *head), rows)


def order_table(analyses: Mapping[str, Analysis]) -> Table:
    """Whether the surer phrases are the right ones, which scores tell as well."""
    rows = []
    for run, name, report in _reports(analyses):
        cells = [f"{report.phrases:,}", _value(report, "accuracy"), _value(report, "auroc"), _interval(report, "auroc")]
        wrong = (1 - report.curve.precision_at(share) if report.curve else None for share in (0.2, 0.5))
        rows.append((run, name, *cells, _value(report, "aurc"), *(_number(one, ".2f", 100) for one in wrong)))
    caption = (
        "Order: whether surer phrases are right more often. AURC is the area under risk by coverage; fifth and half "
        "are the percentages that are wrong of the surest fifth and half, as right is what is right of all."
    )
    return _table(caption, ("run", "class", "phrases", "right", "AUROC", "interval", "AURC", "fifth", "half"), rows)


def perplexity_table(analyses: Mapping[str, Analysis]) -> Table:
    """Medians of perplexity."""
    rows = [(run, *(one.spreads[name].middle for name in APART)) for run, one in analyses.items() if one.spreads]
    return _table("Median keyphrase perplexity; 1 is certainty.", ("run", *APART), rows)


def place_table(analyses: Mapping[str, Analysis]) -> Table:
    """Mean probability by place in the phrase."""
    rows = [
        (run, name, *_means(one.places[name])) for run, one in analyses.items() for name in APART if name in one.places
    ]
    head = tuple(f"word {place + 1}" for place in range(PLACES))
    return _table("Mean probability by place in the phrase.", ("run", "class", *head), rows)


def fifth_table(analyses: Mapping[str, Analysis]) -> Table:
    """Gold and recall by fifth of the document; gold once, where all runs have the same."""
    gold = {run: _gold(one) for run, one in analyses.items()}
    same = len(analyses) > 1 and len(set(gold.values())) == 1
    rows = [(_EVERY, *row) for row in next(iter(gold.values()))] if same else []
    for run, one in analyses.items():
        rows += [] if same else [(run, *row) for row in gold[run]]
        rows.append((run, "recall", *_means(one.gold.recall)))
    caption = (
        "Present gold by the fifth of the document in which it first stands, and the share of it that is found; as "
        "listed: with repeats, by title and abstract; as published: with the shifted places of the study."
    )
    return _table(caption, ("run", "", *_ORDINALS[:FIFTHS]), rows)


def _gold(one: Analysis) -> tuple[tuple[str, ...], ...]:
    """Rows of gold by fifth."""
    counts = {"gold": one.gold.recall.size, "gold, as listed": one.gold.counted}
    counts |= {"gold, as published": one.gold.as_published}
    return tuple((what, *_counts(found.tolist())) for what, found in counts.items() if found is not None)


def output_table(analyses: Mapping[str, Analysis]) -> Table:
    """Repeats and soups; and what calibration errors would be without these, where there are any."""
    some = any(one.without_soup for one in analyses.values())
    rows = []
    for run, one in analyses.items():
        found = one.degeneration
        share, soups = (_number(part, ".2f", 100) for part in (found.duplicates, found.soup_share))
        errors = (_number(one.without_soup.get(name), ".2f", 100) for name in APART if some)
        rows.append((run, f"{found.phrases:,}", share, f"{found.long:,}", f"{len(found.soup):,}", soups, *errors))
    head = ("run", "phrases", "repeats", "long lists", "soups", "share", *(APART if some else ()))
    without = "; of the other documents the ECE of present and absent phrases" if some else ""
    caption = (
        "Output as it was given, shares in percent: repeats, documents with long lists, and those answered with a soup "
        f"of words{without}."
    )
    return _table(caption, head, rows)


def measure_table(report: CalibrationReport) -> Table:
    """Every measure of one class, with interval and noise floor; classes apart only where there are both."""
    rows = []
    both = report.values.keys() >= _BY_CLASS
    for name in (one for one in report.values if both or one not in _BY_CLASS):
        unit = " %" if MEASURES[name].percent else ""
        title = MEASURES[name].title.strip() + unit
        rows.append((title, _value(report, name), _interval(report, name), _floor(report, name)))
    caption = f"{report.phrases:,} phrases of {report.documents:,} documents, {report.correct:,} right ({report.sig})."
    return _table(caption, ("measure", "value", "interval", "noise floor"), rows)


def bin_table(report: CalibrationReport) -> Table:
    """What a reliability diagram shows."""
    rows = [
        (
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.size:,}",
            _number(one.probability, ".4f"),
            _number(one.share, ".4f"),
        )
        for one in report.bins
    ]
    return _table("Bins of the diagram.", ("confidence", "phrases", "mean confidence", "share right"), rows)


def risk_table(reports: Mapping[str, CalibrationReport]) -> Table:
    """What risk-coverage curves show, at tenths."""
    rows = [
        (name, *(f"{1 - one.curve.precision_at(share):.4f}" for share in TENTHS))
        for name, one in reports.items()
        if one.curve
    ]
    caption = "Share that is wrong of the surest phrases, by the share of phrases that is shown."
    return _table(caption, ("class", *(f"{share:.1f}" for share in TENTHS)), rows)


def place_size_table(one: Analysis) -> Table:
    """How many phrases the means by place are of."""
    rows = [(name, *_counts(found.size.tolist())) for name, found in one.places.items()]
    head = tuple(f"word {place + 1}" for place in range(PLACES))
    return _table("Phrases that have such a word.", ("class", *head), rows)


def histogram_table(one: Analysis) -> Table:
    """What histograms of perplexity show."""
    rows = []
    if one.spreads:
        edges = one.spreads["present"].edges.tolist()
        ranges = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(edges)] + [f"{edges[-1]:g} on"]
        columns = [[*one.spreads[name].counts.tolist(), one.spreads[name].above] for name in APART]
        rows = [(at, *map(str, counts)) for at, *counts in zip(ranges, *columns, strict=True)]
    return _table("Phrases by their perplexity.", ("perplexity", *APART), rows)


def _probabilities(analyses: Mapping[str, Analysis]) -> Iterable[tuple[str, str, CalibrationReport]]:
    """The same as ``_reports`` of runs whose confidences are more than an order."""
    return _reports({run: one for run, one in analyses.items() if one.comparable})


def _reports(analyses: Mapping[str, Analysis]) -> Iterable[tuple[str, str, CalibrationReport]]:
    """Runs, classes that have phrases, and their measures."""
    return (
        (run, name, one.reports[name]) for run, one in analyses.items() for name in APART if one.reports[name].phrases
    )


def _table(caption: str, head: tuple[str, ...], rows: Rows) -> Table:
    """A table whose leading columns named run, class, measure or nothing are words, and all others numbers."""
    words = {"run", "class", "measure", "confidence", "perplexity", ""}
    numbers = frozenset(place for place, name in enumerate(head) if place > 1 or name not in words)
    return Table(caption, head, tuple(tuple(map(Cell, row)) for row in rows), numbers)


def _value(report: CalibrationReport, name: str) -> str:
    one = report.values.get(name)
    return "-" if one is None else _number(one.value, *_form(name))


def _interval(report: CalibrationReport, name: str) -> str:
    one: Measured | None = report.values.get(name)
    return (
        "" if one is None or one.interval is None else " to ".join(_number(end, *_form(name)) for end in one.interval)
    )


def _floor(report: CalibrationReport, name: str) -> str:
    one: Measured | None = report.values.get(name)
    return "" if one is None or one.floor is None else _number(one.floor.error, *_form(name))


def _form(name: str) -> tuple[str, float]:
    """Percent with two decimals where papers print percent, else four decimals."""
    return (".2f", 100.0) if MEASURES[name].percent else (".4f", 1.0)


def _number(value: float | None, form: str, factor: float = 1.0) -> str:
    return "-" if value is None or math.isnan(value) else f"{factor * value:{form}}"


def _means(one: ByPlace) -> tuple[str, ...]:
    return tuple(_number(mean, ".3f") for mean in one.mean.tolist())


def _counts(counts: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{count:,}" for count in counts)
