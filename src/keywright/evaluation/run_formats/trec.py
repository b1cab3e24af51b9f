"""TREC runs: ``qid Q0 docno rank score tag``; here qid is the document's id and docno the phrase.

Blanks in ids and phrases are read: the line is cut at ``Q0`` from the left and by its last three columns from the
right, or at tabs where it has five. Lists are ordered by score, as TREC's programs do, ties by rank, then by line.
"""

import math
import re
from collections import defaultdict

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import Form, LoadedRun, Source, run_of, some

_LINE = re.compile(r"\s*(?P<id>\S.*?)\s+Q0\s+(?P<phrase>.+?)\s+(?P<rank>[+-]?\d+)\s+(?P<score>\S+)\s+(?P<tag>\S+)\s*")
_COLUMNS = 6
_EXPECTED = "expected lines such as: C-1 Q0 grid computing 1 0.83 mysystem"


def _recognise(source: Source) -> bool:
    lines = source.beginning()
    return bool(lines) and 2 * sum(bool(_columns(line)) for line in lines) > len(lines)


def _read(source: Source) -> LoadedRun:
    rows: dict[str, list[tuple[float, int, int, str]]] = defaultdict(list)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        columns = _columns(line)
        if columns is None:
            raise BadRecord(f"line {number} of {source.name} is no line of a TREC run: {line[:60]!r}", _EXPECTED)
        name, phrase, rank, score = columns
        rows[name].append((-_score(score, number, source.name), int(rank), number, phrase))
    lists, against = [], 0
    for name, given in rows.items():
        by_score = sorted(given)
        against += [row[1] for row in by_score] != sorted(row[1] for row in given)
        lists.append((name, tuple((phrase, -minus) for minus, _, _, phrase in by_score)))
    notes = some(against, "documents have ranks that contradict their scores; scores decided, as in TREC")
    return LoadedRun("trec", run_of(source, "trec", lists), notes)


def _columns(line: str) -> tuple[str, str, str, str] | None:
    """Id, phrase, rank and score; None where the line has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _COLUMNS and parts[1] == "Q0":
        matches = re.fullmatch(r"[+-]?\d+", parts[3])
        return (parts[0], parts[2], parts[3], parts[4]) if matches else None
    found = _LINE.fullmatch(line)
    return (found["id"], found["phrase"], found["rank"], found["score"]) if found else None


def _score(text: str, number: int, name: str) -> float:
    """A finite score."""
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        message = f"line {number} of {name}: score {text!r} is no finite number, so the phrase has no rank"
        raise BadRecord(message, _EXPECTED)
    return score


FORM = Form("trec", "TREC run: `id Q0 phrase rank score tag`", _recognise, _read)
