"""Files with one row for each document, as generators and pipelines of Hugging Face data sets write them.

Rows are JSON Lines, a JSON array, or a table in CSV. ``records`` have ``id`` and ``keyphrases``; ``io`` has ``input``,
``label`` and ``output``; ``huggingface`` has ``document`` with ``extractive_keyphrases``, ``abstractive_keyphrases`` or
``doc_bio_tags``, which are gold if there are ``predictions`` or ``keyphrases`` beside them, else the predictions;
``fields`` has those that the caller names; ``lists`` is a JSON array of lists; ``lines`` is text, with a separator that
the caller names.

Phrases are a list, or a text with a separator: named by the caller, or recognised over all texts of a file, and refused
where two would do. Notes say how a file was read.
"""

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    PhraseLists,
    RunFormat,
    Source,
    count_note,
    locate_errors,
    read_as_gold,
)
from keywright.evaluation.run_formats.json_lines import iterate_records, split_title
from keywright.evaluation.run_formats.phrase_lists import (
    IDS,
    PHRASE_LISTS,
    PHRASES,
    check_distinct,
    choose_name,
    collect_phrases,
    from_sequence,
    is_huggingface,
    join_tokens,
    make_document,
    missing_name_error,
    parse_id,
    parse_phrase_list,
    require_name,
)
from keywright.evaluation.run_formats.text_lines import find_delimiter, read_header

Fields: TypeAlias = Mapping[str, Any]
_EXPECTED: Final = 'one object for each document, such as {"id": "a", "keyphrases": ["grid computing", "tides"]}'
_PREDICTED: Final = ("predictions", "prediction", *PHRASE_LISTS)
"""Fields of predictions beside the gold of a data set."""
_TEXTS: Final = frozenset({"text", "title", "abstract", "sections"})
_COMMA: Final = ","
_SEPARATORS: Final = ("<sep>", "[SEP]", ";", "|", "\t", "\n", _COMMA)
_LITERAL: Final = re.compile(r"\s*\[.*\]\s*", re.DOTALL)


def split_texts(texts: Sequence[str], separator: str | None, where: str) -> tuple[list[tuple[str, ...]], str]:
    """Split the texts of a file into phrases, and say how: ``phrases separated by ';'``; empty if none is split.

    Without a separator, the only one in the file is taken, or the one beside commas that every divided text has. Texts
    that look like lists of Python or JSON, as tables write columns of lists, are read as such.

    Raises:
        BadRecord: several separators are possible, or a list is broken; ``where`` names the file.
    """
    filled = [text for text in texts if text.strip()]
    if separator is None and filled and all(map(_LITERAL.fullmatch, filled)):
        return [_parse_literal(text, where) for text in texts], "phrases in lists of Python or JSON"
    separator = _find_separator(filled, where) if separator is None else separator
    pieces = [text.split(separator) if separator else [text] for text in texts]
    how = f"phrases separated by {separator!r}" if separator else ""
    return [tuple(filter(None, map(str.strip, split))) for split in pieces], how


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
    """The rows of a file.

    Attributes:
        kind: ``JSON Lines``, ``JSON`` or ``CSV``.
        rows: the place of each, for messages, and its fields.
        names: all fields, in the order of their first occurrence.
    """

    source: Source
    kind: str
    rows: tuple[tuple[str, Fields], ...]
    names: tuple[str, ...]

    def field(self, name: str) -> str:
        """Return a field that the caller named.

        Raises:
            BadRecord: no row has it; the hint has the nearest.
        """
        if name not in self.names:
            raise missing_name_error(name, self.names, self.source.name, "field")
        return name

    def lists(
        self,
        form: str,
        value: Callable[[Fields], Any],
        document: Callable[[str, Fields], Document] = lambda name, _: Document(name, ""),
    ) -> PhraseLists:
        """Return phrases by document; rows of a table whose fields the caller names are joined by id.

        Args:
            form: name of the format.
            value: returns the phrases of a row, a list or a text.
            document: returns the document from its id and the fields of its first row.
        """
        layout = self.source.layout
        by_id = self.field(layout.id_field) if layout.id_field else choose_name(self.names, IDS)
        places = [f"{place} of {self.source.name}" for place, _ in self.rows]
        ids = [
            str(number) if by_id is None else parse_id(fields.get(by_id), place)
            for number, (place, (_, fields)) in enumerate(zip(places, self.rows, strict=True), start=1)
        ]
        if self.kind != "CSV" or layout.phrases_field is None or by_id is None:
            check_distinct(ids, "rows")
        values = [value(fields) for _, fields in self.rows]
        pieces, how = split_texts([item for item in values if isinstance(item, str)], layout.between, self.source.name)
        parts = iter(pieces)
        documents: dict[str, Document] = {}
        entries: dict[str, tuple[GoldKeyphrase, ...]] = {}
        for name, place, (_, fields), item in zip(ids, places, self.rows, values, strict=True):
            listed = [piece for piece in next(parts) if piece != PRESENT_END] if isinstance(item, str) else item
            documents.setdefault(name, document(name, fields))
            entries[name] = entries.get(name, ()) + parse_phrase_list(listed, place)
        labelled = tuple(LabelledDocument(documents[name], entries[name]) for name in documents)
        joined = count_note(len(ids) - len(documents), "rows were joined to an earlier row with the same id")
        return PhraseLists(form, labelled, by_id is None, (*filter(None, (how,)), *joined))

    def described(self, lists: PhraseLists, what: str = "") -> PhraseLists:
        """Return the lists with a note on how the file was read; ``what``: what its fields were taken for."""
        fields = {
            "io": "input, label and output",
            "huggingface": "the fields of Hugging Face data sets",
            "fields": f"phrases in {self.source.layout.phrases_field!r}",
        }.get(lists.form, "keyphrases" if lists.numbered else "an id and keyphrases")
        split = lists.notes[:1] if lists.notes and lists.notes[0].startswith("phrases ") else ()
        how = ", ".join((fields, *filter(None, (what,)), *split))
        note = f"{self.source.name} was read as {self.kind} with {how}"
        return replace(lists, notes=(note, *lists.notes[len(split) :]))


def read_rows(source: Source) -> Rows:
    """Read the rows of a file.

    Raises:
        BadRecord: it is neither JSON nor a table, or a row is broken; the message names it.
    """
    kinds = {b"{": ("JSON Lines", _read_lines_of_json), b"[": ("JSON", _read_items)}
    kind, read = kinds.get(source.start[0], ("CSV", _read_table_rows))
    rows = tuple(read(source))
    return Rows(source, kind, rows, tuple(dict.fromkeys(name for _, fields in rows for name in fields)))


def _read_lines_of_json(source: Source) -> Iterator[tuple[str, Fields]]:
    return ((f"line {number}", record) for number, record in iterate_records(source, _EXPECTED))


def _read_items(source: Source) -> Iterator[tuple[str, Fields]]:
    for number, item in enumerate(_read_array(source), start=1):
        if not isinstance(item, dict):
            raise BadRecord(f"item {number} is {item!r:.60}, not an object", f"expected {_EXPECTED}")
        yield f"item {number}", item


def _read_array(source: Source) -> Sequence[Any]:
    with locate_errors(f"{source.name} is not valid JSON", '[["grid computing", "tides"], …]'):
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


def _is_io(source: Source) -> bool:
    return {"input", "label", "output"} <= set(_first_fields(source))


def _read_io(source: Source) -> LoadedRun:
    rows = read_rows(source)
    lists, labels = rows.lists("io", lambda fields: fields.get("output")), _label_io(rows)
    described = rows.described(lists)
    notes = (f"label: {note}" for note in labels.notes if note not in lists.notes)
    return replace(described, notes=(*described.notes, *notes)).as_run(labels.labelled)


def _label_io(rows: Rows) -> PhraseLists:
    def document(name: str, fields: Fields) -> Document:
        return split_title(name, join_tokens(fields.get("input")))

    return rows.lists("io", lambda fields: fields.get("label"), document)


def _is_huggingface(source: Source) -> bool:
    return source.start[0] in (b"{", b"[") and is_huggingface(_first_fields(source))


def _read_huggingface(source: Source) -> LoadedRun:
    rows = read_rows(source)
    name = choose_name(rows.names, _PREDICTED)
    if name is None:
        return rows.described(_label_huggingface(rows), "whose keyphrases are the predictions").as_run()
    lists = rows.lists("huggingface", lambda fields: fields.get(name))
    described = rows.described(lists, f"predictions in {name!r} and gold in the others")
    return described.as_run(_label_huggingface(rows).labelled)


def _label_huggingface(rows: Rows) -> PhraseLists:
    def document(name: str, fields: Fields) -> Document:
        return Document(name, join_tokens(fields.get("document")))

    return rows.lists("huggingface", collect_phrases, document)


def _is_records(source: Source) -> bool:
    fields = {name.strip().casefold() for name in _first_fields(source)}
    if source.start[0] not in (b"{", b"[") and not fields & set(IDS):
        return False  # the first line of a text may look like the header of a table
    return bool(fields & set(PHRASE_LISTS)) and not fields & {*PHRASES, "analyser"}


def _read_records(source: Source) -> LoadedRun:
    rows = read_rows(source)
    name = source.layout.phrases_field
    field = rows.field(name) if name else require_name(rows.names, PHRASE_LISTS, source.name, "field")
    return rows.described(rows.lists("fields" if name else "records", lambda fields: fields.get(field))).as_run()


def _read_gold_records(source: Source) -> PhraseLists | None:
    """Read gold; labelled JSON Lines with texts are left to data sets."""
    if _TEXTS & set(_first_fields(source)) and source.data.lstrip().startswith(b"{"):
        return None
    rows = read_rows(source)
    field = require_name(rows.names, PHRASE_LISTS, source.name, "field")
    return rows.described(rows.lists("records", lambda fields: fields.get(field), make_document))


def _read_lists(source: Source) -> LoadedRun:
    lists = from_sequence(_read_array(source))
    return replace(lists, notes=(f"{source.name} was read as a JSON array of lists of phrases", *lists.notes)).as_run()


def _read_lines(source: Source) -> LoadedRun:
    pieces, how = split_texts(source.lines(), source.layout.between, source.name)
    note = f"{source.name} was read as text, one document per line, {how or 'one phrase per line'}"
    return replace(from_sequence(pieces), form="lines", notes=(note,)).as_run()


def _described_gold(label: Callable[[Rows], PhraseLists]) -> Callable[[Source], PhraseLists]:
    def read_gold(source: Source) -> PhraseLists:
        rows = read_rows(source)
        return rows.described(label(rows))

    return read_gold


IO: Final = RunFormat("io", _is_io, _read_io, _described_gold(_label_io), has_fields=True, has_texts=True)
HUGGINGFACE: Final = RunFormat(
    "huggingface",
    _is_huggingface,
    _read_huggingface,
    _described_gold(_label_huggingface),
    has_fields=True,
    has_texts=True,
)
RECORDS: Final = RunFormat("records", _is_records, _read_records, _read_gold_records, has_fields=True, has_texts=True)
FIELDS: Final = RunFormat("fields", None, _read_records, has_fields=True, has_texts=True)
LISTS: Final = RunFormat(
    "lists",
    lambda source: source.start in ((b"[", b"["), (b"[", b"]")),
    _read_lists,
    lambda source: from_sequence(_read_array(source)),
)
LINES: Final = RunFormat(
    "lines",
    lambda source: source.layout.separator is not None and source.is_text,
    _read_lines,
    read_as_gold(_read_lines),
    has_texts=True,
)
