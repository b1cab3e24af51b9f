"""Runs of one line for each phrase or document: tables, TREC runs, and answer files of SemEval-2010 Task 5.

Tables are CSV, also with semicolons or tabs, with a header that names the columns in any order: ``id``, ``keyphrase``
and ``rank`` or ``score`` or both; others are ignored. Lists are ordered by rank, else by score, else by line. A line
with an id and an empty phrase means that the document has no keyphrases.

TREC: ``qid Q0 docno rank score tag``; here qid is the document's id and docno the phrase. Ids and phrases may contain
blanks: a line is split at ``Q0`` from the left and by its last three columns from the right, or at tabs if it has five.
Lists are ordered by score, as TREC's programs do, ties by rank, then by line.

SemEval-2010: ``id : stem,stem,...``. Phrases are stems already and are scored as they are.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from keywright.core.errors import BadRecord
from keywright.evaluation.answers import parse_answers
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    count_note,
    locate_errors,
    make_run,
    parse_finite,
)

COLUMN_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "doc_id", "document_id", "document", "doc", "docno", "file"),
    "keyphrase": ("keyphrase", "phrase", "keyword", "term", "text"),
    "rank": ("rank", "position"),
    "score": ("score", "weight"),
}
"""Columns, with their accepted names in lower case."""

_TABLE_EXPECTED = "expected a header with id, keyphrase and perhaps rank and score, in any order"


def _is_table(source: Source) -> bool:
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=find_delimiter(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return False
    return {"id", "keyphrase"} <= _find_columns(names).keys()


def _read_table(source: Source) -> LoadedRun:
    text = source.text().lstrip("\n")
    first = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=find_delimiter(first), strict=True)
    rows: dict[str, list[tuple[float, int, str, float]]] = {}
    empty = 0
    try:
        places = _find_columns(next(lines, []))
        if not {"id", "keyphrase"} <= places.keys():
            raise ValueError(f"names no id or no keyphrase: {first[:60]!r}")  # noqa: TRY301 - one place adds the line
        for row in filter(None, lines):
            cells = _read_cells(row, places)
            rows.setdefault(cells["id"], [])
            if not cells["keyphrase"]:
                empty += 1
                continue
            score, rank = (parse_finite(cells[name], name) if cells.get(name) else None for name in ("score", "rank"))
            order = rank if rank is not None else -score if score is not None else 0.0
            score = score if score is not None else -(rank or 0.0)
            rows[cells["id"]].append((order, lines.line_num, cells["keyphrase"], score))
    except (csv.Error, ValueError) as error:
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", _TABLE_EXPECTED) from None
    doubled = sum(len({row[0] for row in ranks}) < len(ranks) for ranks in rows.values()) if "rank" in places else 0
    lists = [(name, tuple((phrase, score) for _, _, phrase, score in sorted(ranks))) for name, ranks in rows.items()]
    notes = count_note(empty, "lines have no keyphrase") + count_note(
        doubled, "documents have one rank twice; lines decided"
    )
    return LoadedRun("csv", make_run(source, "csv", lists), notes)


def find_delimiter(header: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(",;\t", key=header.count)


def _find_columns(header: list[str]) -> dict[str, int]:
    titles = [name.strip().casefold() for name in header]
    places = {
        column: [titles.index(name) for name in names if name in titles] for column, names in COLUMN_NAMES.items()
    }
    return {column: candidates[0] for column, candidates in places.items() if candidates}


def _read_cells(row: list[str], places: Mapping[str, int]) -> dict[str, str]:
    if len(row) <= max(places.values()):
        raise ValueError(f"{len(row)} columns, the header has more")
    return {column: row[place] if column == "id" else row[place].strip() for column, place in places.items()}


TABLE = RunFormat("csv", "table with columns id, keyphrase, rank, score in any order", _is_table, _read_table)

_LINE = re.compile(r"\s*(?P<id>\S.*?)\s+Q0\s+(?P<phrase>.+?)\s+(?P<rank>[+-]?\d+)\s+(?P<score>\S+)\s+(?P<tag>\S+)\s*")
_TREC_COLUMNS = 6  # as TREC defines the format
_TREC_EXPECTED = "lines such as: C-1 Q0 grid computing 1 0.83 mysystem"


def _is_trec(source: Source) -> bool:
    lines = source.beginning()
    return bool(lines) and 2 * sum(bool(_split_trec(line)) for line in lines) > len(lines)


def _read_trec(source: Source) -> LoadedRun:
    rows: dict[str, list[tuple[float, int, int, str]]] = defaultdict(list)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        with locate_errors(f"line {number} of {source.name}", _TREC_EXPECTED):
            if not (columns := _split_trec(line)):
                raise ValueError(f"not a line of a TREC run: {line[:60]!r}")
            name, phrase, rank, score = columns
            rows[name].append((-parse_finite(score, "score"), int(rank), number, phrase))
    lists, contradictions = [], 0
    for name, by_line in rows.items():
        by_score = sorted(by_line)
        contradictions += [row[1] for row in by_score] != sorted(row[1] for row in by_line)
        lists.append((name, tuple((phrase, -minus) for minus, _, _, phrase in by_score)))
    notes = count_note(contradictions, "documents have ranks that contradict their scores; scores decided, as in TREC")
    return LoadedRun("trec", make_run(source, "trec", lists), notes)


def _split_trec(line: str) -> tuple[str, str, str, str] | None:
    """Split a line into id, phrase, rank and score; None where it has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _TREC_COLUMNS and parts[1] == "Q0":
        return (parts[0], parts[2], parts[3], parts[4]) if re.fullmatch(r"[+-]?\d+", parts[3]) else None
    match = _LINE.fullmatch(line)
    return match.group("id", "phrase", "rank", "score") if match else None  # type: ignore[return-value]


TREC = RunFormat("trec", "TREC run: `id Q0 phrase rank score tag`", _is_trec, _read_trec)


_ANSWER_LINE = re.compile(r"\S+ :( |$)")


def _is_answers(source: Source) -> bool:
    lines = source.beginning()
    return 2 * sum(bool(_ANSWER_LINE.match(line)) for line in lines) > len(lines)


def _read_answers(source: Source) -> LoadedRun:
    return LoadedRun("semeval", parse_answers(source.data, source.marks))


SEMEVAL = RunFormat("semeval", "answer lines of SemEval-2010: `id : stem,stem,...`", _is_answers, _read_answers)
