"""TREC runs: ``qid Q0 docno rank score tag``; here qid is the document's id and docno the phrase.

Ids and phrases may contain blanks: a line is split at ``Q0`` from the left and by its last three columns from the
right, or at tabs if it has five. Lists are ordered by score, as TREC's programs do, ties by rank, then by line.
"""

import re
from collections import defaultdict

from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, finite, located, note, run_of

_LINE = re.compile(r"\s*(?P<id>\S.*?)\s+Q0\s+(?P<phrase>.+?)\s+(?P<rank>[+-]?\d+)\s+(?P<score>\S+)\s+(?P<tag>\S+)\s*")
_COLUMNS = 6  # as TREC defines the format
_EXPECTED = "lines such as: C-1 Q0 grid computing 1 0.83 mysystem"


def _recognise(source: Source) -> bool:
    lines = source.beginning()
    return bool(lines) and 2 * sum(bool(_columns(line)) for line in lines) > len(lines)


def _read(source: Source) -> LoadedRun:
    rows: dict[str, list[tuple[float, int, int, str]]] = defaultdict(list)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        with located(f"line {number} of {source.name}", _EXPECTED):
            if not (columns := _columns(line)):
                raise ValueError(f"not a line of a TREC run: {line[:60]!r}")
            name, phrase, rank, score = columns
            rows[name].append((-finite(score, "score"), int(rank), number, phrase))
    lists, contradictions = [], 0
    for name, by_line in rows.items():
        by_score = sorted(by_line)
        contradictions += [row[1] for row in by_score] != sorted(row[1] for row in by_line)
        lists.append((name, tuple((phrase, -minus) for minus, _, _, phrase in by_score)))
    notes = note(contradictions, "documents have ranks that contradict their scores; scores decided, as in TREC")
    return LoadedRun("trec", run_of(source, "trec", lists), notes)


def _columns(line: str) -> tuple[str, str, str, str] | None:
    """Split a line into id, phrase, rank and score; None where it has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _COLUMNS and parts[1] == "Q0":
        return (parts[0], parts[2], parts[3], parts[4]) if re.fullmatch(r"[+-]?\d+", parts[3]) else None
    match = _LINE.fullmatch(line)
    return match.group("id", "phrase", "rank", "score") if match else None  # type: ignore[return-value]


FORM = RunFormat("trec", "TREC run: `id Q0 phrase rank score tag`", _recognise, _read)
