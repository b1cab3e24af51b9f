"""Run files of any format: the format is recognised or named, and the file read into predictions or gold."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import BadParameter, BadRecord, EmptyInput, UnreadableInput, UnsupportedFormat, unknown_name
from keywright.evaluation.answers import read_limited_file
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats import document_rows, files, generations
from keywright.evaluation.run_formats.format import Layout, LoadedRun, PhraseLists, RunFormat, Source, layout_of
from keywright.reading.limits import Limits, unpack

_FORMS: Final[tuple[RunFormat, ...]] = (
    files.RES, files.KEY, files.KPEVAL, document_rows.IO, document_rows.HUGGINGFACE,
    generations.GENERATIONS, generations.GENERATIONS_OWN, *generations.DUMPS, files.OPENNMT,
    document_rows.LISTS, document_rows.RECORDS, files.AKE, document_rows.FIELDS,
    files.NATIVE, files.TABLE, files.TREC, files.SEMEVAL, document_rows.LINES, files.TEXT,
)  # fmt: skip
"""Formats in the order of recognition: the most specific ones come first. A new format is one name here."""

FORMS: Final[Mapping[str, RunFormat]] = MappingProxyType({form.name: form for form in _FORMS})
"""Formats of runs by name."""


def read_run_file(path: Path, form: str | Layout | None = None, marks: ByteMarks = ByteMarks.STRIPPED) -> LoadedRun:
    """Read the predictions of a file or folder.

    Without a format, one of ``FORMS``, it is recognised; ``marks`` are for answer files of SemEval-2010. Raises
    BadParameter: a format that does not exist, or a field or separator that the format does not use; UnreadableInput: a
    file is missing, empty, of unknown format, or broken.
    """
    layout = layout_of(form)
    if layout.form is not None and layout.form not in FORMS:
        raise unknown_name("run format", layout.form, FORMS, "keywright score --help")
    source = replace(_read_source(path, marks), layout=layout)
    name = layout.form or ("fields" if layout.phrases_field else None)
    if name is None and source.members is None and not source.data.strip(b"\xef\xbb\xbf\r\n\t "):
        raise EmptyInput(f"{path} is empty", "expected predictions; --run-format NAME reads it nevertheless")
    chosen = FORMS[name] if name else recognise_format(source)
    if chosen is None:
        if b"\0" not in source.data or source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.text()
        hint = f"name the separator of phrases with --separator, or the format with --run-format: {', '.join(FORMS)}"
        raise UnsupportedFormat(f"{path} is not in a recognised run format", hint)
    fields = source.first_record.keys()
    if chosen is files.NATIVE and layout.form is None and fields and "system" not in fields:
        hint = "say which one holds the phrases: --phrases-field NAME, and perhaps --id-field NAME"
        names = ", ".join(map(repr, fields))
        raise BadRecord(f"{source.name} is JSON with the fields {names}, which no format has", hint)
    if (layout.id_field or layout.phrases_field) and not chosen.has_fields:
        option, hint = "--id-field" if layout.id_field else "--phrases-field", "it is for rows with named fields"
        raise BadParameter(f"{option} for {source.name}, which is read as {chosen.name}", hint)
    if layout.separator is not None and not chosen.has_texts:
        hint = "it is for texts with several phrases: --run-format lines reads each line as such"
        raise BadParameter(f"--separator for {source.name}, which is read as {chosen.name}", hint)
    return chosen.read(source)


def recognise_format(source: Source) -> RunFormat | None:
    """Return the first format that a file or folder has; None for one of no known format."""
    return next((form for form in _FORMS if form.recognise and form.recognise(source)), None)


def read_outputs(path: Path) -> dict[str, generations.Output]:
    """Read the complete outputs of a generator by document, from a file of the format ``generations``."""
    return generations.parse_outputs(_read_source(path))


def read_gold_file(path: Path, separator: str | None = None) -> PhraseLists | None:
    """Read gold from a file or folder in another tool's format, with the separator of texts; None if it is not."""
    return read_gold_source(replace(_read_source(path), layout=Layout(separator=separator))) if path.exists() else None


def read_gold_source(source: Source) -> PhraseLists | None:
    """Return gold in another tool's format; None if it has no such format."""
    readers = (form.read_gold for form in _FORMS if form.read_gold and form.recognise and form.recognise(source))
    return next((gold for read_gold in readers if (gold := read_gold(source)) is not None), None)


def _read_source(path: Path, marks: ByteMarks = ByteMarks.STRIPPED) -> Source:
    limits = Limits()
    if path.is_dir():
        inside = {file: file.suffix in files.ENDINGS for file in sorted(path.iterdir()) if file.is_file()}
        limits.check_file(sum(file.stat().st_size for file, wanted in inside.items() if wanted), str(path))
        members = [(file.name, file.read_bytes() if wanted else b"") for file, wanted in inside.items()]
        return Source(path.name, members=tuple(members), marks=marks)
    if not path.is_file():
        raise UnreadableInput(f"no file {path}", "`keywright run SYSTEM DATASET -o RUN` writes one")
    return Source(path.name, unpack(read_limited_file(path), path.name, limits), marks=marks)
