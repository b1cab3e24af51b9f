"""JSON Lines: keywright's own runs, KPEval, OpenNMT-kpg's ``.pred``; and the text lines of keyphrase generators.

Runs of keywright have a header and one record per document. Records of KPEval, ``{"source", "target", "prediction"}``,
are predictions with their own texts and gold; lists are JSON lists, or strings with ``;`` between phrases. A record may
have an ``id``; else ids are line numbers.

Text has one document per line and ``;`` between phrases, as OpenNMT-kpg's exports, kg_one2set and the scripts of Chan
and others write it. Neither it nor ``.pred`` has ids: line numbers are matched with the gold's order. A mark ``<peos>``
between present and absent phrases is dropped.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_text
from keywright.core.records import read_run
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    count_note,
    label_document,
    locate_errors,
    make_run,
    note_empty_lists,
    rank_phrases,
)


def first_record(source: Source) -> Mapping[str, Any]:
    """Return the object on the first line; empty where there is none."""
    try:
        value = json.loads(next(iter(source.beginning(1)), ""))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def iterate_records(source: Source, expected: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line numbers and objects; blank lines are skipped."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        if not line.strip():
            continue
        with locate_errors(f"line {number} of {source.name} is not valid JSON", expected):
            value = json.loads(line)
        if not isinstance(value, dict):
            raise BadRecord(f"line {number} of {source.name} is not a JSON object", f"expected {expected}")
        yield number, value


def parse_phrases(value: Any) -> tuple[str, ...]:
    """Parse phrases: a string separated by ``;``, a list of strings, or a list of lists of tokens; drop blank ones."""
    if not isinstance(value, str | list):
        raise TypeError(f"{value!r:.60} is not a list of phrases")
    pieces = value.split(";") if isinstance(value, str) else map(_join_tokens, value)
    return tuple(filter(None, (piece.strip() for piece in pieces)))


def _join_tokens(piece: Any) -> str:
    """Return a phrase from its text or its tokens."""
    if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
        return " ".join(piece)
    if not isinstance(piece, str):
        raise TypeError(f"{piece!r:.60} is not a phrase")
    return piece


_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")


def split_title(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
    return Document(name, text, sections)


def _is_json_lines(source: Source) -> bool:
    """Accept any JSON that no other format claims: the reader reports what is missing."""
    return any(line.lstrip().startswith("{") for line in source.beginning(1))


def _read_native(source: Source) -> LoadedRun:
    try:
        text = source.text()
    except BadRecord as error:
        raise BadRecord(error.message, "`keywright run SYSTEM DATASET -o RUN` writes one") from None
    # Only line feeds end lines: JSON strings may contain other line separators.
    return LoadedRun("keywright", read_run(text.split("\n"), source.name))


NATIVE = RunFormat("keywright", "JSON Lines of `keywright run`", _is_json_lines, _read_native)


_KPEVAL_EXPECTED = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'


def _is_kpeval(source: Source) -> bool:
    keys = first_record(source).keys()
    return {"source", "target"} <= keys and bool({"prediction", "predictions"} & keys)


def _read_kpeval(source: Source) -> LoadedRun:
    lists, labelled, numbered = [], {}, True
    for number, record in iterate_records(source, _KPEVAL_EXPECTED):
        name = str(record.get("id", number))
        numbered = numbered and "id" not in record
        with locate_errors(f"line {number} of {source.name}", _KPEVAL_EXPECTED):
            document = split_title(name, check_text(record["source"], "source"))
            labelled[name] = label_document(document, parse_phrases(record["target"]))
            key = "predictions" if "predictions" in record and "prediction" not in record else "prediction"
            lists.append((name, rank_phrases(parse_phrases(record[key]))))
    run = make_run(source, "kpeval", lists)
    return LoadedRun("kpeval", run, note_empty_lists(run), numbered, tuple(labelled.values()))


KPEVAL = RunFormat("kpeval", "JSON Lines of KPEval: source, target, prediction", _is_kpeval, _read_kpeval)

_OPENNMT_EXPECTED = 'a list "pred_sents" or "preds" on each line'


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
    return LoadedRun("kpg", make_run(source, "kpg", lists), notes, numbered=True)


def _is_opennmt(source: Source) -> bool:
    return bool({"pred_sents", "preds"} & first_record(source).keys())


def _read_opennmt(source: Source) -> LoadedRun:
    lists = []
    for count, (number, record) in enumerate(iterate_records(source, _OPENNMT_EXPECTED), start=1):
        with locate_errors(f"line {number} of {source.name}", _OPENNMT_EXPECTED):
            predicted = parse_phrases(record.get("pred_sents") or record.get("preds") or [])
        lists.append((str(count), rank_phrases(phrase for phrase in predicted if phrase != PRESENT_END)))
    run = make_run(source, "opennmt", lists)
    return LoadedRun("opennmt", run, note_empty_lists(run), numbered=True)


_TEXT_LINES = "text of keyphrase generators: a document a line, `;` between phrases"
TEXT = RunFormat("kpg", _TEXT_LINES, _is_text, _read_text)
OPENNMT = RunFormat("opennmt", "JSON Lines of OpenNMT-kpg: `pred_sents`", _is_opennmt, _read_opennmt)
