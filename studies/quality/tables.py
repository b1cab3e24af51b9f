"""Layout of the quality report: a collection each, best system first; calibration; reliability by class of document."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.calibration.measures.ece import Bin
from keywright.experiments.layouts import PERCENT, Lines, crosstab, decimal, ends, grouped, listing
from keywright.experiments.reliability import Reliability
from keywright.experiments.study import Plot
from keywright.presentation.page import Cell, Table
from studies import plots as drawings
from studies.quality.collections import COLLECTIONS, DEFAULT, Collection
from studies.quality.measuring import FIRST
from studies.quality.rows import Row, Score

KINDS: Final = tuple(dict.fromkeys(part.kind for part in COLLECTIONS))
"""Classes of documents."""

_CALIBRATION: Final[Mapping[str, Callable[[Reliability], str]]] = {
    "documents": lambda row: row.documents_of,
    "system": lambda row: row.system,
    "number": lambda row: str(row.documents),
    "phrases": lambda row: str(row.phrases),
    "error": lambda row: decimal(row.error, 3),
    "interval": lambda row: ends(row.interval, 3),
    "noise floor": lambda row: decimal(row.floor.error, 3),
    "95 % of it": lambda row: ends((row.floor.low, row.floor.high), 3),
}
_BINS: Final[Mapping[str, Callable[[Bin], str]]] = {
    "probability": lambda part: f"{part.low:.1f} to {part.high:.1f}",
    "phrases": lambda part: str(part.size),
    "mean probability": lambda part: decimal(part.probability, 3),
    "share right": lambda part: decimal(part.share, 3),
}


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables."""
    if short := summary(rows):
        yield short
    for part in COLLECTIONS:
        if scores := [row for row in rows if isinstance(row, Score) and row.dataset == part.data]:
            yield scores_table(part, scores)
    reliabilities = [row for row in rows if isinstance(row, Reliability)]
    if reliabilities:
        yield calibration_table(reliabilities)
    yield from (bins_table(row) for row in reliabilities if row.documents_of in KINDS)


def summary(rows: Sequence[Row]) -> Table | None:
    """Return the default beside the best other system on each collection and measure; None where it was not scored.

    ``counting`` is ours as well and is not among the others.
    """
    body = []
    scores = [row for row in rows if isinstance(row, Score)]
    for part in COLLECTIONS:
        here = [row for row in scores if row.dataset == part.data]
        for gold, measure in _columns(part, here):
            column = [row for row in here if (row.gold, row.measure) == (gold, measure)]
            ours = next((row for row in column if row.system == DEFAULT), None)
            others = [row for row in column if row.system not in {DEFAULT, "counting"}]
            if ours and others:
                best = max(others, key=lambda row: row.value)
                difference = f"{PERCENT * (ours.value - best.value):+.1f}"
                named = f"{best.system}, {best.source}"
                cells = (part.data, gold, measure, _percent(ours), _percent(best), named, difference)
                body.append(tuple(map(Cell, cells)))
    head = ("collection", "gold", "measure", DEFAULT, "best other", "which", "difference")
    caption = "The default beside the best other system of each column of the tables below; F in percent."
    return Table(caption, head, tuple(body), frozenset({3, 4, 6})) if body else None


def scores_table(part: Collection, rows: Sequence[Score]) -> Table:
    """Return systems by lines, best first by the last measure of the main gold, with F in percent and its interval."""
    columns = _columns(part, rows)
    heads = {column: " ".join(column) for column in columns}
    main = heads[max((column for column in columns if column[0] == columns[0][0]), key=columns.index)]
    best = {column: max(row.value for row in rows if (row.gold, row.measure) == column) for column in columns}
    systems = grouped(rows, lambda row: (row.system, row.source), lambda row: heads[row.gold, row.measure])
    by_main = sorted(systems.items(), key=lambda item: -item[1][main].value if main in item[1] else 1.0)
    lines: Lines = {
        line: {head: Cell(_percent(row), best=row.value == best[row.gold, row.measure]) for head, row in cells.items()}
        for line, cells in by_main
    }
    protocols = tuple(dict.fromkeys(row.protocol for row in rows if "|" in row.protocol))
    return crosstab(f"{part.data}: {how(part)}", ("system", "from"), lines, tuple(heads.values()), protocols)


def how(part: Collection) -> str:
    """Return a sentence on how a collection is scored and what systems are trained on."""
    if part.lessons is None:
        return "cross-validation in five folds; whatever learns, learns from the other four folds of this collection."
    training = part.lessons
    share = "" if training.every == 1 else f", one document in {training.every}"
    return f"the default as it ships, style {part.style}; other systems that learn, learn from {training.data}{share}."


def calibration_table(rows: Sequence[Reliability]) -> Table:
    """Return calibration errors beside the noise floor."""
    caption = (
        f"Calibration error of the first {FIRST} phrases in ten equal bins, by collection and by class of document."
    )
    return listing(caption, rows, _CALIBRATION, ("documents", "system"))


def bins_table(row: Reliability) -> Table:
    """Return mean probabilities beside shares of right phrases; bins without phrases are left out."""
    caption = f"Reliability on documents of class {row.documents_of}, system {row.system}, first {FIRST} phrases."
    return listing(caption, (part for part in row.bins if part.size), _BINS, ("probability",))


def plots(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw a reliability diagram of each row that has bins."""
    for row in rows:
        if isinstance(row, Reliability):
            name = f"{row.documents_of}-{row.system}".replace("/", "-")
            title = f"{row.system} on {row.documents_of}: calibration error {row.error:.3f}"
            yield Plot(name, title, drawings.reliability(title, _points(row.bins), name))


def lines(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield one plain record for each number, all with the same keys; numbers are fractions."""
    for row in rows:
        if isinstance(row, Score):
            low, high = row.interval or (None, None)
            yield _line(row.record() | {"low": low, "high": high})
            continue
        where = {"dataset": row.documents_of, "system": row.system, "phrases": row.phrases}
        low, high = row.interval
        yield _line({**where, "measure": f"ECE@{FIRST}", "value": row.error, "low": low, "high": high})
        floor = row.floor
        yield _line({**where, "measure": "noise floor", "value": floor.error, "low": floor.low, "high": floor.high})
        for part in (part for part in row.bins if part.size):
            measure = f"right at {part.low:.1f} to {part.high:.1f}"
            of_bin = {"measure": measure, "value": part.share, "phrases": part.size, "probability": part.probability}
            yield _line(where | of_bin)


_LINE: Final = (
    *("dataset", "protocol", "gold", "measure", "system", "value", "low", "high"),
    *("source", "phrases", "probability"),
)


def _line(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record.get(name) for name in _LINE}


def _points(bins: Sequence[Bin]) -> tuple[tuple[float, float, int], ...]:
    """Return mean probability, share right and size of the bins that hold phrases."""
    return tuple(
        (part.probability, part.share, part.size)
        for part in bins
        if part.probability is not None and part.share is not None
    )


def _columns(part: Collection, rows: Sequence[Score]) -> list[tuple[str, str]]:
    """Return kinds of gold with their measures: kinds in the collection's order, then classes of gold."""
    columns = list(dict.fromkeys((row.gold, row.measure) for row in rows))
    order = {gold: place for place, gold in enumerate(part.gold)}
    return sorted(columns, key=lambda column: (order.get(column[0], len(order)), int(column[1].partition("@")[2])))


def _percent(row: Score) -> str:
    """Return a value such as ``25.1 (22.8 to 27.4)``."""
    value = f"{PERCENT * row.value:.1f}"
    if row.interval is None:
        return value
    low, high = row.interval
    return f"{value} ({ends((PERCENT * low, PERCENT * high), 1)})"
