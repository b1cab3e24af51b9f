"""The quality report as tables: a collection each, best system first; calibration; reliability by class of document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.calibration.measures.ece import Bin
from keywright.evaluation.publishing import plots as drawings
from keywright.experiments.reliability import Reliability
from keywright.experiments.study import Plot
from keywright.presentation.table import Cell, Table
from studies.quality.collections import COLLECTIONS, DEFAULT, Collection
from studies.quality.measuring import FIRST
from studies.quality.rows import Row, Score

_PERCENT: Final = 100
KINDS: Final = tuple(dict.fromkeys(one.kind for one in COLLECTIONS))
"""Classes of documents."""


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Tables for people."""
    if short := summary(rows):
        yield short
    for one in COLLECTIONS:
        if some := [row for row in rows if isinstance(row, Score) and row.dataset == one.data]:
            yield scores_table(one, some)
    known = [row for row in rows if isinstance(row, Reliability)]
    if known:
        yield calibration_table(known)
    yield from (bins_table(row) for row in known if row.documents_of in KINDS)


def summary(rows: Sequence[Row]) -> Table | None:
    """The default beside the best of all others on each collection and measure; None where it was not scored.

    Our own careful counting is no other tool's system and not among the others.
    """
    body = []
    scores = [row for row in rows if isinstance(row, Score)]
    for one in COLLECTIONS:
        here = [row for row in scores if row.dataset == one.data]
        for gold, measure in _columns(one, here):
            some = [row for row in here if (row.gold, row.measure) == (gold, measure)]
            ours = next((row for row in some if row.system == DEFAULT), None)
            others = [row for row in some if row.system not in {DEFAULT, "counting"}]
            if ours and others:
                best = max(others, key=lambda row: row.value)
                apart = f"{_PERCENT * (ours.value - best.value):+.1f}"
                named = f"{best.system}, {best.source}"
                body.append(tuple(map(Cell, (one.data, gold, measure, _percent(ours), _percent(best), named, apart))))
    head = ("collection", "gold", "measure", DEFAULT, "best other", "which", "difference")
    caption = "The default beside the best other system of each column of the tables below; F in percent."
    return Table(caption, head, tuple(body), frozenset({3, 4, 6})) if body else None


def scores_table(one: Collection, rows: Sequence[Score]) -> Table:
    """Systems by rows, best first by the last measure of the main gold; in each cell F in percent and its interval."""
    columns = _columns(one, rows)
    known = {(row.system, row.source, row.gold, row.measure): row for row in rows}
    main = max((column for column in columns if column[0] == columns[0][0]), key=columns.index)
    systems = sorted(
        dict.fromkeys((row.system, row.source) for row in rows),
        key=lambda who: -known[*who, *main].value if (*who, *main) in known else 1.0,
    )
    best = {column: max(row.value for row in rows if (row.gold, row.measure) == column) for column in columns}
    body = []
    for who in systems:
        found = [known.get((*who, *column)) for column in columns]
        cells = [
            Cell("") if row is None else Cell(_percent(row), best=row.value == best[column])
            for row, column in zip(found, columns, strict=True)
        ]
        body.append((*map(Cell, who), *cells))
    head = ("system", "from", *(f"{gold} {measure}" for gold, measure in columns))
    numbers = frozenset(range(2, len(head)))
    protocols = tuple(dict.fromkeys(row.protocol for row in rows if "|" in row.protocol))
    return Table(f"{one.data}: {how(one)}", head, tuple(body), numbers, protocols)


def how(one: Collection) -> str:
    """What is scored and learnt from, in a sentence."""
    if one.lessons is None:
        return "cross-validation in five folds; whatever learns, learns from the other four folds of this collection."
    part = one.lessons
    share = "" if part.every == 1 else f", one document in {part.every}"
    return f"the default as it ships, style {one.style}; other systems that learn, learn from {part.data}{share}."


def calibration_table(rows: Sequence[Reliability]) -> Table:
    """Calibration errors beside the noise floor."""
    head = ("documents", "system", "number", "phrases", "error", "interval", "noise floor", "95 % of it")
    body = []
    for row in rows:
        floor = row.floor
        cells = [row.documents_of, row.system, str(row.documents), str(row.phrases), f"{row.error:.3f}"]
        cells += [_ends(row.interval), f"{floor.error:.3f}", _ends((floor.low, floor.high))]
        body.append(tuple(map(Cell, cells)))
    caption = (
        f"Calibration error of the first {FIRST} phrases in ten equal bins, by collection and by class of document."
    )
    return Table(caption, head, tuple(body), frozenset(range(2, len(head))))


def bins_table(row: Reliability) -> Table:
    """Probabilities beside what turned out right; bins without phrases are left out."""
    body = tuple(
        (
            *(Cell(f"{one.low:.1f} to {one.high:.1f}"), Cell(str(one.size))),
            *(Cell(f"{value:.3f}") for value in (one.probability, one.share) if value is not None),
        )
        for one in row.bins
        if one.size
    )
    head = ("probability", "phrases", "mean probability", "share right")
    caption = f"Reliability on documents of class {row.documents_of}, system {row.system}, first {FIRST} phrases."
    return Table(caption, head, body, frozenset({1, 2, 3}))


def plots(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw a reliability diagram of each row that has bins."""
    for row in rows:
        if isinstance(row, Reliability):
            name = f"{row.documents_of}-{row.system}".replace("/", "-")
            title = f"{row.system} on {row.documents_of}: calibration error {row.error:.3f}"
            yield Plot(name, title, drawings.reliability(title, _points(row.bins), name))


def lines(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """One plain record for each number, all with the same names, for tables of other programs; fractions."""
    for row in rows:
        if isinstance(row, Score):
            ends = row.interval or (None, None)
            record = row.record() | dict(zip(("low", "high"), ends, strict=True))
            yield _line(record)
            continue
        where = {"dataset": row.documents_of, "system": row.system, "phrases": row.phrases}
        low, high = row.interval
        yield _line({**where, "measure": f"ECE@{FIRST}", "value": row.error, "low": low, "high": high})
        floor = row.floor
        yield _line({**where, "measure": "noise floor", "value": floor.error, "low": floor.low, "high": floor.high})
        for one in (one for one in row.bins if one.size):
            measure = f"right at {one.low:.1f} to {one.high:.1f}"
            bin_ = {"measure": measure, "value": one.share, "phrases": one.size, "probability": one.probability}
            yield _line(where | bin_)


_LINE: Final = (
    *("dataset", "protocol", "gold", "measure", "system", "value", "low", "high"),
    *("source", "phrases", "probability"),
)


def _line(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record.get(name) for name in _LINE}


def _points(bins: Sequence[Bin]) -> tuple[tuple[float, float, int], ...]:
    """Bins that hold phrases."""
    return tuple(
        (one.probability, one.share, one.size) for one in bins if one.probability is not None and one.share is not None
    )


def _columns(one: Collection, rows: Sequence[Score]) -> list[tuple[str, str]]:
    """Kinds of gold with their measures: kinds in the collection's order, then classes of gold."""
    found = list(dict.fromkeys((row.gold, row.measure) for row in rows))
    order = {gold: place for place, gold in enumerate(one.gold)}
    return sorted(found, key=lambda column: (order.get(column[0], len(order)), int(column[1].partition("@")[2])))


def _percent(row: Score) -> str:
    """``25.1 (22.8 to 27.4)``."""
    if row.interval is None:
        return f"{_PERCENT * row.value:.1f}"
    low, high = (f"{_PERCENT * end:.1f}" for end in row.interval)
    return f"{_PERCENT * row.value:.1f} ({low} to {high})"


def _ends(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3f} to {ends[1]:.3f}"
