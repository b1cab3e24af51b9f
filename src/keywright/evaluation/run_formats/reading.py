"""Read run files: recognise the format and read it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import EmptyInput, UnreadableInput, UnsupportedFormat, unknown
from keywright.evaluation.formats.gold_sets import limited
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats import (
    ake,
    decoding_dumps,
    document_rows,
    folders,
    json_lines,
    lines,
    opennmt,
    table,
    token_probabilities,
)
from keywright.evaluation.run_formats.document_rows import gold_rows
from keywright.evaluation.run_formats.file_layout import Layout, layout_of
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source
from keywright.evaluation.run_formats.in_memory.labelled_lists import PhraseLists
from keywright.evaluation.run_formats.told_layouts import checked_form, gold_of_lines
from keywright.reading.formats import Limits
from keywright.reading.unpacking import unpack

# In the order of recognition: the most specific formats come first.
FORMS: Final[Mapping[str, RunFormat]] = MappingProxyType(
    {
        form.name: form
        for form in (
            folders.RES,
            folders.KEY,
            json_lines.KPEVAL,
            document_rows.IO,
            document_rows.HUGGINGFACE,
            token_probabilities.FORM,
            token_probabilities.OWN,
            *decoding_dumps.FORMS,
            opennmt.OPENNMT,
            document_rows.LISTS,
            document_rows.RECORDS,
            ake.FORM,
            document_rows.FIELDS,
            document_rows.LINES,
            json_lines.NATIVE,
            table.FORM,
            lines.TREC,
            lines.SEMEVAL,
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
        raise unknown("run format", layout.form, FORMS, "keywright score --help")
    source = replace(_source(path, marks), layout=layout)
    name = layout.form or ("fields" if layout.phrases_field else None)
    if name is None and source.members is None and not source.data.strip(b"\xef\xbb\xbf\r\n\t "):
        raise EmptyInput(f"{path} is empty", "expected predictions; --run-format NAME reads it nevertheless")
    name = name or next((name for name, run_format in FORMS.items() if run_format.recognise(source)), None)
    name = checked_form(source, name)
    if name is None:
        if b"\0" not in source.data or source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.text()
        hint = f"name the separator of phrases with --separator, or the format with --run-format: {', '.join(FORMS)}"
        raise UnsupportedFormat(f"{path} is not in a recognised run format", hint)
    return FORMS[name].read(source)


def read_outputs(path: Path) -> dict[str, token_probabilities.Output]:
    """Read the complete outputs of a generator by document, from a file of the format ``generations``."""
    return token_probabilities.outputs(_source(path, ByteMarks.STRIPPED))


def read_gold_file(path: Path, separator: str | None = None) -> PhraseLists | None:
    """Read gold from a file or folder in another tool's format; None if it has no such format.

    ``separator``: text between the phrases of one value, in rows and lines; None where it is recognised.
    """
    if not path.exists():
        return None
    return gold_of_source(replace(_source(path, ByteMarks.STRIPPED), layout=Layout(separator=separator)))


def gold_of_source(source: Source) -> PhraseLists | None:
    """Return gold in another tool's format; None if it has no such format."""
    for form in (token_probabilities.FORM, json_lines.KPEVAL):
        if form.recognise(source):
            return PhraseLists(form.name, form.read(source).labelled)
    if folders.KEY.recognise(source):
        return PhraseLists("key", folders.labelled(source))
    if (rows := gold_rows(source)) is not None:
        return rows
    return PhraseLists("ake", ake.labelled(source)) if ake.FORM.recognise(source) else gold_of_lines(source)


def _source(path: Path, marks: ByteMarks) -> Source:
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
    return Source(path.name, unpack(limited(path), path.name, limits), marks=marks)
