"""Extracted keyphrases in files for other programs: CSV and TSV, Markdown and LaTeX."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from keywright.core.predictions import Failure, Prediction
from keywright.faces.cli.printing import printable
from keywright.faces.cli.results import Result, Writer, heading

if TYPE_CHECKING:
    from keywright.api import Table

COLUMNS = ("id", "rank", "keyphrase", "score", "probability", "present", "mentions")


def comma_separated(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of CSV, one for each keyphrase, below a header."""
    return _separated(writer, results, ",")


def tab_separated(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of a table with tabs, one for each keyphrase, below a header."""
    return _separated(writer, results, "\t")


def markdown(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in Markdown for each document."""
    from keywright import api  # noqa: PLC0415 - help does without

    for table in _tables(results):
        yield api.markdown(table) + "\n"


def latex(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in LaTeX for each document; needs the package booktabs."""
    from keywright import api  # noqa: PLC0415 - help does without

    for table in _tables(results):
        yield api.latex(table) + "\n"


def _separated(writer: Writer, results: Iterable[Result], separator: str) -> Iterator[str]:
    yield _line(COLUMNS, separator, terminal=writer.terminal)
    for _, outcome in results:
        for row in _rows(outcome):
            yield _line(row, separator, terminal=writer.terminal)


def _rows(outcome: Prediction | Failure) -> Iterator[tuple[Any, ...]]:
    """Yield one row per keyphrase; failures are printed on standard error only."""
    if isinstance(outcome, Failure):
        return
    for rank, keyphrase in enumerate(outcome.keyphrases, start=1):
        probability = "" if keyphrase.probability is None else keyphrase.probability
        present = "true" if keyphrase.present else "false"
        mentions = len(keyphrase.spans)
        yield outcome.document_id, rank, keyphrase.text, keyphrase.score, probability, present, mentions


def _tables(results: Iterable[Result]) -> "Iterator[Table]":
    """Yield a table for each document; failures are printed on standard error only."""
    from keywright import api  # noqa: PLC0415 - help does without

    for _, outcome in results:
        if isinstance(outcome, Failure):
            continue
        rows = []
        for rank, keyphrase in enumerate(outcome.keyphrases, start=1):
            probability = "" if keyphrase.probability is None else f"{keyphrase.probability:.2f}"
            texts = str(rank), keyphrase.text, f"{keyphrase.score:.4g}", probability, str(len(keyphrase.spans))
            rows.append(tuple(map(api.Cell, texts)))
        head = ("rank", "keyphrase", "score", "probability", "mentions")
        numbers = frozenset(range(len(head))) - {head.index("keyphrase")}
        yield api.Table(heading(outcome), head, tuple(rows), numbers)


def _line(row: Iterable[Any], separator: str, *, terminal: bool) -> str:
    """Return a line of a table with separators; for a terminal without control characters."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerow(row)
    return printable(text.getvalue()) if terminal else text.getvalue()
