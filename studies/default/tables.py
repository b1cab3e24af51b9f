"""Layouts of the study of the default: ablations, learning curves, errors."""

from collections.abc import Iterator, Sequence
from typing import Final

from keywright.evaluation.publishing import plots
from keywright.experiments.study import Plot
from keywright.presentation.table import Cell, Table
from studies.default.ablation import EVERYTHING, Ablated
from studies.default.error_rows import FALSE_ALARM, MISS, ErrorCount, ErrorExample, Row
from studies.default.learning_curve import CurvePoint

_PERCENT: Final = 100
_HEADINGS: Final = {
    "columns": "columns left out",
    "tables": "table left empty",
    "trees": "trees",
    "candidates": "candidates described",
}
_SIDES: Final = {MISS: "misses", FALSE_ALARM: "false alarms"}
_ABOUT: Final = {
    "class": "by class",
    "trait": "of which it is true that",
    "group": "that were described: what took most from their scores",
}


def ablations(rows: Sequence[Ablated]) -> Iterator[Table]:
    """A table for each collection: F in percent, and the difference to everything with its interval."""
    for collection in dict.fromkeys(row.collection for row in rows):
        some = [row for row in rows if row.collection == collection]
        measures = list(dict.fromkeys((row.gold, row.measure) for row in some))
        found = {(row.condition, row.gold, row.measure): row for row in some}
        body = []
        for condition, kind in dict.fromkeys((row.condition, row.kind) for row in some):
            cells = (_ablated(found[condition, *measure]) for measure in measures)
            body.append((Cell(_HEADINGS.get(kind, "")), Cell(condition), *map(Cell, cells)))
        head = ("what", "which", *(f"{gold} {measure}" for gold, measure in measures))
        caption = f"{collection}, {some[0].documents} documents: everything, and with one part left out or changed."
        yield Table(caption, head, tuple(body), frozenset(range(2, len(head))))


def _ablated(row: Ablated) -> str:
    """``34.5 (32.1 to 36.9)`` for everything, ``33.9: -0.6 (-1.1 to -0.1)`` for the others."""
    numbers = (row.value, row.difference, row.low, row.high)
    value, difference, low, high = (round(_PERCENT * number, 1) + 0.0 for number in numbers)  # + 0.0 makes 0 of -0
    if row.condition == EVERYTHING:
        return f"{value:.1f} ({low:.1f} to {high:.1f})"
    return f"{value:.1f}: {difference:+.1f} ({low:+.1f} to {high:+.1f})"


def curves(rows: Sequence[CurvePoint]) -> Iterator[Table]:
    """A table for each collection, a row for each number of documents."""
    for collection in dict.fromkeys(row.collection for row in rows):
        some = [row for row in rows if row.collection == collection]
        measures = list(dict.fromkeys((row.gold, row.measure) for row in some))
        found = {(row.learnt, row.gold, row.measure): row for row in some}
        body = []
        for learnt, draws in dict.fromkeys((row.learnt, row.draws) for row in some):
            cells = (_point(found[learnt, *measure]) for measure in measures)
            body.append(tuple(map(Cell, (str(learnt), str(draws), *cells))))
        head = ("documents", "draws", *(f"{gold} {measure}" for gold, measure in measures))
        caption = f"{collection}: mean over the draws, the interval, and the draws' least and most."
        yield Table(caption, head, tuple(body), frozenset(range(len(head))))


def _point(row: CurvePoint) -> str:
    """``31.2 (29.0 to 33.4), 30.8 to 31.5``."""
    value, low, high, least, most = (_PERCENT * one for one in (row.value, row.low, row.high, row.least, row.most))
    return f"{value:.1f} ({low:.1f} to {high:.1f})" + (f", {least:.1f} to {most:.1f}" if row.draws > 1 else "")


def errors(rows: Sequence[Row]) -> Iterator[Table]:
    """For each collection and side the counts, then the listed ones."""
    for collection in dict.fromkeys(row.collection for row in rows):
        for side in (MISS, FALSE_ALARM):
            here = [row for row in rows if (row.collection, row.side) == (collection, side)]
            for about in _ABOUT:
                counts = [row for row in here if isinstance(row, ErrorCount) and row.about == about]
                if counts:
                    yield _counts(f"{collection}: {_SIDES[side]} {_ABOUT[about]}.", counts)
            if examples := [row for row in here if isinstance(row, ErrorExample)]:
                yield _examples(f"{collection}: {len(examples)} {_SIDES[side]}.", examples)


def _counts(caption: str, rows: Sequence[ErrorCount]) -> Table:
    compared = any(row.hits is not None for row in rows)
    body = []
    for row in rows:
        cells = [row.name, str(row.number), f"{_PERCENT * row.share:.1f}"]
        cells += ["" if row.hits is None else f"{_PERCENT * row.hits:.1f}"] if compared else []
        body.append(tuple(map(Cell, cells)))
    head = ("", "number", "%", *(("% of the keyphrases shown",) if compared else ()))
    return Table(caption, head, tuple(body), frozenset(range(1, len(head))))


def _examples(caption: str, rows: Sequence[ErrorExample]) -> Table:
    grouped = any(row.group for row in rows)
    body = []
    for row in rows:
        rank, probability = ("" if number is None else str(number) for number in (row.rank, row.probability))
        cells = [row.document, row.phrase, row.name, rank, probability, *((row.group or "",) if grouped else ())]
        body.append(tuple(map(Cell, cells)))
    head = ("document", "phrase", "class", "rank", "probability", *(("least from",) if grouped else ()))
    return Table(caption, head, tuple(body), frozenset({3, 4}))


def curve_series(rows: Sequence[CurvePoint]) -> Iterator[tuple[str, tuple[tuple[int, float, float, float], ...]]]:
    """For each collection and measure its name and the points: documents, value, low and high end."""
    for place in dict.fromkeys((row.collection, row.gold, row.measure) for row in rows):
        some = [row for row in rows if (row.collection, row.gold, row.measure) == place]
        points = tuple((row.learnt, row.value, row.low, row.high) for row in some)
        yield f"{place[0]}, {place[1]} {place[2]}", points


def curve_plot(rows: Sequence[CurvePoint]) -> Iterator[Plot]:
    """Draw the learning curves."""
    name, title = "learning-curve", "Learning curves"
    yield Plot(name, title, plots.curves(title, tuple(curve_series(rows)), name))
