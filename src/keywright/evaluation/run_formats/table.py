"""Tables of phrases: CSV, also with semicolons or tabs, with a header that names the columns in any order.

Columns are ``id``, ``keyphrase`` and ``rank`` or ``score`` or both; others are passed over. Rank decides, else score,
else the order of lines. A line with an id and an empty phrase says that the document has no keyphrases.
"""

import csv
import io
import math
from collections.abc import Mapping
from typing import Final

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import Form, LoadedRun, Source, run_of, some

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "doc_id", "document_id", "document", "doc", "docno", "file"),
    "keyphrase": ("keyphrase", "phrase", "keyword", "term", "text"),
    "rank": ("rank", "position"),
    "score": ("score", "weight"),
}
"""Columns, with the names they may have, in small letters."""

_EXPECTED = "expected a header with id, keyphrase and perhaps rank and score, in any order"


def _recognise(source: Source) -> bool:
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=_delimiter(first[0])), []) if first else []
    except csv.Error:  # a line that no table begins with, such as one of a binary file
        return False
    return {"id", "keyphrase"} <= _places(names).keys()


def _read(source: Source) -> LoadedRun:
    text = source.text()
    first = text.lstrip("\n").partition("\n")[0]
    lines = csv.reader(io.StringIO(text.lstrip("\n"), newline=""), delimiter=_delimiter(first), strict=True)
    rows: dict[str, list[tuple[float, int, str, float]]] = {}
    empty = 0
    try:
        places = _places(next(lines, []))
        if not {"id", "keyphrase"} <= places.keys():
            raise BadRecord(f"the first line of {source.name} names no id or no keyphrase: {first[:60]!r}", _EXPECTED)
        for row in filter(None, lines):
            cells = _cells(row, places, f"line {lines.line_num} of {source.name}")
            kept = rows.setdefault(cells["id"], [])
            if not cells["keyphrase"]:
                empty += 1
                continue
            where = f"line {lines.line_num} of {source.name}"
            score = _number(cells.get("score"), "score", where)
            rank = _number(cells.get("rank"), "rank", where)
            order = rank if rank is not None else -score if score is not None else 0.0
            kept.append((order, lines.line_num, cells["keyphrase"], score if score is not None else -(rank or 0.0)))
    except csv.Error as error:
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", _EXPECTED) from None
    again = sum(len({row[0] for row in kept}) < len(kept) for kept in rows.values()) if "rank" in places else 0
    lists = [(name, tuple((phrase, score) for _, _, phrase, score in sorted(kept))) for name, kept in rows.items()]
    notes = some(empty, "lines have no keyphrase") + some(again, "documents have one rank twice; lines decided")
    return LoadedRun("csv", run_of(source, "csv", lists), notes)


def _delimiter(header: str) -> str:
    """What most often parts the names of the header."""
    return max(",;\t", key=header.count)


def _places(header: list[str]) -> dict[str, int]:
    """The number of each known column."""
    given = [name.strip().casefold() for name in header]
    found = {}
    for column, names in NAMES.items():
        known = [given.index(name) for name in names if name in given]
        if known:
            found[column] = known[0]
    return found


def _cells(row: list[str], places: Mapping[str, int], where: str) -> dict[str, str]:
    """Cells of a row by column."""
    if len(row) <= max(places.values()):
        raise BadRecord(f"{where} has {len(row)} columns, the header has more", _EXPECTED)
    return {column: row[place] if column == "id" else row[place].strip() for column, place in places.items()}


def _number(text: str | None, column: str, where: str) -> float | None:
    """A finite number; None where the cell is empty or there is no such column."""
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadRecord(f"{where}: {column} {text!r} is no finite number, so the phrase has no rank", _EXPECTED)
    return number


FORM = Form("csv", "table with columns id, keyphrase, rank, score in any order", _recognise, _read)
