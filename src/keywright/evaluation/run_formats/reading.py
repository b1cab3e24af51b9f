"""Read run files: recognise the format and read it."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import EmptyInput, UnreadableInput, UnsupportedFormat, unknown
from keywright.evaluation.formats.gold_sets import limited
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats import (
    ake,
    decoding_dumps,
    folders,
    json_lines,
    lines,
    opennmt,
    table,
    token_probabilities,
)
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source
from keywright.reading.formats import Limits
from keywright.reading.jsonl import unpack

# In the order of recognition: the most specific formats come first.
FORMS: Final[Mapping[str, RunFormat]] = MappingProxyType(
    {
        form.name: form
        for form in (
            folders.RES,
            folders.KEY,
            json_lines.KPEVAL,
            token_probabilities.FORM,
            token_probabilities.OWN,
            *decoding_dumps.FORMS,
            opennmt.OPENNMT,
            ake.FORM,
            json_lines.NATIVE,
            table.FORM,
            lines.TREC,
            lines.SEMEVAL,
            opennmt.TEXT,
        )
    }
)
"""Formats of runs by name."""


def read_run_file(path: Path, form: str | None = None, marks: ByteMarks = ByteMarks.STRIPPED) -> LoadedRun:
    """Read the predictions of a file or folder.

    Without ``form``, one of ``FORMS``, the format is recognised; ``marks`` are for answer files of SemEval-2010.
    """
    if form is not None and form not in FORMS:
        raise unknown("run format", form, FORMS, "keywright score --help")
    source = _source(path, marks)
    if form is None:
        if source.members is None and not source.data.strip(b"\xef\xbb\xbf\r\n\t "):
            raise EmptyInput(f"{path} is empty", "expected predictions; --run-format NAME reads it nevertheless")
        form = next((name for name, run_format in FORMS.items() if run_format.recognise(source)), None)
    if form is None:
        if b"\0" not in source.data or source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.text()
        hint = "name the format with --run-format: " + ", ".join(FORMS)
        raise UnsupportedFormat(f"{path} is not in a recognised run format", hint)
    return FORMS[form].read(source)


def read_outputs(path: Path) -> dict[str, token_probabilities.Output]:
    """Read the complete outputs of a generator by document, from a file of the format ``generations``."""
    return token_probabilities.outputs(_source(path, ByteMarks.STRIPPED))


def read_gold_file(path: Path) -> tuple[LabelledDocument[Document], ...] | None:
    """Read labelled documents of a file or folder in another tool's format; None if it has no such format."""
    if not path.exists():
        return None
    source = _source(path, ByteMarks.STRIPPED)
    if ake.FORM.recognise(source):
        return ake.labelled(source)
    for form in (token_probabilities.FORM, json_lines.KPEVAL):
        if form.recognise(source):
            return form.read(source).labelled
    return folders.labelled(source) if folders.KEY.recognise(source) else None


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
