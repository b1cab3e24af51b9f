"""Rows of the studies of the default, as tables and as a drawing of the curves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias, TypeVar

from keywright.core.pages import Table
from keywright.experiments.study import PERCENT, Plot, TableRow, lay_out_groups
from studies import plots
from studies.tables import group_rows, lay_out_rows

EVERYTHING: Final = "everything"  # the condition that all others are compared with
MISS: Final = "miss"
FALSE_ALARM: Final = "false alarm"


@dataclass(frozen=True, slots=True)
class Ablated(TableRow):
    """One value with something left out.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        documents: number of documents.
        gold: kind of gold.
        measure: such as ``F@15``.
        kind: of the change: ``everything`` for none, ``columns``, ``tables``, ``trees``, ``candidates``.
        condition: the part that was left out or replaced.
        value: 0 to 1.
        low, high: ends of 95 percent, from resampling documents: of the difference, or of the value itself in the row
            ``everything``.
        difference: to the value of ``everything``; 0 there.
    """

    collection: str
    documents: int
    gold: str
    measure: str
    kind: str
    condition: str
    value: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CurvePoint(TableRow):
    """One value after training on a number of documents.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        gold: kind of gold.
        measure: such as ``F@15``.
        learnt: training documents; for all of them, the mean over the folds.
        draws: number of samples of training documents.
        value: mean over the samples, 0 to 1.
        least, most: smallest and largest value of a sample.
        low, high: ends of 95 percent, from resampling held-out documents; means over the samples.
    """

    collection: str
    gold: str
    measure: str
    learnt: int
    draws: int
    value: float
    least: float
    most: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ErrorCount(TableRow):
    """The frequency of a property among errors.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        about: ``class`` (each error has one), ``trait`` (an error has any number) or ``group``: the columns that took
            most from a missed candidate's score, relative to the keyphrases that were shown.
        name: of the class, trait or group.
        number: of errors.
        share: of all errors of the side; for ``group``, of the errors that were on the shortlist.
        hits: share of the keyphrases shown that have the trait; None where that has no meaning.
    """

    collection: str
    side: str
    about: str
    name: str
    number: int
    share: float
    hits: float | None = None

    part: ClassVar[str] = "count"


@dataclass(frozen=True, slots=True)
class ErrorExample(TableRow):
    """One error.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        document: its id.
        phrase: as in the document; as in the gold where it is not among the candidates.
        name: its class.
        rank: of the phrase, from 1; None where it was not ranked.
        probability: that it is a keyphrase, from held-out scores; None where it was not ranked.
        group: of columns that took most from its score; None for false alarms and phrases without a rank.
    """

    collection: str
    side: str
    document: str
    phrase: str
    name: str
    rank: int | None
    probability: float | None
    group: str | None = None

    part: ClassVar[str] = "example"


ErrorRow: TypeAlias = ErrorCount | ErrorExample

_Row = TypeVar("_Row", Ablated, CurvePoint)

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
    """Yield a table for each collection: F in percent, and the difference to everything with its interval."""
    for collection, chosen in _by_collection(rows).items():
        caption = f"{collection}, {chosen[0].documents} documents: everything, and with one part left out or changed."
        heads = ("what", "which")
        yield _by_measure(caption, heads, chosen, lambda row: (_HEADINGS.get(row.kind, ""), row.condition), _difference)


def _difference(row: Ablated) -> str:
    """Return ``34.5 (32.1 to 36.9)`` for everything, ``33.9: -0.6 (-1.1 to -0.1)`` for the others."""
    numbers = (row.value, row.difference, row.low, row.high)
    value, difference, low, high = (round(PERCENT * number, 1) + 0.0 for number in numbers)  # + 0.0 makes 0 of -0
    if row.condition == EVERYTHING:
        return f"{value:.1f} ({low:.1f} to {high:.1f})"
    return f"{value:.1f}: {difference:+.1f} ({low:+.1f} to {high:+.1f})"


def curves(rows: Sequence[CurvePoint]) -> Iterator[Table]:
    """Yield a table for each collection, with a line for each number of documents."""
    for collection, chosen in _by_collection(rows).items():
        caption = f"{collection}: mean over the draws, the interval, and the draws' least and most."
        heads = ("documents", "draws")
        table = _by_measure(caption, heads, chosen, lambda row: (str(row.learnt), str(row.draws)), _point)
        yield Table(table.caption, table.head, table.rows, frozenset(range(len(table.head))))


def _point(row: CurvePoint) -> str:
    """Return ``31.2 (29.0 to 33.4), 30.8 to 31.5``."""
    numbers = (row.value, row.low, row.high, row.least, row.most)
    value, low, high, least, most = (PERCENT * number for number in numbers)
    return f"{value:.1f} ({low:.1f} to {high:.1f})" + (f", {least:.1f} to {most:.1f}" if row.draws > 1 else "")


def _by_collection(rows: Sequence[_Row]) -> dict[str, list[_Row]]:
    return {name: [row for row in rows if row.collection == name] for name in dict.fromkeys(r.collection for r in rows)}


def _by_measure(
    caption: str,
    heads: tuple[str, str],
    rows: Sequence[_Row],
    line: Callable[[_Row], tuple[str, ...]],
    text: Callable[[_Row], str],
) -> Table:
    """Return a table with a column for each gold and measure."""
    by_line = group_rows(rows, line, lambda row: f"{row.gold} {row.measure}")
    lines = {name: {column: text(row) for column, row in cells.items()} for name, cells in by_line.items()}
    return lay_out_groups(
        caption, heads, lines, tuple(dict.fromkeys(column for cells in lines.values() for column in cells))
    )


def errors(rows: Sequence[ErrorRow]) -> Iterator[Table]:
    """Yield for each collection and side the counts, then the listed errors."""
    for collection in dict.fromkeys(row.collection for row in rows):
        for side, named in _SIDES.items():
            here = [row for row in rows if (row.collection, row.side) == (collection, side)]
            for about, heading in _ABOUT.items():
                counts = [row for row in here if isinstance(row, ErrorCount) and row.about == about]
                if counts:
                    yield _counts(f"{collection}: {named} {heading}.", counts)
            if examples := [row for row in here if isinstance(row, ErrorExample)]:
                yield _examples(f"{collection}: {len(examples)} {named}.", examples)


def _counts(caption: str, rows: Sequence[ErrorCount]) -> Table:
    columns: dict[str, Callable[[ErrorCount], str]] = {
        "": lambda row: row.name,
        "number": lambda row: str(row.number),
        "%": lambda row: f"{PERCENT * row.share:.1f}",
    }
    if any(row.hits is not None for row in rows):
        columns["% of the keyphrases shown"] = lambda row: "" if row.hits is None else f"{PERCENT * row.hits:.1f}"
    return lay_out_rows(caption, rows, columns, words=("",))


def _examples(caption: str, rows: Sequence[ErrorExample]) -> Table:
    columns: dict[str, Callable[[ErrorExample], str]] = {
        "document": lambda row: row.document,
        "phrase": lambda row: row.phrase,
        "class": lambda row: row.name,
        "rank": lambda row: "" if row.rank is None else str(row.rank),
        "probability": lambda row: "" if row.probability is None else str(row.probability),
    }
    if any(row.group for row in rows):
        columns["least from"] = lambda row: row.group or ""
    return lay_out_rows(caption, rows, columns, words=("document", "phrase", "class", "least from"))


def curve_series(rows: Sequence[CurvePoint]) -> Iterator[tuple[str, tuple[tuple[int, float, float, float], ...]]]:
    """Yield for each collection and measure its name and the points: documents, value, low and high end."""
    for place in dict.fromkeys((row.collection, row.gold, row.measure) for row in rows):
        chosen = [row for row in rows if (row.collection, row.gold, row.measure) == place]
        points = tuple((row.learnt, row.value, row.low, row.high) for row in chosen)
        yield f"{place[0]}, {place[1]} {place[2]}", points


def curve_plot(rows: Sequence[CurvePoint]) -> Iterator[Plot]:
    """Draw the learning curves."""
    name, title = "learning-curve", "Learning curves"
    yield Plot(name, title, plots.curves(title, tuple(curve_series(rows)), name, "measure, 0 to 1"))
