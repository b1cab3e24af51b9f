"""Runs of one line for each phrase or document: TREC runs, and answer files of SemEval-2010 Task 5.

TREC: ``qid Q0 docno rank score tag``; here qid is the document's id and docno the phrase. Ids and phrases may contain
blanks: a line is split at ``Q0`` from the left and by its last three columns from the right, or at tabs if it has five.
Lists are ordered by score, as TREC's programs do, ties by rank, then by line.

SemEval-2010: ``id : stem,stem,...``. Phrases are stems already and are scored as they are.
"""

import re
from collections import defaultdict

from keywright.evaluation.formats.answers import parse_answers
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, finite, located, note, run_of

_LINE = re.compile(r"\s*(?P<id>\S.*?)\s+Q0\s+(?P<phrase>.+?)\s+(?P<rank>[+-]?\d+)\s+(?P<score>\S+)\s+(?P<tag>\S+)\s*")
_TREC_COLUMNS = 6  # as TREC defines the format
_TREC_EXPECTED = "lines such as: C-1 Q0 grid computing 1 0.83 mysystem"


def _holds_trec(source: Source) -> bool:
    lines = source.beginning()
    return bool(lines) and 2 * sum(bool(_trec_columns(line)) for line in lines) > len(lines)


def _read_trec(source: Source) -> LoadedRun:
    rows: dict[str, list[tuple[float, int, int, str]]] = defaultdict(list)
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip():
            continue
        with located(f"line {number} of {source.name}", _TREC_EXPECTED):
            if not (columns := _trec_columns(line)):
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


def _trec_columns(line: str) -> tuple[str, str, str, str] | None:
    """Split a line into id, phrase, rank and score; None where it has another form."""
    parts = [part.strip() for part in line.split("\t")]
    if len(parts) == _TREC_COLUMNS and parts[1] == "Q0":
        return (parts[0], parts[2], parts[3], parts[4]) if re.fullmatch(r"[+-]?\d+", parts[3]) else None
    match = _LINE.fullmatch(line)
    return match.group("id", "phrase", "rank", "score") if match else None  # type: ignore[return-value]


TREC = RunFormat("trec", "TREC run: `id Q0 phrase rank score tag`", _holds_trec, _read_trec)


_ANSWER_LINE = re.compile(r"\S+ :( |$)")


def _holds_answers(source: Source) -> bool:
    lines = source.beginning()
    return 2 * sum(bool(_ANSWER_LINE.match(line)) for line in lines) > len(lines)


def _read_answers(source: Source) -> LoadedRun:
    return LoadedRun("semeval", parse_answers(source.data, source.marks))


SEMEVAL = RunFormat("semeval", "answer lines of SemEval-2010: `id : stem,stem,...`", _holds_answers, _read_answers)
