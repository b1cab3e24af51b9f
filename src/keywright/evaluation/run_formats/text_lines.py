"""Runs of one line for each phrase or document: tables, TREC runs, SemEval-2010's answers, text of generators.

Tables are CSV, also with semicolons or tabs, with a header that names the columns in any order: ``id``, ``keyphrase``
and ``rank`` or ``score`` or both; others are ignored. Lists are ordered by rank, else by score, else by line. A line
with an id and an empty phrase means that the document has no keyphrases.

TREC: ``qid Q0 docno rank score tag``; here qid is the document's id and docno the phrase. Ids and phrases may contain
blanks: a line is split at ``Q0`` from the left and by its last three columns from the right, or at tabs if it has five.
Lists are ordered by score, as TREC's programs do, ties by rank, then by line.

SemEval-2010: ``id : stem,stem,...``. Phrases are stems already and are scored as they are.

Generators: one document per line, ``;`` between phrases, as OpenNMT-kpg's exports, kg_one2set and the scripts of Chan
and others write it. There are no ids: line numbers are matched with the gold's order. A mark ``<peos>`` between present
and absent phrases is dropped.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from keywright.core.errors import BadRecord
from keywright.evaluation.answers import parse_answers
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    count_note,
    load_lists,
    locate_errors,
    parse_finite,
    rank_phrases,
    read_as_gold,
)
from keywright.evaluation.run_formats.json_lines import parse_phrases

COLUMN_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "doc_id", "document_id", "document", "doc", "docno", "file"),
    "keyphrase": ("keyphrase", "phrase", "keyword", "term", "text"),
    "rank": ("rank", "position"),
    "score": ("score", "weight"),
}
"""Columns of tables, with their accepted names in lower case."""
_TABLE_EXPECTED: Final = "expected a header with id, keyphrase and perhaps rank and score, in any order"
_TREC_EXPECTED: Final = "lines such as: C-1 Q0 grid computing 1 0.83 mysystem"
_TREC_COLUMNS: Final = 6  # as TREC defines the format
_TREC_LINE: Final = re.compile(r"\s*(\S.*?)\s+Q0\s+(.+?)\s+([+-]?\d+)\s+(\S+)\s+\S+\s*")
_ANSWER_LINE: Final = re.compile(r"\S+ :( |$)")


def read_header(source: Source) -> list[str]:
    """Return the columns of a table's header; empty where the first line is none."""
    first = source.beginning(1)
    try:
        names = next(csv.reader(first, delimiter=find_delimiter(first[0])), []) if first else []
    except csv.Error:  # not the first line of a table, such as one of a binary file
        return []
    return [name.strip() for name in names]


def find_delimiter(header: str) -> str:
    """Return the separator that occurs most often in the header."""
    return max(",;\t", key=header.count)


def _find_columns(header: list[str]) -> dict[str, int]:
    """Return the position of each column that is there."""
    titles = [name.strip().casefold() for name in header]
    accepted = {column: [name for name in names if name in titles] for column, names in COLUMN_NAMES.items()}
    return {column: titles.index(names[0]) for column, names in accepted.items() if names}


def _read_table(source: Source) -> LoadedRun:
    text = source.text().lstrip("\n")
    first = text.partition("\n")[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=find_delimiter(first), strict=True)
    rows: dict[str, list[tuple[float, int, str, float]]] = {}
    empty = 0
    try:
        columns = _find_columns(next(lines, []))
        if not {"id", "keyphrase"} <= columns.keys():
            raise ValueError(f"names no id or no keyphrase: {first[:60]!r}")  # noqa: TRY301 - one place adds the line
        for row in filter(None, lines):
            if len(row) <= max(columns.values()):
                raise ValueError(f"{len(row)} columns, the header has more")  # noqa: TRY301 - as above
            cells = {column: row[index].strip() for column, index in columns.items()}
            phrases = rows.setdefault(row[columns["id"]], [])
            if not cells["keyphrase"]:
                empty += 1
                continue
            score, rank = (parse_finite(cells[name], name) if cells.get(name) else None for name in ("score", "rank"))
            order = rank if rank is not None else -score if score is not None else 0.0
            phrases.append((order, lines.line_num, cells["keyphrase"], -(rank or 0.0) if score is None else score))
    except (csv.Error, ValueError) as error:
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", _TABLE_EXPECTED) from None
    doubled = "rank" in columns and sum(len({row[0] for row in ranks}) < len(ranks) for ranks in rows.values())
    lists = [(name, tuple((phrase, score) for _, _, phrase, score in sorted(ranks))) for name, ranks in rows.items()]
    notes = count_note(empty, "lines have no keyphrase")
    return load_lists(source, "csv", lists, notes + count_note(doubled, "documents have one rank twice; lines decided"))


def _split_trec(line: str) -> tuple[str, ...]:
    """Split a line into id, phrase, rank and score; empty where it has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _TREC_COLUMNS and parts[1] == "Q0":
        return (parts[0], *parts[2:5]) if re.fullmatch(r"[+-]?\d+", parts[3]) else ()
    match = _TREC_LINE.fullmatch(line)
    return match.groups() if match else ()


def _is_trec(source: Source) -> bool:
    lines = source.beginning()
    return 2 * sum(bool(_split_trec(line)) for line in lines) > len(lines)


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
    return load_lists(source, "trec", lists, notes)


def _is_answers(source: Source) -> bool:
    lines = source.beginning()
    return 2 * sum(bool(_ANSWER_LINE.match(line)) for line in lines) > len(lines)


def _is_text(source: Source) -> bool:
    lines = source.beginning()
    return any(";" in line for line in lines) and not any("\0" in line or "\ufffd" in line for line in lines)


def _read_text(source: Source) -> LoadedRun:
    lists, empty, marks = [], 0, 0
    for number, line in enumerate(source.lines(), start=1):
        pieces = parse_phrases(line.replace(PRESENT_END, f";{PRESENT_END};"))
        predicted = [piece for piece in pieces if piece != PRESENT_END]
        marks += PRESENT_END in pieces
        empty += not predicted
        lists.append((str(number), rank_phrases(predicted)))
    notes = count_note(empty, "lines are empty: no predictions")
    notes += count_note(marks, f"lines have a mark {PRESENT_END}, it was dropped")
    return load_lists(source, "kpg", lists, notes, numbered=True)


TABLE: Final = RunFormat(
    "csv",
    lambda source: {"id", "keyphrase"} <= _find_columns(read_header(source)).keys(),
    _read_table,
    read_as_gold(_read_table),
)
TREC: Final = RunFormat("trec", _is_trec, _read_trec)
SEMEVAL: Final = RunFormat(
    "semeval", _is_answers, lambda source: LoadedRun("semeval", parse_answers(source.data, source.marks))
)
TEXT: Final = RunFormat("kpg", _is_text, _read_text, read_as_gold(_read_text))
