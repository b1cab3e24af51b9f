"""JSON Lines: keywright's own runs, KPEval, and OpenNMT-kpg's ``.pred``.

Runs of keywright have a header and one record per document. Records of KPEval, ``{"source", "target", "prediction"}``,
are predictions with their own texts and gold; lists are JSON lists, or strings with ``;`` between phrases. A record may
have an ``id``; else ids are line numbers, as in ``.pred``, whose lines are in the gold's order.
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
    PhraseLists,
    RunFormat,
    Source,
    label_document,
    load_lists,
    locate_errors,
    rank_phrases,
)

_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")
_KPEVAL_EXPECTED: Final = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'
_OPENNMT_EXPECTED: Final = 'a list "pred_sents" or "preds" on each line'


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
    if isinstance(piece, list) and all(isinstance(token, str) for token in piece):
        return " ".join(piece)
    if not isinstance(piece, str):
        raise TypeError(f"{piece!r:.60} is not a phrase")
    return piece


def split_title(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
    return Document(name, text, sections)


def _read_native(source: Source) -> LoadedRun:
    try:
        text = source.text()
    except BadRecord as error:
        raise BadRecord(error.message, "`keywright run SYSTEM DATASET -o RUN` writes one") from None
    # Only line feeds end lines: JSON strings may contain other line separators.
    return LoadedRun("keywright", read_run(text.split("\n"), source.name))


def check_native(source: Source) -> None:
    """Refuse JSON Lines that are not a run of keywright, with the fields that they have."""
    fields = source.first_record.keys()
    if fields and "system" not in fields:
        hint = "say which one holds the phrases: --phrases-field NAME, and perhaps --id-field NAME"
        names = ", ".join(map(repr, fields))
        raise BadRecord(f"{source.name} is JSON with the fields {names}, which no format has", hint)


def _is_kpeval(source: Source) -> bool:
    keys = source.first_record.keys()
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
    return load_lists(source, "kpeval", lists, numbered=numbered, labelled=labelled.values())


def _read_opennmt(source: Source) -> LoadedRun:
    lists = []
    for count, (number, record) in enumerate(iterate_records(source, _OPENNMT_EXPECTED), start=1):
        with locate_errors(f"line {number} of {source.name}", _OPENNMT_EXPECTED):
            predicted = parse_phrases(record.get("pred_sents") or record.get("preds") or [])
        lists.append((str(count), rank_phrases(phrase for phrase in predicted if phrase != PRESENT_END)))
    return load_lists(source, "opennmt", lists, numbered=True)


NATIVE: Final = RunFormat("keywright", lambda source: source.start[0] == b"{", _read_native)
"""Any JSON that no other format claims: the reader reports what is missing."""

KPEVAL: Final = RunFormat(
    "kpeval", _is_kpeval, _read_kpeval, lambda source: PhraseLists("kpeval", _read_kpeval(source).labelled)
)

OPENNMT: Final = RunFormat(
    "opennmt", lambda source: not {"pred_sents", "preds"}.isdisjoint(source.first_record), _read_opennmt
)
