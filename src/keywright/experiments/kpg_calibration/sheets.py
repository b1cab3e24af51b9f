"""The rows of the calibration study for people: its tables 1 to 3, the numbers of its figures, and errata."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from keywright.evaluation.publishing import plots as drawings
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_calibration.table import NAME
from keywright.experiments.kpg_calibration.table import rows as make_rows
from keywright.experiments.rows import Row
from keywright.experiments.study import Plot, Study
from keywright.presentation.table import Cell, Table

_COLLECTIONS: Final = ("inspec", "krapivin", "semeval2010", "kp20k")
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_MATRICES: Final = (
    ("KPP-median", "Figure 1: median perplexity (KPP-s) over all collections.", 2),
    ("KPP-", "Figure 1: phrases by perplexity (KPP-s).", 0),
    ("probability-of-token-", "Figure 2: mean probability of the first to fifth token over all collections.", 3),
    ("recall-in-fifth-", "Figure 4: share of gold present keyphrases that are found, by fifth of the document.", 3),
)
"""Beginnings of measures, captions, decimals."""

_Known: TypeAlias = Mapping[tuple[str | None, ...], Row]


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Tables for people; what the rows do not have is left out.

    Args:
        rows: of the table ``kpg-calibration``.
    """
    known: _Known = {(row.measure, row.system, row.dataset, row.phrase_class, row.variant): row for row in rows}
    systems = tuple(dict.fromkeys(row.system for row in rows if row.system and row.measure == "F@M"))
    for part in _CLASSES if systems else ():
        yield _scores(known, systems, part)
    for part in _CLASSES if any(row.measure == "ECE" for row in rows) else ():
        yield _errors(known, [name for name in systems if _has(rows, name, "ECE")], part)
    if any(row.measure.startswith("gold-in-fifth") for row in rows):
        yield _fifths(known)
    left = [row for row in rows if row.system]
    for beginning, caption, decimals in _MATRICES:
        some = [row for row in left if row.measure.startswith(beginning)]
        left = [row for row in left if not row.measure.startswith(beginning)]
        if some:
            yield _matrix(some, caption, decimals)
    together = [row for row in left if row.measure == "F@5" and row.system not in systems]
    if together:
        yield _matrix(together, "F1@5 of the five models together; no paper prints it.", 3, intervals=True)
    yield from _notes(rows)


def plots(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw calibration errors of each class as bars: for each model and collection the printed and the clean error.

    Args:
        rows: of the table ``kpg-calibration``.
    """
    at = 0
    for part in _CLASSES:
        clean = [row for row in rows if (row.measure, row.phrase_class, row.variant) == ("ECE", part, "clean")]
        some = [row for row in clean if row.published is not None]
        if some:
            printed, ours = (
                [value / 100 if value is not None else None for value in values]
                for values in ([row.published for row in some], [row.ours for row in some])
            )
            labels = [f"{row.system} {row.dataset}" for row in some]
            title, name = f"Calibration error of {part} keyphrases", f"ece-{at}"
            yield Plot(name, title, drawings.bars(title, labels, [("printed", printed), ("clean", ours)], name), title)
            at += 1


def _scores(known: _Known, systems: Sequence[str], part: str) -> Table:
    """Table 1: printed and ours."""
    body = []
    for name in systems:
        cells = [name]
        for collection in _COLLECTIONS:
            for measure in ("F@M", "F@5"):
                row = known.get((measure, name, collection, part, None))
                cells += ["", ""] if row is None else [_number(row.published, 3), _number(row.ours, 3)]
        body.append(tuple(map(Cell, cells)))
    head = ["system"]
    for collection in _COLLECTIONS:
        head += [f"{collection} {measure}{whose}" for measure in ("F1@M", "F1@5") for whose in ("", " ours")]
    return _filled(
        Table(f"Table 1: F1 of {part} keyphrases, printed and ours.", tuple(head), tuple(body), _from(1, head))
    )


def _errors(known: _Known, systems: Sequence[str], part: str) -> Table:
    """Table 2: printed, as published, clean with its interval, noise floor."""
    body = []
    for name in systems:
        for collection in _COLLECTIONS:
            variants = [known.get(("ECE", name, collection, part, one)) for one in ("as-published", "clean", None)]
            printed = next((one.published for one in variants if one and one.published is not None), None)
            published, clean, _ = variants
            floor = known.get(("ECE-noise-floor", name, collection, part, None))
            if not any(variants):
                continue
            cells = [name, collection, _number(printed, 2), _number(published.ours if published else None, 2)]
            cells += [_number(clean.ours if clean else None, 2), _ends(clean.interval, 1) if clean else ""]
            cells += [_number(floor.ours if floor else None, 2)]
            body.append(tuple(map(Cell, cells)))
    head = ("system", "collection", "printed", "as published", "clean", "interval", "noise floor")
    caption = f"Table 2: expected calibration error of {part} keyphrases, percent."
    return Table(caption, head, tuple(body), _from(2, head))


def _fifths(known: _Known) -> Table:
    """Table 3."""
    head = ("collection", "", *(f"fifth {at}" for at in range(1, 6)))
    body = []
    for collection in _COLLECTIONS:
        for variant in ("as-published", "clean"):
            found = [known.get((f"gold-in-fifth-{at}", None, collection, "present", variant)) for at in range(1, 6)]
            some = [one for one in found if one]
            if some and variant == "as-published":
                body.append((collection, "printed", *(_number(one.published, 0) for one in some)))
            if some and some[0].ours is not None:
                body.append((collection, variant.replace("-", " "), *(_number(one.ours, 0) for one in some)))
    caption = "Table 3: gold present keyphrases by the fifth of the document that they begin in."
    return Table(caption, head, tuple(tuple(map(Cell, line)) for line in body), _from(2, head))


def _matrix(rows: Sequence[Row], caption: str, decimals: int, *, intervals: bool = False) -> Table:
    """A line for each model, class and collection, a column for each measure; one measure alone names its column."""
    measures = tuple(dict.fromkeys(row.measure for row in rows))
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        ends = f" ({_ends(row.interval, decimals)})" if intervals and row.interval else ""
        place = (row.system or "", row.phrase_class or "", row.dataset or "all")
        lines.setdefault(place, {})[row.measure] = _number(row.ours, decimals) + ends
    head = ("system", "class", "collection", *(one.replace("-", " ") for one in measures))
    body = tuple(
        tuple(map(Cell, (*place, *(found.get(one, "") for one in measures)))) for place, found in lines.items()
    )
    return Table(caption, head, body, _from(3, head))


def _notes(rows: Sequence[Row]) -> Iterator[Table]:
    """Errata and what else explains a difference, each once with where it applies."""
    where: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        if row.note and row.published is not None:
            named = " ".join(filter(None, (row.system, row.phrase_class, row.variant)))
            measure = "gold in fifths" if row.measure.startswith("gold") else row.measure
            where.setdefault((row.note, f"{measure} {named}"), {})[row.dataset or ""] = None
    body = tuple((Cell(f"{of}: {', '.join(sets)}"), Cell(note)) for (note, of), sets in where.items())
    if body:
        yield Table("Errata and other notes.", ("of", "note"), body, frozenset())


def _has(rows: Sequence[Row], system: str, measure: str) -> bool:
    return any(row.system == system and row.measure == measure for row in rows)


def _filled(table: Table) -> Table:
    """Without columns that are empty throughout."""
    kept = [at for at in range(len(table.head)) if any(line[at].text for line in table.rows)]
    head, body = (tuple(table.head[at] for at in kept), tuple(tuple(line[at] for at in kept) for line in table.rows))
    return Table(table.caption, head, body, _from(1, head))


def _from(first: int, head: Sequence[str]) -> frozenset[int]:
    """Columns of numbers: all from one on."""
    return frozenset(range(first, len(head)))


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


def _ends(interval: tuple[float, float] | None, decimals: int) -> str:
    return "" if interval is None else f"{interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"


STUDY: Final = Study(NAME, make_rows, tables=sheets, plots=plots)
