"""A computed table as one value: what makes its rows, and how they are laid out."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from keywright.core.errors import BadParameter
from keywright.core.interfaces import Progress
from keywright.execution.engines import engine
from keywright.experiments.rows import Row, TableRow, read_rows
from keywright.presentation.table import Table


class Plot(NamedTuple):
    """A drawing of rows.

    Attributes:
        name: of its file, without ending.
        heading: above it on a page; none where it is empty.
    """

    name: str
    title: str
    svg: str
    heading: str = ""


def no_plots(_: Sequence[Any]) -> Iterable[Plot]:
    """Return nothing: the rows are not drawn."""
    return ()


@dataclass(frozen=True, slots=True)
class Study:
    """A computed table.

    Attributes:
        rows: computes the rows; ``systems``, ``progress``, ``find`` and ``jobs`` are passed where it takes them.
        kinds: types of the rows.
        tables: lays rows out for people, and is passed ``find`` where it takes it; None for one line per row.
        lines: plain records for CSV; None for the columns that published tables share.
        ablations: computes what each open option is worth; None where nothing can be left out.
    """

    name: str
    rows: Callable[..., tuple[Any, ...]]
    kinds: tuple[type[TableRow], ...] = (Row,)
    tables: Callable[..., Iterable[Table]] | None = None
    plots: Callable[[Sequence[Any]], Iterable[Plot]] = no_plots
    lines: Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]] | None = None
    ablations: Callable[..., tuple[Any, ...]] | None = None

    def read(self, records: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
        """Return the rows of stored records."""
        return read_rows(self.kinds, records)


def study_of(name: str, entry: Any) -> Study:
    """Return a catalogue entry as a study; other packages may register a function that makes rows."""
    return entry if isinstance(entry, Study) else Study(name, entry)


def make_table(
    study: Study,
    systems: Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
    find: Callable[[str], Any] | None = None,
    jobs: int | None = None,
) -> tuple[Any, ...]:
    """Compute the rows of a table.

    The rows are those of some systems, or what each open option is worth (``ablate``). ``find`` gives a system's class
    by its name, for tables that take any system.
    """
    rows = study.ablations if ablate else study.rows
    if rows is None:
        raise BadParameter("this table has no ablations", "leave --ablate out")
    if systems and "systems" not in inspect.signature(rows).parameters:
        raise BadParameter("this table has no systems to choose from", "leave --systems out")
    table: tuple[Any, ...] = call_with(rows, systems=systems, progress=progress, find=find, jobs=jobs)
    return table


def call_with(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function with those of the options that it takes."""
    takes = inspect.signature(function).parameters
    return function(*arguments, **{name: value for name, value in options.items() if name in takes})


Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")


def run_units(
    work: Callable[[Unit], Outcome], units: Sequence[Unit], progress: Progress | None = None, jobs: int | None = None
) -> Iterator[tuple[Unit, Outcome]]:
    """Yield each unit with its outcome, in order.

    Work and units must pickle where ``jobs`` is more than one; None is this process alone.
    """
    outcomes = engine(jobs=jobs, chunk=1).map(work, units)
    for done, pair in enumerate(zip(units, outcomes, strict=True), 1):
        yield pair
        if progress:
            progress(done, len(units))
