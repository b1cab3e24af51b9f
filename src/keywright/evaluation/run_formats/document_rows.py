"""Files with one row for each document, as generators and pipelines of Hugging Face data sets write them.

``records`` have ``id`` and ``keyphrases``; ``io`` has ``input``, ``label`` and ``output``; ``huggingface`` has
``document`` with ``extractive_keyphrases``, ``abstractive_keyphrases`` or ``doc_bio_tags``, which are gold if there are
``predictions`` or ``keyphrases`` beside them, else the predictions; ``fields`` has those that the caller names;
``lists`` is a JSON array of lists; ``lines`` is text, with a separator that the caller names. Phrases are a list, or a
text with a separator. Notes say how a file was read.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from keywright.core.documents import Document
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source
from keywright.evaluation.run_formats.json_lines import first_record, split_title
from keywright.evaluation.run_formats.phrase_lists import (
    IDS,
    PHRASE_LISTS,
    PHRASES,
    PhraseLists,
    choose_name,
    collect_phrases,
    from_sequence,
    is_huggingface,
    join_tokens,
    make_document,
    require_name,
)
from keywright.evaluation.run_formats.row_files import (
    Fields,
    Rows,
    read_header,
    read_json_array,
    read_rows,
    split_texts,
)

_INPUT_OUTPUT: Final = frozenset({"input", "label", "output"})
_PREDICTED: Final = ("predictions", "prediction", *PHRASE_LISTS)
"""Fields of predictions beside the gold of a data set."""
_TEXTS: Final = frozenset({"text", "title", "abstract", "sections"})


def _first_fields(source: Source) -> Collection[str]:
    """Return the fields of the first row, to recognise a format; empty for anything else."""
    if source.members is not None:
        return ()
    start = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"{":
        return first_record(source).keys()
    if start == b"[":
        return read_rows(source).names if _holds_objects(source) else ()
    return read_header(source)


def _holds_objects(source: Source) -> bool:
    return source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[1:].lstrip()[:1] == b"{"


def _is_io(source: Source) -> bool:
    return set(_first_fields(source)) >= _INPUT_OUTPUT


def _is_json(source: Source) -> bool:
    return source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def _is_huggingface(source: Source) -> bool:
    return _is_json(source) and is_huggingface(_first_fields(source))


def _is_records(source: Source) -> bool:
    fields = {name.strip().casefold() for name in _first_fields(source)}
    if not _is_json(source) and not fields & set(IDS):
        return False  # the first line of a text may look like the header of a table
    return bool(fields & set(PHRASE_LISTS)) and not fields & {*PHRASES, "analyser"}


def _is_lists(source: Source) -> bool:
    start = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return source.members is None and start[:1] == b"[" and start[1:].lstrip()[:1] in (b"[", b"]")


def _read_records(source: Source) -> LoadedRun:
    rows = read_rows(source)
    lists = _list_records(rows)
    return replace(lists, notes=_describe_reading(rows, lists)).as_run()


def _list_records(rows: Rows, document: Callable[[str, Fields], Document] | None = None) -> PhraseLists:
    layout = rows.source.layout
    name = layout.phrases_field
    field = rows.field(name) if name else require_name(rows.names, PHRASE_LISTS, rows.source.name, "field")
    form = "fields" if name else "records"
    return rows.lists(form, lambda fields: fields.get(field), document)


def _read_io(source: Source) -> LoadedRun:
    rows = read_rows(source)
    lists, labels = rows.lists("io", lambda fields: fields.get("output")), _label_io(rows)
    notes = *_describe_reading(rows, lists), *(f"label: {note}" for note in labels.notes if note not in lists.notes)
    return replace(replace(lists, notes=notes).as_run(), labelled=labels.labelled)


def _label_io(rows: Rows) -> PhraseLists:
    return rows.lists(
        "io", lambda fields: fields.get("label"), lambda name, row: split_title(name, join_tokens(row.get("input")))
    )


def _read_huggingface(source: Source) -> LoadedRun:
    rows = read_rows(source)
    name = choose_name(rows.names, _PREDICTED)
    if name is None:
        lists = _label_huggingface(rows)
        return replace(lists, notes=_describe_reading(rows, lists, "whose keyphrases are the predictions")).as_run()
    lists = rows.lists("huggingface", lambda fields: fields.get(name))
    notes = _describe_reading(rows, lists, f"predictions in {name!r} and gold in the others")
    return replace(replace(lists, notes=notes).as_run(), labelled=_label_huggingface(rows).labelled)


def _label_huggingface(rows: Rows) -> PhraseLists:
    return rows.lists(
        "huggingface", collect_phrases, lambda name, row: Document(name, join_tokens(row.get("document")))
    )


def _read_lists(source: Source) -> LoadedRun:
    lists = _read_json_lists(source)
    return replace(lists, notes=(f"{source.name} was read as a JSON array of lists of phrases", *lists.notes)).as_run()


def _read_json_lists(source: Source) -> PhraseLists:
    return from_sequence(read_json_array(source))


def _read_lines(source: Source) -> LoadedRun:
    lists = _split_lines(source)
    return replace(lists, form="lines").as_run()


def _split_lines(source: Source) -> PhraseLists:
    pieces, how = split_texts(source.lines(), source.layout.between, source.name)
    note = f"{source.name} was read as text, one document per line, {how or 'one phrase per line'}"
    return replace(from_sequence(pieces), notes=(note,))


def _describe_reading(rows: Rows, lists: PhraseLists, what: str = "") -> tuple[str, ...]:
    """Say how a file was read; ``what``: what its fields were taken for."""
    layout = rows.source.layout
    fields = {
        "io": "input, label and output",
        "huggingface": "the fields of Hugging Face data sets",
        "fields": f"phrases in {layout.phrases_field!r}",
    }.get(lists.form, "keyphrases" if lists.numbered else "an id and keyphrases")
    split = lists.notes[:1] if lists.notes and lists.notes[0].startswith("phrases ") else ()
    how = ", ".join((fields, *filter(None, (what,)), *split))
    return (f"{rows.source.name} was read as {rows.kind} with {how}", *lists.notes[len(split) :])


def read_gold_rows(source: Source) -> PhraseLists | None:
    """Read gold from one of these formats, or None; labelled JSON Lines with texts are read by data sets."""
    if _is_lists(source):
        return _read_json_lists(source)
    for recognise, read in ((_is_io, _label_io), (_is_huggingface, _label_huggingface)):
        if recognise(source):
            return _add_notes(read_rows(source), read)
    if not _is_records(source) or (_TEXTS & set(_first_fields(source)) and source.data.lstrip().startswith(b"{")):
        return None
    return _add_notes(read_rows(source), lambda rows: _list_records(rows, make_document))


def _add_notes(rows: Rows, read: Callable[[Rows], PhraseLists]) -> PhraseLists:
    lists = read(rows)
    return replace(lists, notes=_describe_reading(rows, lists))


IO = RunFormat("io", "rows with `input`, `label`, `output`", _is_io, _read_io)
HUGGINGFACE = RunFormat(
    "huggingface", "rows with `document`, `extractive_keyphrases`, `abstractive_keyphrases`", _is_huggingface,
    _read_huggingface,
)  # fmt: skip
RECORDS = RunFormat("records", "rows with `id` and `keyphrases`: JSON Lines, JSON or CSV", _is_records, _read_records)
FIELDS = RunFormat("fields", "rows with the fields that --phrases-field names", lambda _: False, _read_records)
LISTS = RunFormat("lists", "a JSON array of lists of phrases", _is_lists, _read_lists)
LINES = RunFormat("lines", "text, a document a line, phrases between --separator", lambda _: False, _read_lines)
