"""JSON Lines: what several formats share, keywright's own runs, and the files of KPEval.

Runs of keywright have a header and one record per document. Records of KPEval, ``{"source", "target", "prediction"}``,
are predictions with their own texts and gold; lists are JSON lists, or strings with ``;`` between phrases. A record may
have an ``id``; else ids are line numbers.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.json_values import text
from keywright.core.records import read_run
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    gold,
    located,
    no_predictions,
    ranked,
    run_of,
)


def first_record(source: Source) -> Mapping[str, Any]:
    """Return the object on the first line; empty where there is none."""
    try:
        value = json.loads(next(iter(source.beginning(1)), ""))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def records(source: Source, expected: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line numbers and objects; blank lines are skipped."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        if not line.strip():
            continue
        with located(f"line {number} of {source.name} is not valid JSON", expected):
            value = json.loads(line)
        if not isinstance(value, dict):
            raise BadRecord(f"line {number} of {source.name} is not a JSON object", f"expected {expected}")
        yield number, value


def phrases(value: Any) -> tuple[str, ...]:
    """Parse phrases: a string separated by ``;``, a list of strings, or a list of lists of tokens; drop blank ones."""
    if not isinstance(value, str | list):
        raise TypeError(f"{value!r:.60} is not a list of phrases")
    pieces = value.split(";") if isinstance(value, str) else map(_joined, value)
    return tuple(filter(None, (piece.strip() for piece in pieces)))


def _joined(piece: Any) -> str:
    """Return a phrase from its text or its tokens."""
    if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
        return " ".join(piece)
    if not isinstance(piece, str):
        raise TypeError(f"{piece!r:.60} is not a phrase")
    return piece


_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")


def document_of(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
    return Document(name, text, sections)


def _holds_json(source: Source) -> bool:
    """Accept any JSON that no other format claims: the reader reports what is missing."""
    return any(line.lstrip().startswith("{") for line in source.beginning(1))


def _read_native(source: Source) -> LoadedRun:
    try:
        text = source.text()
    except BadRecord as error:
        raise BadRecord(error.message, "`keywright run SYSTEM DATASET -o RUN` writes one") from None
    # Only line feeds end lines: JSON strings may contain other line separators.
    return LoadedRun("keywright", read_run(text.split("\n"), source.name))


NATIVE = RunFormat("keywright", "JSON Lines of `keywright run`", _holds_json, _read_native)


_KPEVAL_EXPECTED = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'


def _holds_kpeval(source: Source) -> bool:
    keys = first_record(source).keys()
    return {"source", "target"} <= keys and bool({"prediction", "predictions"} & keys)


def _read_kpeval(source: Source) -> LoadedRun:
    lists, labelled, numbered = [], {}, True
    for number, record in records(source, _KPEVAL_EXPECTED):
        name = str(record.get("id", number))
        numbered = numbered and "id" not in record
        with located(f"line {number} of {source.name}", _KPEVAL_EXPECTED):
            document = document_of(name, text(record["source"], "source"))
            labelled[name] = gold(document, phrases(record["target"]))
            key = "predictions" if "predictions" in record and "prediction" not in record else "prediction"
            lists.append((name, ranked(phrases(record[key]))))
    run = run_of(source, "kpeval", lists)
    return LoadedRun("kpeval", run, no_predictions(run), numbered, tuple(labelled.values()))


KPEVAL = RunFormat("kpeval", "JSON Lines of KPEval: source, target, prediction", _holds_kpeval, _read_kpeval)
