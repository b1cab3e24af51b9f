"""Layout of the calibration study: its tables 1 to 3, the numbers of its figures, and errata."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_calibration.table import NAME
from keywright.experiments.kpg_calibration.table import rows as make_rows
from keywright.experiments.layouts import PERCENT, Lines, crosstab, decimal, ends, grouped
from keywright.experiments.study import Plot, Row, Study
from keywright.presentation import drawing
from keywright.presentation.page import Cell, Table

_COLLECTIONS: Final = ("inspec", "krapivin", "semeval2010", "kp20k")
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_FIGURES: Final = (
    ("KPP-median", "Figure 1: median perplexity (KPP-s) over all collections.", 2),
    ("KPP-", "Figure 1: phrases by perplexity (KPP-s).", 0),
    ("probability-of-token-", "Figure 2: mean probability of the first to fifth token over all collections.", 3),
    ("recall-in-fifth-", "Figure 4: share of gold present keyphrases that are found, by fifth of the document.", 3),
)
"""Beginnings of measures, captions, decimals."""

_Places: TypeAlias = Mapping[tuple[str | None, ...], Row]


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``kpg-calibration``; tables without rows are left out."""
    places: _Places = {(row.measure, row.system, row.dataset, row.phrase_class, row.variant): row for row in rows}
    systems = tuple(dict.fromkeys(row.system for row in rows if row.system and row.measure == "F@M"))
    for part in _CLASSES if systems else ():
        yield _scores(places, systems, part)
    with_errors = {row.system for row in rows if row.measure == "ECE"}
    for part in _CLASSES if with_errors else ():
        yield _errors(places, [name for name in systems if name in with_errors], part)
    if any(row.measure.startswith("gold-in-fifth") for row in rows):
        yield _fifths(places)
    yield from figure_tables(rows)
    together = [row for row in rows if row.system and row.measure == "F@5" and row.system not in systems]
    if together:
        yield _matrix(together, "F1@5 of the five models together; no paper prints it.", 3, intervals=True)
    yield from errata(rows)


def figure_tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the numbers behind the figures; tables without rows are left out."""
    rest = list(rows)
    for beginning, caption, decimals in _FIGURES:
        chosen = [row for row in rest if row.measure.startswith(beginning)]
        rest = [row for row in rest if not row.measure.startswith(beginning)]
        if chosen:
            yield _matrix(chosen, caption, decimals)


def plots(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw calibration errors of each class as bars: for each model and collection the printed and the clean error."""
    number = 0
    for part in _CLASSES:
        clean = [row for row in rows if (row.measure, row.phrase_class, row.variant) == ("ECE", part, "clean")]
        chosen = [row for row in clean if row.published is not None]
        if chosen:
            printed, ours = (
                [None if percent is None else percent / PERCENT for percent in values]
                for values in ([row.published for row in chosen], [row.ours for row in chosen])
            )
            labels = [f"{row.system} {row.dataset}" for row in chosen]
            title, name = f"Calibration error of {part} keyphrases", f"ece-{number}"
            yield Plot(name, title, drawing.bars(title, labels, [("printed", printed), ("clean", ours)], name), title)
            number += 1


def _scores(places: _Places, systems: Sequence[str], part: str) -> Table:
    """Return table 1, printed and ours; columns without any number are left out."""
    lines: Lines = {(name,): {} for name in systems}
    columns: list[str] = []
    for collection in _COLLECTIONS:
        for measure in ("F@M", "F@5"):
            rows = {name: places.get((measure, name, collection, part, None)) for name in systems}
            for whose in ("published", "ours"):
                column = f"{collection} F1{measure[1:]}{' ours' if whose == 'ours' else ''}"
                texts = {name: decimal(getattr(row, whose), 3) for name, row in rows.items() if row}
                columns += [column] if any(texts.values()) else []
                for name, text in texts.items():
                    lines[name,][column] = text
    return crosstab(f"Table 1: F1 of {part} keyphrases, printed and ours.", ("system",), lines, columns)


def _errors(places: _Places, systems: Sequence[str], part: str) -> Table:
    """Return table 2: printed, as published, clean with its interval, noise floor."""
    lines: Lines = {}
    for name in systems:
        for collection in _COLLECTIONS:
            where = (name, collection, part)
            published, clean, only_printed = (
                places.get(("ECE", *where, variant)) for variant in ("as-published", "clean", None)
            )
            rows = [row for row in (published, clean, only_printed) if row]
            if rows:
                printed = next((row.published for row in rows if row.published is not None), None)
                floor = places.get(("ECE-noise-floor", *where, None))
                lines[name, collection] = {
                    "printed": decimal(printed, 2),
                    "as published": decimal(published.ours, 2) if published else "",
                    "clean": decimal(clean.ours, 2) if clean else "",
                    "interval": ends(clean.interval, 1) if clean else "",
                    "noise floor": decimal(floor.ours, 2) if floor else "",
                }
    caption = f"Table 2: expected calibration error of {part} keyphrases, percent."
    columns = ("printed", "as published", "clean", "interval", "noise floor")
    return crosstab(caption, ("system", "collection"), lines, columns)


def _fifths(places: _Places) -> Table:
    columns = {f"fifth {number}": f"gold-in-fifth-{number}" for number in range(1, 6)}
    lines: Lines = {}
    for collection in _COLLECTIONS:
        for variant in ("as-published", "clean"):
            rows = {
                column: places[measure, None, collection, "present", variant]
                for column, measure in columns.items()
                if (measure, None, collection, "present", variant) in places
            }
            for line, whose in (("printed", "published"), (variant.replace("-", " "), "ours")):
                texts = {column: decimal(getattr(row, whose), 0) for column, row in rows.items()}
                if any(texts.values()) and (line, variant) != ("printed", "clean"):
                    lines[collection, line] = dict(texts)
    caption = "Table 3: gold present keyphrases by the fifth of the document that they begin in."
    return crosstab(caption, ("collection", ""), lines, tuple(columns))


def _matrix(rows: Sequence[Row], caption: str, decimals: int, *, intervals: bool = False) -> Table:
    """Return a table with a line for each model, class and collection, and a column for each measure."""
    by_line = grouped(
        rows,
        lambda row: (row.system or "", row.phrase_class or "", row.dataset or "all"),
        lambda row: row.measure.replace("-", " "),
    )

    def text(row: Row) -> str:
        interval = f" ({ends(row.interval, decimals)})" if intervals and row.interval else ""
        return decimal(row.ours, decimals) + interval

    lines: Lines = {line: {name: text(row) for name, row in cells.items()} for line, cells in by_line.items()}
    columns = tuple(dict.fromkeys(row.measure.replace("-", " ") for row in rows))
    return crosstab(caption, ("system", "class", "collection"), lines, columns)


def errata(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield errata and other explanations of differences, each once with the places where it applies."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        if row.note and row.published is not None:
            named = " ".join(filter(None, (row.system, row.phrase_class, row.variant)))
            measure = "gold in fifths" if row.measure.startswith("gold") else row.measure
            places.setdefault((row.note, f"{measure} {named}"), {})[row.dataset or ""] = None
    body = tuple((Cell(f"{value}: {', '.join(sets)}"), Cell(note)) for (note, value), sets in places.items())
    if body:
        yield Table("Errata and other notes.", ("of", "note"), body, frozenset())


STUDY: Final = Study(NAME, make_rows, tables=sheets, plots=plots)
