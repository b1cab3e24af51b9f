"""Analyses of several runs as one self-contained HTML file; a table holds the numbers of each picture."""

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
    "Confidences are calibrated if seven in ten phrases with confidence .7 are correct. ECE is the mean distance "
    "from that; exact probabilities would have the noise floor. Present phrases occur in the document, absent ones do "
    "not; the two are shown separately, since their errors can cancel out."
)


def analysis_page(analyses: Mapping[str, Analysis]) -> str:
    """Return the page."""
    title = "Confidence of a run" if len(analyses) == 1 else f"Confidence of {len(analyses)} runs"
    return page.page(title, _parts(analyses))


def _parts(analyses: Mapping[str, Analysis]) -> Iterator[str]:
    yield page.paragraph(_READING)
    yield page.facts((run, f"{each.system}, confidence {each.confidence}") for run, each in analyses.items())
    for protocol in dict.fromkeys(each.protocol for each in analyses.values()):
        yield page.facts([("protocol", protocol)])
    for run, each in analyses.items():
        yield from (page.paragraph(f"{run}: not shown: {reason}.") for reason in each.missing)
        yield from (page.paragraph(f"{run}: note: {note}.") for note in each.notes)
    yield page.heading("At a glance")
    yield from map(page.table, tables(analyses))
    yield page.heading("Pictures")
    for picture in pictures(analyses):
        yield page.heading(picture.title, 3)
        yield page.plot(picture.inlined())
    for run, each in analyses.items():
        yield from _run(run, each)


def _run(run: str, analysis: Analysis) -> Iterator[str]:
    yield page.heading(f"All measures of {run}")
    for name in CLASSES:
        report = analysis.reports[name]
        if report.phrases:
            yield page.heading(f"{name} phrases".capitalize(), 3)
            yield page.table(measure_table(report))
            if report.bins:
                yield page.table(bin_table(report))
    for table in (risk_table(analysis.reports), histogram_table(analysis), place_size_table(analysis)):
        if table.rows:
            yield page.table(table)
