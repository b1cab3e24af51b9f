"""Files with one row for each document, as generators and pipelines of Hugging Face data sets write them.

Rows are JSON Lines, a JSON array, or a table in CSV. Phrases are a list, or a text with a separator: named by the
caller, or recognised over all texts of a file, and refused where two would do. Notes say how a file was read.
"""

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats import format as frame
from keywright.evaluation.run_formats import in_memory
from keywright.evaluation.run_formats.files import find_delimiter, iterate_records, read_header, split_title
from keywright.evaluation.run_formats.format import LoadedRun, PhraseLists, RunFormat, Source
from keywright.evaluation.run_formats.in_memory import (
    ANSWERS,
    IDS,
    MORE_IDS,
    PHRASE_LISTS,
    PHRASES,
    Fields,
    from_sequence,
)
from keywright.reading.model_lists import has_marks, is_bullet, parse_model_list

_EXPECTED: Final = 'one object for each document, such as {"id": "a", "keyphrases": ["grid computing", "tides"]}'
_PREDICTED: Final = ("predictions", "prediction", *PHRASE_LISTS)  # fields of predictions beside the gold of a data set
_ENVELOPES: Final = ("body", "message", "choices", "content", "text", "generated_text", "output")
"""Keys on the way to the text of an answer, as OpenAI's, Anthropic's and Hugging Face's addresses send it."""
_TEXTS: Final = frozenset({"text", "title", "abstract", "sections"})
_COMMA: Final = ","
_IO_FIELDS: Final = "input, label and output"
_SEPARATORS: Final = ("<sep>", "[SEP]", ";", "|", "\t", "\n", _COMMA)
_LITERAL: Final = re.compile(r"\s*\[.*\]\s*", re.DOTALL)


def split_texts(
    texts: Sequence[str], separator: str | None, where: str, places: Sequence[str] = ()
) -> tuple[list[tuple[str, ...]], str]:
    """Split the texts of a file into phrases, and say how: ``phrases separated by ';'``; empty if none is split.

    Without a separator, the only one in the file is taken, or the one beside commas that every divided text has. Texts
    that look like lists of Python or JSON, as tables write columns of lists, are read as such; where any is an answer
    of a language model, all are. Raises BadRecord: several separators are possible, or a list is broken; ``where``
    names the file, and ``places`` the texts.
    """
    filled = [text for text in texts if text.strip()]
    if separator is None and filled and all(map(_LITERAL.fullmatch, filled)):
        return [_parse_literal(text, where) for text in texts], "phrases in lists of Python or JSON"
    if separator is None and places and any(map(has_marks, filled)):
        return _parse_answers(texts, places)
    separator = _find_separator(filled, where) if separator is None else separator
    pieces = [text.split(separator) if separator else [text] for text in texts]
    how = f"phrases separated by {separator!r}" if separator else ""
    return [tuple(filter(None, map(str.strip, split))) for split in pieces], how


def _parse_answers(texts: Sequence[str], places: Sequence[str]) -> tuple[list[tuple[str, ...]], str]:
    """Parse answers of a language model; those that are not lists are empty, but one of them must be a list."""
    answers = [parse_model_list(text) for text in texts]
    # "None" and the like are short; a longer text without a phrase is a refusal or prose.
    bad = [
        place
        for text, answer, place in zip(texts, answers, places, strict=True)
        if text.split()[2:] and not answer.phrases
    ]
    if len(bad) == len(texts):
        hint = "expected phrases that are numbered, bulleted, one per line, between commas, or in JSON"
        raise BadRecord(f"{bad[0]} has {texts[0]!r:.80}, which is not a list of phrases", hint)
    note = "phrases in lists as language models write them"
    if dropped := sum(answer.dropped for answer in answers):
        note += f"; {dropped} items are not phrases and left out"
    if bad:
        note += f"; {len(bad)} answers are not lists and count as empty, such as {bad[0]}"
    return [answer.phrases for answer in answers], note


def _find_separator(texts: Sequence[str], where: str) -> str:
    """Return the only separator that all texts with any have; empty where no text has one."""
    stripped = [text.strip() for text in texts]
    present = [mark for mark in _SEPARATORS if any(mark in text for text in stripped)]
    if not present:
        return ""
    divided = [text for text in stripped if any(mark in text for mark in present)]
    # A comma may be part of a phrase, so that beside another separator it is none, unless texts have it alone.
    others = [mark for mark in present if mark != _COMMA] or present
    if len(others) == 1 and all(others[0] in text for text in divided):
        return others[0]
    message = f"{where}: phrases may be separated by {' or '.join(map(repr, present))}, as in {divided[0]!r:.80}"
    raise BadRecord(message, f"say by which: --separator {present[0]!r}, in Python separator={present[0]!r}")


def _parse_literal(text: str, where: str) -> tuple[str, ...]:
    if not text.strip():
        return ()
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadRecord(f"{where}: {text!r:.80} is not a list of phrases", "expected such as ['grid', 'tides']")
    return tuple(filter(None, map(str.strip, value)))


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a file."""

    source: Source
    kind: str  # ``JSON Lines``, ``JSON`` or ``CSV``
    rows: tuple[in_memory.Row, ...]  # the place of each, for messages, and its fields
    names: tuple[str, ...]  # all fields, in the order of their first occurrence

    def field(self, name: str) -> str:
        """Return a field that the caller named. Raises BadRecord: no row has it; the hint has the nearest."""
        if name not in self.names:
            raise in_memory.missing_name_error(name, self.names, self.source.name, "field")
        return name

    def lists(
        self,
        form: str,
        value: Callable[[Fields], Any],
        document: Callable[[str, Fields], Document] = lambda name, _: Document(name, ""),
        what: str = "",
    ) -> PhraseLists:
        """Return phrases by document, with a note on how the file was read; rows of a table may share an id.

        ``value`` returns the phrases of a row, a list or a text; ``document``: see ``collect_rows``; ``what``: meaning
        of the fields, for the note.
        """
        layout, name = self.source.layout, self.source.name
        by_id = self.field(layout.id_field) if layout.id_field else in_memory.choose_id(self.names)
        values = [value(fields) for _, fields in self.rows]
        texts = {
            f"{place} of {name}": item
            for (place, _), item in zip(self.rows, values, strict=True)
            if isinstance(item, str)
        }
        pieces, how = split_texts(list(texts.values()), layout.between, name, list(texts))
        parts = iter([[piece for piece in split if piece != PRESENT_END] for split in pieces])
        lists = in_memory.collect_rows(
            form,
            [(f"{place} of {name}", fields) for place, fields in self.rows],
            [next(parts) if isinstance(item, str) else () if in_memory.is_missing(item) else item for item in values],
            by_id,
            document,
            joined=self.kind == "CSV" and layout.phrases_field is not None,
        )
        fields = {
            "io": _IO_FIELDS,
            "huggingface": "the fields of Hugging Face data sets",
            "fields": f"phrases in {layout.phrases_field!r}",
        }.get(form, "keyphrases" if lists.numbered else "an id and keyphrases")
        note = f"{name} was read as {self.kind} with {', '.join(filter(None, (fields, what, how)))}"
        return replace(lists, notes=(note, *lists.notes))


def read_rows(source: Source) -> Rows:
    """Read the rows of a file; raises ``BadRecord`` for neither JSON nor a table, or with the place of a broken row."""
    rows: Iterable[in_memory.Row]
    match source.start[0]:
        case b"{":
            kind = "JSON Lines"
            rows = ((f"line {number}", record) for number, record in iterate_records(source, _EXPECTED))
        case b"[":
            kind = "JSON"
            rows = ((f"item {number}", item) for number, item in enumerate(_read_array(source), start=1))
        case _:
            kind, rows = "CSV", _read_table_rows(source)
    listed = tuple(rows)
    for place, fields in listed:
        if not isinstance(fields, dict):
            raise BadRecord(f"{place} is {fields!r:.60}, not an object", f"expected {_EXPECTED}")
    return Rows(source, kind, listed, tuple(dict.fromkeys(name for _, fields in listed for name in fields)))


def _read_array(source: Source) -> Sequence[Any]:
    with frame.locate_errors(f"{source.name} is not valid JSON", '[["grid computing", "tides"], …]'):
        items = json.loads(source.text())
        if not isinstance(items, list):
            raise TypeError(f"expected a list, found {items!r:.60}")
    return items


def _read_table_rows(source: Source) -> Iterator[tuple[str, Fields]]:
    text = source.text().lstrip("\n")
    delimiter = find_delimiter(text.partition("\n")[0])
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in lines:
            if None in cells or None in cells.values():
                raise ValueError(f"it has another number of cells than the header: {list(cells.values())!r:.80}")  # noqa: TRY301 - one place adds the line
            yield f"line {lines.line_num}", {name.strip(): cell for name, cell in cells.items()}
    except (csv.Error, ValueError) as error:
        hint = 'quote cells with the separator of columns in them, such as "grid, computing"'
        raise BadRecord(f"line {lines.line_num} of {source.name}: {error}", hint) from None


def _first_fields(source: Source) -> Collection[str]:
    """Return the fields of the first row, to recognise a format; empty for anything else."""
    match source.start:
        case b"{", _:
            return source.first_record.keys()
        case b"[", second:
            return read_rows(source).names if second == b"{" else ()
    return read_header(source)


def _read_io(source: Source) -> LoadedRun:
    rows = read_rows(source)
    lists, labels = rows.lists("io", lambda fields: fields.get("output")), _label_io(rows)
    how = labels.notes[0].partition(f"{_IO_FIELDS}, ")[2]
    odd = [how] if how and not lists.notes[0].endswith(how) else []
    odd += [note for note in labels.notes[1:] if note not in lists.notes]
    return replace(lists, notes=(*lists.notes, *(f"label: {note}" for note in odd))).as_run(labels.labelled)


def _label_io(rows: Rows) -> PhraseLists:
    def document(name: str, fields: Fields) -> Document:
        return split_title(name, in_memory.join_tokens(fields.get("input")))

    return rows.lists("io", lambda fields: fields.get("label"), document)


def _read_huggingface(source: Source) -> LoadedRun:
    rows = read_rows(source)
    name = in_memory.choose_name(rows.names, _PREDICTED)
    if name is None:
        return _label_huggingface(rows, "whose keyphrases are the predictions").as_run()
    what = f"predictions in {name!r} and gold in the others"
    lists = rows.lists("huggingface", lambda fields: fields.get(name), what=what)
    return lists.as_run(_label_huggingface(rows).labelled)


def _label_huggingface(rows: Rows, what: str = "") -> PhraseLists:
    def document(name: str, fields: Fields) -> Document:
        return Document(name, in_memory.join_tokens(fields.get("document")))

    return rows.lists("huggingface", in_memory.collect_phrases, document, what)


def _is_records(source: Source) -> bool:
    fields = {name.strip().casefold() for name in _first_fields(source)}
    if source.start[0] not in (b"{", b"[") and not fields & {*IDS, *MORE_IDS}:
        return False  # the first line of a text may look like the header of a table
    return bool(fields & {*PHRASE_LISTS, *ANSWERS}) and not fields & {*PHRASES, "analyser"}


def _read_records(source: Source) -> LoadedRun:
    rows = read_rows(source)
    name = source.layout.phrases_field
    lists = PHRASE_LISTS if in_memory.choose_name(rows.names, PHRASE_LISTS) else ANSWERS
    field = rows.field(name) if name else in_memory.require_name(rows.names, lists, source.name, "field")
    return rows.lists("fields" if name else "records", lambda fields: _find_answer(fields.get(field))).as_run()


def _find_answer(value: Any) -> Any:
    """Return the text in the envelope of an address that serves a model, such as in results of a batch; else unchanged.

    A failed request has no text, and is an empty answer.
    """
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        is_sample = has_marks(value[0]) and not is_bullet(value[0])  # a list may hold the answers to one question
        return value[0] if is_sample else value
    if isinstance(value, list) and value and isinstance(value[0], dict):
        keys = value[0].keys()
        value = value[0] if keys & set(_ENVELOPES) and not keys & {"keyphrase", "phrase"} else value
    if isinstance(value, dict):
        return _find_answer(next((value[name] for name in _ENVELOPES if value.get(name) is not None), None))
    return value


def _read_gold_records(source: Source) -> PhraseLists | None:
    """Read gold; labelled JSON Lines with texts are left to data sets."""
    if _TEXTS & set(_first_fields(source)) and source.data.lstrip().startswith(b"{"):
        return None
    rows = read_rows(source)
    field = in_memory.choose_name(rows.names, PHRASE_LISTS)
    return None if field is None else rows.lists("records", lambda fields: fields.get(field), in_memory.make_document)


def _read_lines(source: Source) -> LoadedRun:
    pieces, how = split_texts(source.lines(), source.layout.between, source.name)
    note = f"{source.name} was read as text, one document per line, {how or 'one phrase per line'}"
    return replace(from_sequence(pieces), form="lines", notes=(note,)).as_run()


IO: Final = RunFormat(
    "io", lambda source: {"input", "label", "output"} <= set(_first_fields(source)), _read_io,
    lambda source: _label_io(read_rows(source)), has_fields=True, has_texts=True,
)  # fmt: skip
HUGGINGFACE: Final = RunFormat(
    "huggingface", lambda source: source.start[0] in (b"{", b"[") and in_memory.is_huggingface(_first_fields(source)),
    _read_huggingface, lambda source: _label_huggingface(read_rows(source)), has_fields=True, has_texts=True,
)  # fmt: skip
RECORDS: Final = RunFormat("records", _is_records, _read_records, _read_gold_records, has_fields=True, has_texts=True)
FIELDS: Final = RunFormat("fields", None, _read_records, has_fields=True, has_texts=True)
LISTS: Final = RunFormat(
    "lists",
    lambda source: source.start in ((b"[", b"["), (b"[", b"]")),
    lambda source: replace(
        lists := from_sequence(_read_array(source)),
        notes=(f"{source.name} was read as a JSON array of lists of phrases", *lists.notes),
    ).as_run(),
    lambda source: from_sequence(_read_array(source)),
)
LINES: Final = RunFormat(
    "lines", lambda source: source.layout.separator is not None and source.members is None and b"\0" not in source.data,
    _read_lines, frame.read_as_gold(_read_lines), has_texts=True,
)  # fmt: skip
