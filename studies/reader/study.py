"""The quality best: how much an encoder that reads candidates in context adds to the default.

Test sets are scored by both qualities as they ship. The training documents are scored by encoders that did not learn
from them: by one of two halves, or without their collection (``tools/train/reader``). Everyday texts are scored as they
are, by both qualities.
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.experiments.study import Study, format_decimal, format_interval, lay_out_groups, run_units
from studies.reader import everyday_texts
from studies.reader import gains as reach
from studies.reader.rows import CalibrationError, Gain, Reach, Row, SeedGain
from studies.reader.test_sets import TEST, rows_of
from studies.tables import lay_out_rows, list_uniform_records

HELD_OUT: Final = tuple(
    Path(__file__).parents[2] / "benchmarks" / "results" / f"reader-{name}.json" for name in ("held-out", "languages")
)
"""Files of rows that ``tools/train/reader/gains.py`` wrote after the trainings, which take hours."""
_TITLES: Final = {
    "test": "Test sets, by the default as it ships: standard quality and best.",
    "held out": "Training documents, by an encoder that was trained on the other half of them.",
    "left out": "Collections that neither trees nor encoder learned from.",
    "everyday": "Thirty everyday texts without options, against what a person would accept as keyphrases.",
    "language": "Other languages: all texts in one were left out of the encoder, of trees for tags and of the gate.",
}
_COLUMNS: Final = {
    "data set": lambda row: row.dataset,
    "gold or style": lambda row: row.gold,
    "measure": lambda row: row.measure,
    "documents": lambda row: str(row.number),
    "standard": lambda row: format_decimal(row.standard, 3),
    "encoder alone": lambda row: "" if row.encoder is None else format_decimal(row.encoder, 3),
    "best": lambda row: format_decimal(row.best, 3),
    "difference": lambda row: f"{row.best - row.standard:+.3f}",
    "interval": lambda row: format_interval(row.interval, 3),
    "clear": lambda row: "yes" if row.clear else "",
}
_REACH: Final = {
    "data set": lambda row: row.dataset,
    "keyphrases": lambda row: str(row.keyphrases),
    "in the text": lambda row: str(row.text),
    "candidates": lambda row: str(row.candidates),
    "on the shortlist": lambda row: str(row.shortlist),
    "read": lambda row: str(row.read),
}
_ERRORS: Final = {
    "data set": lambda row: row.dataset,
    "gold": lambda row: row.gold,
    "standard": lambda row: format_decimal(row.standard, 3),
    "best": lambda row: format_decimal(row.best, 3),
    "noise floor": lambda row: format_decimal(row.floor, 3),
}


def rows(*, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None) -> tuple[Row, ...]:
    """Score the test sets, and read the gains of trainings that held documents out.

    Raises:
        MissingData: a collection, or the encoder, is not on this machine.
        MissingExtra: the extra ``embed`` is not installed.
    """
    test = [row for _, part in run_units(partial(rows_of, mirror=mirror), TEST, progress, jobs) for row in part]
    return (*test, *trained(), *everyday_texts.rows_of(), *reach.rows_of_reach(mirror))


def trained() -> tuple[Row, ...]:
    """Return the gains on documents that were held out of trainings, or whose collections were left out."""
    return tuple(row for file in HELD_OUT for row in STUDY.read(json.loads(file.read_text("utf-8"))))


def tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables; those without rows are left out."""
    for documents, title in _TITLES.items():
        if gains := [row for row in rows if isinstance(row, Gain) and row.documents == documents]:
            yield lay_out_rows(title, gains, _COLUMNS, ("data set", "gold or style", "measure"))
    if seeds := [row for row in rows if isinstance(row, SeedGain)]:
        yield _seeds(seeds)
    if errors := [row for row in rows if isinstance(row, CalibrationError)]:
        yield lay_out_rows(
            "Expected calibration error of the first fifteen phrases.", errors, _ERRORS, ("data set", "gold")
        )
    if places := [row for row in rows if isinstance(row, Reach)]:
        title = f"Keyphrases of every {reach.EVERY}th training document, and where they are."
        yield lay_out_rows(title, places, _REACH, ("data set",))


def _seeds(rows: Sequence[SeedGain]) -> Table:
    """Return the table of seeds: a column for each style and measure."""
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        lines.setdefault((row.seeds,), {})[f"{row.style} {row.measure}"] = f"{100 * row.gain:+.2f}"
    columns = list(dict.fromkeys(name for cells in lines.values() for name in cells))
    title = "Difference in points on held-out documents, its mean over data sets, by seed; 1 + 2: mean corrections."
    return lay_out_groups(title, ("seeds",), lines, columns)


STUDY: Final = Study("reader", rows, (Gain, SeedGain, CalibrationError, Reach), tables, lines=list_uniform_records)
