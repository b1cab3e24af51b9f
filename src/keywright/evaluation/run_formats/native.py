"""keywright's own runs: JSON Lines, a header and one record per document."""

from keywright.core.errors import BadRecord
from keywright.core.records import read_run
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source


def _recognise(source: Source) -> bool:
    """Accept any JSON that no other format claims: the reader reports what is missing."""
    return any(line.lstrip().startswith("{") for line in source.beginning(1))


def _read(source: Source) -> LoadedRun:
    try:
        text = source.text()
    except BadRecord as error:
        raise BadRecord(error.message, "`keywright run SYSTEM DATASET -o RUN` writes one") from None
    # Only line feeds end lines: JSON strings may contain other line separators.
    return LoadedRun("keywright", read_run(text.split("\n"), source.name))


FORM = RunFormat("keywright", "JSON Lines of `keywright run`", _recognise, _read)
