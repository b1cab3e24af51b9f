"""Layout of the quality report: a collection each, best system first; calibration; reliability by class of document.

The quality report: our default, and all systems that run here, on papers, abstracts, news and biomedical articles.

Every system is scored by the collection's usual protocols, with intervals from resampling documents, beside values of
other tools (``others.py``). The default is compared with the best other system of each column, document by document.
Probabilities are compared with the share of phrases that are right, by collection and by class of document.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Collection as Names
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeGuard

import numpy as np

from keywright.calibration.calibration_error import Bin
from keywright.catalogue import system_class
from keywright.core.interfaces import Progress
from keywright.core.pages import Cell, Table
from keywright.experiments.kpg_predictions import Reliability, TopPhrases, measure_reliability
from keywright.experiments.study import (
    PERCENT,
    Lines,
    Plot,
    Study,
    format_decimal,
    format_interval,
    lay_out_groups,
    run_units,
)
from studies import plots as drawings
from studies.quality.collections import COLLECTIONS, DEFAULT, USUAL, Collection, collection
from studies.quality.measuring import FIRST, Outcome, differences, evaluate
from studies.quality.rows import OURS, Difference, Hits, Row, Score, hits_here, others
from studies.tables import group_rows, lay_out_rows

KINDS: Final = tuple(dict.fromkeys(part.kind for part in COLLECTIONS))  # classes of documents
_OURS: Final = (DEFAULT, OURS)  # system and source of the default's values

_CALIBRATION: Final[Mapping[str, Callable[[Reliability], str]]] = {
    "documents": lambda row: row.documents_of,
    "system": lambda row: row.system,
    "number": lambda row: str(row.documents),
    "phrases": lambda row: str(row.phrases),
    "error": lambda row: format_decimal(row.error, 3),
    "interval": lambda row: format_interval(row.interval, 3),
    "noise floor": lambda row: format_decimal(row.floor.error, 3),
    "95 % of it": lambda row: format_interval((row.floor.low, row.floor.high), 3),
}
_BINS: Final[Mapping[str, Callable[[Bin], str]]] = {
    "probability": lambda part: f"{part.low:.1f} to {part.high:.1f}",
    "phrases": lambda part: str(part.size),
    "mean probability": lambda part: format_decimal(part.probability, 3),
    "share correct": lambda part: format_decimal(part.share, 3),
}


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables."""
    if short := summary(rows):
        yield short
    for part in COLLECTIONS:
        if any(isinstance(row, Score) and row.dataset == part.data for row in rows):
            yield scores_table(part, rows)
    reliabilities = [row for row in rows if isinstance(row, Reliability)]
    if reliabilities:
        yield calibration_table(reliabilities)
    yield from (bins_table(row) for row in reliabilities if row.documents_of in KINDS)


def summary(rows: Sequence[Row]) -> Table | None:
    """Return the default beside the best other system of each column; None where it was not scored.

    A difference is bold where its interval excludes zero.
    """
    scores = {_place(row): row for row in rows if isinstance(row, Score)}
    body = []
    for row in rows:
        if isinstance(row, Difference):
            ours, best = (scores[row.dataset, row.gold, row.measure, *of] for of in (_OURS, (row.system, row.source)))
            where = (row.dataset, row.gold, row.measure, _percent(ours), _percent(best), f"{row.system}, {row.source}")
            body.append((*map(Cell, where), Cell(_difference(row), best=row.clear)))
    head = ("collection", "gold", "measure", DEFAULT, "best other", "which", "difference")
    caption = "The default and the best other system of each column of the tables below; F in percent."
    return Table(caption, head, tuple(body), frozenset({3, 4, 6})) if body else None


def scores_table(part: Collection, rows: Sequence[Row]) -> Table:
    """Return systems by lines, best first by the last measure of the main gold, with F in percent and its interval.

    The best of a column is bold where the default and the best other differ by more than chance explains.
    """
    scores = [row for row in rows if isinstance(row, Score) and row.dataset == part.data]
    columns = columns_of(part, scores)
    heads = {column: " ".join(column) for column in columns}
    main = heads[max((column for column in columns if column[0] == columns[0][0]), key=columns.index)]
    best = {(row.gold, row.measure): _winner(row) for row in rows if _is_clear(row) and row.dataset == part.data}
    systems = group_rows(scores, lambda row: (row.system, row.source), lambda row: heads[row.gold, row.measure])
    by_main = sorted(systems.items(), key=lambda item: -item[1][main].value if main in item[1] else 1.0)
    lines: Lines = {
        line: {head: Cell(_percent(row), best=best.get((row.gold, row.measure)) == line) for head, row in cells.items()}
        for line, cells in by_main
    }
    protocols = tuple(dict.fromkeys(protocol_name(row) for row in scores if "|" in row.protocol))
    caption = f"{part.data}: {how(part)}{_absent(part, scores)}"
    return lay_out_groups(caption, ("system", "from"), lines, tuple(heads.values()), protocols)


def _absent(part: Collection, scores: Sequence[Score]) -> str:
    """Return a sentence on the systems of the catalogue that have no values though they could be run; often empty."""
    there = {row.system for row in scores}
    names = ", ".join(name for name in USUAL if name not in there and name not in part.without)
    return f" Not in these results: {names}." if names else ""


def _is_clear(row: Row) -> TypeGuard[Difference]:
    return isinstance(row, Difference) and row.clear


def _winner(row: Difference) -> tuple[str, str]:
    return _OURS if row.value > 0 else (row.system, row.source)


def how(part: Collection) -> str:
    """Return sentences on the training of systems, the default's style, and systems that were not run."""
    styles = dict.fromkeys([part.style, *part.other_styles.values()])
    against = {
        style: [gold for gold in part.gold if part.other_styles.get(gold, part.style) is style] for style in styles
    }
    style = "; ".join(f"style {style} against {' and '.join(golds)} gold" for style, golds in against.items())
    if part.lessons is None:
        text = (
            "cross-validation in five folds; every trained system, the default included, is trained on the other four."
        )
    else:
        share = "" if part.lessons.every == 1 else f", one document in {part.lessons.every}"
        text = f"the default as it ships, {style}; other trained systems are trained on {part.lessons.data}{share}."
    if part.without:
        slow = ", ".join(f"{name} ({seconds:.1f} s for one paper)" for name, seconds in part.without.items())
        text += f" Not run, because over a second for one paper is too slow: {slow}."
    return text


def calibration_table(rows: Sequence[Reliability]) -> Table:
    """Return calibration errors beside the noise floor."""
    caption = (
        f"Calibration error of the first {FIRST} phrases in ten equal bins, by collection and by class of document."
    )
    return lay_out_rows(caption, rows, _CALIBRATION, ("documents", "system"))


def bins_table(row: Reliability) -> Table:
    """Return mean probabilities beside shares of right phrases; bins without phrases are left out."""
    caption = f"Reliability on documents of class {row.documents_of}, system {row.system}, first {FIRST} phrases."
    return lay_out_rows(caption, (part for part in row.bins if part.size), _BINS, ("probability",))


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
        if isinstance(row, Score | Difference):
            low, high = row.interval or (None, None)
            measure = f"{row.measure} of {DEFAULT} less it" if isinstance(row, Difference) else row.measure
            yield _line(row.record() | {"measure": measure, "low": low, "high": high})
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
    """Return mean probability, share correct and size of the bins that hold phrases."""
    return tuple(
        (part.probability, part.share, part.size)
        for part in bins
        if part.probability is not None and part.share is not None
    )


def columns_of(part: Collection, rows: Sequence[Score]) -> list[tuple[str, str]]:
    """Return kinds of gold with their measures: kinds in the collection's order, then classes of gold."""
    columns = list(dict.fromkeys((row.gold, row.measure) for row in rows))
    order = {gold: place for place, gold in enumerate(part.gold)}
    return sorted(columns, key=lambda column: (order.get(column[0], len(order)), int(column[1].partition("@")[2])))


def protocol_name(row: Score | Hits) -> str:
    """Return the name of a row's protocol."""
    return row.protocol.partition("|")[0]


def _place(row: Score) -> tuple[str, str, str, str, str]:
    return row.dataset, row.gold, row.measure, row.system, row.source


def _percent(row: Score) -> str:
    """Return a value such as ``25.1 (22.8 to 27.4)``."""
    value = f"{PERCENT * row.value:.1f}"
    if row.interval is None:
        return value
    low, high = row.interval
    return f"{value} ({format_interval((PERCENT * low, PERCENT * high), 1)})"


def _difference(row: Difference) -> str:
    """Return a difference such as ``+2.5 (-0.3 to +5.2)``."""
    value = f"{PERCENT * row.value:+.1f}"
    if row.interval is None:
        return f"{value} (no interval)"
    low, high = row.interval
    return f"{value} ({PERCENT * low:+.1f} to {PERCENT * high:+.1f})"


def rows(
    systems: Names[str] | None = None,
    *,
    progress: Progress | None = None,
    mirror: Path | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute scores by collection and system, those of other tools beside them, differences, then reliabilities.

    Args:
        systems: of the catalogue; None for all. A collection skips those that take too long there.
        progress: called with the number of systems on collections done, and of all.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.

    Raises:
        UnknownName: there is no system of a name.
        MissingData: a collection is not on this machine.
        MissingExtra: a system needs tags or an encoder that is not installed.
    """
    chosen = tuple(systems or USUAL)
    for name in chosen:
        system_class(name)
    units = [(part.data, name) for part in COLLECTIONS for name in chosen if name not in part.without]
    outcomes = dict(run_units(partial(evaluate, mirror=mirror), units, progress, jobs))
    scores = tuple(_scores(outcomes))
    hits = (*(row for outcome in outcomes.values() for row in outcome.hits), *hits_here())
    return (*scores, *_differences(scores, hits), *_reliabilities(outcomes))


def _scores(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Score]:
    external = others()
    for part in COLLECTIONS:
        for (data, _), outcome in outcomes.items():
            if data == part.data:
                yield from outcome.scores
        yield from (row for row in external if row.dataset == part.data)


def _differences(scores: Sequence[Score], hits: Sequence[Hits]) -> Iterator[Difference]:
    """Yield a difference for each column in which the default and another system have a value."""
    matches = {(row.dataset, protocol_name(row), row.gold, row.system): row for row in hits}
    for part in COLLECTIONS:
        here = [row for row in scores if row.dataset == part.data]
        for gold, measure in columns_of(part, here):
            column = [row for row in here if (row.gold, row.measure) == (gold, measure)]
            ours = next((row for row in column if row.system == DEFAULT), None)
            rivals = [row for row in column if row.system != DEFAULT]
            if ours and rivals:
                best = max(rivals, key=lambda row: row.value)
                where = (part.data, protocol_name(ours), gold)
                pair = [matches.get((*where, row.system)) for row in (ours, best)]
                yield Difference(
                    *(*where, measure, best.system, best.source),
                    value=ours.value - best.value,
                    interval=_interval(part, pair, measure) if best.interval else None,
                )


def _interval(part: Collection, pair: Sequence[Hits | None], measure: str) -> tuple[float, float] | None:
    ours, theirs = pair
    if ours is None or theirs is None:
        return None
    (protocol,) = (protocol for protocol in part.protocols if protocol.name == protocol_name(ours))
    return differences(ours, theirs, protocol)[measure]


def _reliabilities(outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[Row]:
    """Yield reliabilities by collection and system, then by class of document."""
    classes: dict[tuple[str, str], list[TopPhrases]] = {}
    for (data, name), outcome in outcomes.items():
        if outcome.shown is not None:
            classes.setdefault((collection(data).kind, name), []).append(outcome.shown)
            yield measure_reliability(data, name, outcome.shown)
    for (kind, name), parts in classes.items():
        yield measure_reliability(kind, name, pool_phrases(parts))


def pool_phrases(parts: Sequence[TopPhrases]) -> TopPhrases:
    """Return the phrases of several collections as one."""
    before = np.cumsum([0, *(len(np.unique(part.owner)) for part in parts)])
    owners = [np.unique(part.owner, return_inverse=True)[1] + start for part, start in zip(parts, before, strict=False)]
    return TopPhrases(
        np.concatenate([part.probabilities for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate(owners),
    )


STUDY: Final = Study("quality", rows, (Score, Difference, Reliability), sheets, plots, lines)
