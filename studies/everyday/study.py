"""Systems on everyday texts, which nothing here was trained on, each text through the public reader."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright import api
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.evaluation.measures.counts import F
from keywright.experiments.study import Study, TableRow
from studies.tables import lay_out_rows, list_uniform_records

OPEN: Final = Path(__file__).parent / "open.jsonl"
HELD_OUT: Final = Path(__file__).parent / "held_out.jsonl"
PROTOCOL: Final = "keywright-1"
CUTOFFS: Final = (5, 10)  # lengths of lists: half, and all, of what people accept of such a text

SYSTEMS: Final = ("default", "counting", "kpminer", "tfidf", "topicrank", "singlerank", "yake")


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """One value of one system.

    Attributes:
        system: of the catalogue.
        kind: of the texts, such as ``recipe``; ``all`` for every kind.
        measure: such as ``F@10``.
        value: macro average over texts, 0 to 1.
    """

    system: str
    kind: str
    measure: str
    value: float


def rows(
    systems: Iterable[str] | None = None, *, progress: Progress | None = None, data: Path = OPEN
) -> tuple[Row, ...]:
    """Run and score every system on the texts.

    Raises:
        UnknownName: there is no system of a name.
    """
    chosen = tuple(systems or SYSTEMS)
    table: list[Row] = []
    for done, name in enumerate(chosen, 1):
        table += _rows(name, data)
        if progress:
            progress(done, len(chosen))
    return tuple(table)


def _rows(name: str, data: Path) -> Iterator[Row]:
    run = api.run(name, data, top=max(CUTOFFS))
    report = api.score(run, PROTOCOL, data, intervals=False)
    for cutoff in CUTOFFS:
        yield Row(name, "all", f"F@{cutoff}", report.values[f"author/macro-{F @ cutoff}"])
    by_kind: dict[str, list[float]] = {}
    for document in api.document_rows(report):
        if document.k == str(CUTOFFS[-1]):
            f = 2 * document.hits / (document.predicted + document.entries) if document.hits else 0.0
            by_kind.setdefault(document.id.partition("-")[0], []).append(f)
    for kind, values in by_kind.items():
        yield Row(name, kind, f"F@{CUTOFFS[-1]}", sum(values) / len(values))


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield one table: a line for each system, a column for each measure and kind."""
    columns = {}
    for kind, measure in dict.fromkeys((row.kind, row.measure) for row in rows):
        values = {row.system: row.value for row in rows if (row.kind, row.measure) == (kind, measure)}
        heading = measure if kind == "all" else kind
        columns[heading] = lambda name, values=values: f"{100 * values[name]:.1f}" if name in values else ""
    names = tuple(dict.fromkeys(row.system for row in rows))
    caption = "F@5 and F@10 on everyday texts, percent; the columns of kinds are F@10."
    yield lay_out_rows(caption, names, {"system": str, **columns}, ("system",))


STUDY: Final = Study("everyday", rows, (Row,), sheets, lines=list_uniform_records)
