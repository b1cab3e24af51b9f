"""Tables of phrases: CSV, also with semicolons or tabs, with a header that names the columns in any order.

Columns are ``id``, ``keyphrase`` and ``rank`` or ``score`` or both; others are ignored. Lists are ordered by rank, else
by score, else by line. A line with an id and an empty phrase means that the document has no keyphrases.
"""

import csv
import io
from collections.abc import Mapping
from typing import Final

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, finite, note, run_of

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "doc_id", "document_id", "document", "doc", "docno", "file"),
    "keyphrase": ("keyphrase", "phrase", "keyword", "term", "text"),
    "rank": ("rank", "position"),
    "score": ("score", "weight"),
}
"""Columns, with their accepted names in lower case."""

_EXPECTED = "expected a header with id, keyphrase and perhaps rank and score, in any order"


def _recognise(source: Source) -> bool:
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=delimiter_of(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return False
    return {"id", "keyphrase"} <= _places(names).keys()


def _read(source: Source) -> LoadedRun:
    text = source.text().lstrip("\n")
    first = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(first), strict=True)
    rows: dict[str, list[tuple[float, int, str, float]]] = {}
    empty = 0
    try:
        places = _places(next(lines, []))
        if not {"id", "keyphrase"} <= places.keys():
            raise ValueError(f"names no id or no keyphrase: {first[:60]!r}")  # noqa: TRY301 - one place adds the line
        for row in filter(None, lines):
            cells = _cells(row, places)
            rows.setdefault(cells["id"], [])
            if not cells["keyphrase"]:
                empty += 1
                continue
            score, rank = (finite(cells[name], name) if cells.get(name) else None for name in ("score", "rank"))
            order = rank if rank is not None else -score if score is not None else 0.0
            score = score if score is not None else -(rank or 0.0)
            rows[cells["id"]].append((order, lines.line_num, cells["keyphrase"], score))
    except (csv.Error, ValueError) as error:
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", _EXPECTED) from None
    doubled = sum(len({row[0] for row in ranks}) < len(ranks) for ranks in rows.values()) if "rank" in places else 0
    lists = [(name, tuple((phrase, score) for _, _, phrase, score in sorted(ranks))) for name, ranks in rows.items()]
    notes = note(empty, "lines have no keyphrase") + note(doubled, "documents have one rank twice; lines decided")
    return LoadedRun("csv", run_of(source, "csv", lists), notes)


def delimiter_of(header: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(",;\t", key=header.count)


def _places(header: list[str]) -> dict[str, int]:
    titles = [name.strip().casefold() for name in header]
    places = {column: [titles.index(name) for name in names if name in titles] for column, names in NAMES.items()}
    return {column: candidates[0] for column, candidates in places.items() if candidates}


def _cells(row: list[str], places: Mapping[str, int]) -> dict[str, str]:
    if len(row) <= max(places.values()):
        raise ValueError(f"{len(row)} columns, the header has more")
    return {column: row[place] if column == "id" else row[place].strip() for column, place in places.items()}


FORM = RunFormat("csv", "table with columns id, keyphrase, rank, score in any order", _recognise, _read)
