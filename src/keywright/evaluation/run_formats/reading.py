"""Read run files: recognise the format, check that what a caller says about the file fits it, and read it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import BadParameter, BadRecord, EmptyInput, UnreadableInput, UnsupportedFormat, unknown_name
from keywright.core.predictions import Run
from keywright.evaluation.answers import read_limited_file
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats import document_rows, gold_files, json_lines, text_lines
from keywright.evaluation.run_formats import generations as decoding_dumps
from keywright.evaluation.run_formats import generations as token_probabilities
from keywright.evaluation.run_formats import json_lines as opennmt
from keywright.evaluation.run_formats.document_rows import LINES, read_gold_rows
from keywright.evaluation.run_formats.format import Layout, LoadedRun, RunFormat, Source, layout_of
from keywright.evaluation.run_formats.in_memory import gold_in_memory
from keywright.evaluation.run_formats.phrase_lists import PhraseLists
from keywright.reading.limits import Limits, unpack

_BY_ROW: Final = frozenset({"io", "huggingface", "records", "fields"})
"""Formats whose fields a caller may name."""
_SPLIT: Final = _BY_ROW | {"lines"}
"""Formats with texts that a caller's separator splits."""


def check_layout(source: Source, form: str | None) -> str | None:
    """Return the format to read a file in; ``form``: the one named or recognised.

    Raises:
        BadParameter: a field or separator that the format does not use.
        BadRecord: JSON Lines of an unknown kind; the message has its fields.
    """
    layout = source.layout
    is_text = form in {None, "kpg"} and source.members is None
    if layout.form is None and layout.separator is not None and is_text and b"\0" not in source.data:
        form = "lines"
    if form == "keywright" and layout.form is None:
        _check_run(source)
    if form is None:
        return None
    if (layout.id_field or layout.phrases_field) and form not in _BY_ROW:
        name = "--id-field" if layout.id_field else "--phrases-field"
        raise BadParameter(f"{name} for {source.name}, which is read as {form}", "it is for rows with named fields")
    if layout.separator is not None and form not in _SPLIT:
        hint = "it is for texts with several phrases: --run-format lines reads each line as such"
        raise BadParameter(f"--separator for {source.name}, which is read as {form}", hint)
    return form


def _check_run(source: Source) -> None:
    """Refuse JSON Lines that are not a run of keywright, with the fields that they have."""
    fields = json_lines.first_record(source).keys()
    if fields and "system" not in fields:
        hint = "say which one holds the phrases: --phrases-field NAME, and perhaps --id-field NAME"
        names = ", ".join(map(repr, fields))
        raise BadRecord(f"{source.name} is JSON with the fields {names}, which no format has", hint)


def read_gold_lines(source: Source) -> PhraseLists | None:
    """Return gold from a table of phrases or from text lines with semicolons; None for anything else."""
    if source.members is not None or source.data.lstrip()[:1] in (b"{", b"["):
        return None
    if text_lines.TABLE.recognise(source):
        return _convert_gold(text_lines.TABLE.read(source))
    if source.layout.separator is not None and b"\0" not in source.data:
        return _convert_gold(LINES.read(source))
    return _convert_gold(opennmt.TEXT.read(source)) if opennmt.TEXT.recognise(source) else None


def _convert_gold(loaded: LoadedRun) -> PhraseLists | None:
    if not isinstance(loaded.predictions, Run):
        return None
    lists = gold_in_memory(loaded.predictions)
    return PhraseLists(loaded.form, lists.labelled, loaded.numbered, loaded.notes)


# In the order of recognition: the most specific formats come first.
FORMS: Final[Mapping[str, RunFormat]] = MappingProxyType(
    {
        form.name: form
        for form in (
            gold_files.RES,
            gold_files.KEY,
            json_lines.KPEVAL,
            document_rows.IO,
            document_rows.HUGGINGFACE,
            token_probabilities.GENERATIONS,
            token_probabilities.GENERATIONS_OWN,
            *decoding_dumps.DUMPS,
            opennmt.OPENNMT,
            document_rows.LISTS,
            document_rows.RECORDS,
            gold_files.AKE,
            document_rows.FIELDS,
            document_rows.LINES,
            json_lines.NATIVE,
            text_lines.TABLE,
            text_lines.TREC,
            text_lines.SEMEVAL,
            opennmt.TEXT,
        )
    }
)
"""Formats of runs by name."""


def read_run_file(path: Path, form: str | Layout | None = None, marks: ByteMarks = ByteMarks.STRIPPED) -> LoadedRun:
    """Read the predictions of a file or folder.

    Without a format, one of ``FORMS``, it is recognised; ``marks`` are for answer files of SemEval-2010.
    """
    layout = layout_of(form)
    if layout.form is not None and layout.form not in FORMS:
        raise unknown_name("run format", layout.form, FORMS, "keywright score --help")
    source = replace(_read_source(path, marks), layout=layout)
    name = layout.form or ("fields" if layout.phrases_field else None)
    if name is None and source.members is None and not source.data.strip(b"\xef\xbb\xbf\r\n\t "):
        raise EmptyInput(f"{path} is empty", "expected predictions; --run-format NAME reads it nevertheless")
    name = name or next((name for name, run_format in FORMS.items() if run_format.recognise(source)), None)
    name = check_layout(source, name)
    if name is None:
        if b"\0" not in source.data or source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.text()
        hint = f"name the separator of phrases with --separator, or the format with --run-format: {', '.join(FORMS)}"
        raise UnsupportedFormat(f"{path} is not in a recognised run format", hint)
    return FORMS[name].read(source)


def read_outputs(path: Path) -> dict[str, token_probabilities.Output]:
    """Read the complete outputs of a generator by document, from a file of the format ``generations``."""
    return token_probabilities.parse_outputs(_read_source(path, ByteMarks.STRIPPED))


def read_gold_file(path: Path, separator: str | None = None) -> PhraseLists | None:
    """Read gold from a file or folder in another tool's format; None if it has no such format.

    ``separator``: text between the phrases of one value, in rows and lines; None where it is recognised.
    """
    if not path.exists():
        return None
    return read_gold_source(replace(_read_source(path, ByteMarks.STRIPPED), layout=Layout(separator=separator)))


def read_gold_source(source: Source) -> PhraseLists | None:
    """Return gold in another tool's format; None if it has no such format."""
    for form in (token_probabilities.GENERATIONS, json_lines.KPEVAL):
        if form.recognise(source):
            return PhraseLists(form.name, form.read(source).labelled)
    if gold_files.KEY.recognise(source):
        return PhraseLists("key", gold_files.label_key_folder(source))
    if (rows := read_gold_rows(source)) is not None:
        return rows
    return (
        PhraseLists("ake", gold_files.label_ake(source))
        if gold_files.AKE.recognise(source)
        else read_gold_lines(source)
    )


def _read_source(path: Path, marks: ByteMarks) -> Source:
    """Read a file or the files of a folder, within the limits of readers."""
    limits = Limits()
    if path.is_dir():
        files = {file: file.suffix in {".res", ".key"} for file in sorted(path.iterdir()) if file.is_file()}
        size = sum(file.stat().st_size for file, wanted in files.items() if wanted)
        limits.check_file(size, str(path))
        members = [(file.name, file.read_bytes() if wanted else b"") for file, wanted in files.items()]
        return Source(path.name, members=tuple(members), marks=marks)
    if not path.is_file():
        raise UnreadableInput(f"no file {path}", "`keywright run SYSTEM DATASET -o RUN` writes one")
    return Source(path.name, unpack(read_limited_file(path), path.name, limits), marks=marks)
