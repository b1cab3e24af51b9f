"""Analyses of several runs as one HTML file that loads nothing; what a picture shows stands in a table, too."""

from collections.abc import Iterator, Mapping
from typing import Final

from keywright.calibration.analysis.plots import pictures
from keywright.calibration.analysis.result import CLASSES, Analysis
from keywright.calibration.analysis.tables import (
    bin_table,
    histogram_table,
    measure_table,
    place_size_table,
    risk_table,
    tables,
)
from keywright.presentation import page

_READING: Final = (
    "A confidence is honest if, of phrases with confidence .7, seven in ten are right. ECE is the mean distance from "
    "that; exact probabilities would have the noise floor. Present phrases stand in the document, absent ones do not; "
    "the two are shown apart, since errors of one can make up for those of the other."
)


def analysis_page(analyses: Mapping[str, Analysis]) -> str:
    """The page.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    title = "Confidence of a run" if len(analyses) == 1 else f"Confidence of {len(analyses)} runs"
    return page.page(title, _parts(analyses))


def _parts(analyses: Mapping[str, Analysis]) -> Iterator[str]:
    yield page.paragraph(_READING)
    yield page.facts((run, f"{one.system}, confidence {one.confidence}") for run, one in analyses.items())
    for protocol in dict.fromkeys(one.protocol for one in analyses.values()):
        yield page.facts([("protocol", protocol)])
    yield from _remarks(analyses)
    yield page.heading("At a glance")
    for table in tables(analyses):
        yield page.table(table)
    yield page.heading("Pictures")
    for picture in pictures(analyses):
        yield page.heading(picture.title, 3)
        yield page.plot(picture.inlined())
    for run, one in analyses.items():
        yield from _run(run, one)


def _remarks(analyses: Mapping[str, Analysis]) -> Iterator[str]:
    """What is missing, and what a reader should know, run by run."""
    for run, one in analyses.items():
        for reason in one.missing:
            yield page.paragraph(f"{run}: not shown: {reason}.")
        for note in one.notes:
            yield page.paragraph(f"{run}: note: {note}.")


def _run(run: str, one: Analysis) -> Iterator[str]:
    """All measures of a run, and the numbers behind its pictures."""
    yield page.heading(f"All measures of {run}")
    for name in CLASSES:
        report = one.reports[name]
        if report.phrases:
            yield page.heading(f"{name} phrases".capitalize(), 3)
            yield page.table(measure_table(report))
            if report.bins:
                yield page.table(bin_table(report))
    for table in (risk_table(one.reports), histogram_table(one), place_size_table(one)):
        if table.rows:
            yield page.table(table)
