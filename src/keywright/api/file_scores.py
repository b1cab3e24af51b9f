"""Scores of run files that are too large for memory."""

from pathlib import Path

from keywright.api.inputs import dataset
from keywright.core.errors import KeywrightError
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.file_layout import Layout, layout_of
from keywright.evaluation.run_formats.pairing import GoldLike, RunLike
from keywright.evaluation.run_formats.streamed_files import streamed_files
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.reading.formats import Limits


def large_file_reports(
    run: RunLike,
    protocols: tuple[Protocol, ...],
    gold: GoldLike | None,
    form: str | Layout | None,
    samples: Resampling | None,
) -> tuple[Report, ...] | None:
    """Return the report of a large run file under each protocol, read as it is scored; None for anything else.

    A file that is not as it should be is left to those who read it as a whole, unless it is too large for them.
    """
    if not isinstance(run, str | Path) or not isinstance(gold, str | Path | None) or layout_of(form) != Layout():
        return None
    try:
        files = streamed_files(Path(run), gold, dataset)
        if files is None:
            return None
        reports = []
        for protocol in protocols:
            report = files.report(protocol)
            reports.append(with_intervals(report, protocol, samples) if samples else report)
        return tuple(reports)
    except KeywrightError:
        if Path(run).stat().st_size > Limits().file_bytes:
            raise
        return None
