"""Layout of the table of small generators: F1, calibration errors, and the numbers of the study's figures."""

from collections.abc import Iterator, Sequence
from typing import Final

from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_calibration.sheets import errata, figure_tables
from keywright.experiments.layouts import Lines, crosstab, decimal, ends
from keywright.experiments.neural.table import EXTRACTORS, NAME
from keywright.experiments.neural.table import rows as make_rows
from keywright.experiments.study import Row, Study
from keywright.presentation.page import Table

_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_MEASURES: Final = ("F@5", "F@M")


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``neural``; tables without rows are left out."""
    for part in _CLASSES:
        for measure in _MEASURES:
            chosen = [row for row in rows if (row.measure, row.phrase_class) == (measure, part)]
            if chosen:
                yield _scores(chosen, measure, part)
    for part in _CLASSES:
        chosen = [row for row in rows if row.measure.startswith("ECE") and row.phrase_class == part]
        if chosen:
            yield _errors(chosen, part)
    yield from figure_tables(rows)
    yield from errata(rows)


def _scores(rows: Sequence[Row], measure: str, part: str) -> Table:
    """Return a measure of each system, ours with its interval, then as published."""
    lines: Lines = {}
    for row in rows:
        decoding = "" if row.system in EXTRACTORS else row.variant or "greedy"
        cells = lines.setdefault((row.system or "", decoding), {})
        cells[f"{row.dataset}"] = f"{decimal(row.ours, 3)} ({ends(row.interval, 3)})"
        cells[f"{row.dataset} published"] = decimal(row.published, 3)
    columns = [name for name in _columns(lines) if any(cells.get(name) for cells in lines.values())]
    caption = f"{measure.replace('F', 'F1')} of {part} keyphrases, ours and as published for generators of full size."
    return crosstab(caption, ("system", "decoding"), lines, columns)


def _errors(rows: Sequence[Row], part: str) -> Table:
    """Return the calibration errors: of generated and calibrated probabilities, each with its noise floor."""
    lines: Lines = {}
    for row in rows:
        cells = lines.setdefault((row.system or "", row.dataset or "", row.variant or ""), {})
        if row.measure == "ECE":
            cells |= {"ECE": decimal(row.ours, 2), "interval": ends(row.interval, 1)}
            cells |= {"published": decimal(row.published, 2)}
        else:
            cells["noise floor"] = decimal(row.ours, 2)
    caption = f"Expected calibration error of {part} keyphrases, percent."
    columns = ("ECE", "interval", "noise floor", "published")
    return crosstab(caption, ("system", "data set", "probabilities"), lines, columns)


def _columns(lines: Lines) -> list[str]:
    return list(dict.fromkeys(name for cells in lines.values() for name in cells))


STUDY: Final = Study(NAME, make_rows, tables=sheets)
