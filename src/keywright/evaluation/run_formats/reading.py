"""Read run files: recognise the format, read it, and match its ids with the gold's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord, EmptyInput, UnreadableInput, UnsupportedFormat, unknown
from keywright.core.predictions import Run
from keywright.evaluation.formats.answers import Answers
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

_MIN_COMMON: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection; arbitrary."""


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


def matched(loaded: LoadedRun, ids: Sequence[str], run: str, gold: str) -> LoadedRun:
    """Give the predictions the gold's ids."""
    if loaded.numbered and isinstance(loaded.predictions, Run):
        note, renamed = _in_order(loaded.predictions, ids, run, gold)
        return replace(loaded, predictions=renamed, notes=(note, *loaded.notes), numbered=False)
    answered = _ids(loaded.predictions)
    common = len(answered & set(ids))
    if answered and ids and common < max(1.0, _MIN_COMMON * min(len(answered), len(set(ids)))):
        shared = "no document" if not common else f"only {common} documents"
        examples = f"{min(answered)!r} against {ids[0]!r}"
        message = (
            f"{run} ({len(answered)} documents) and {gold} ({len(ids)}) have {shared} in common, such as {examples}"
        )
        raise BadRecord(message, "score a run against the collection that it was made on: --gold DATASET")
    return loaded


def _in_order(lines: Run, ids: Sequence[str], run: str, gold: str) -> tuple[str, Run]:
    """Replace line numbers by the gold's ids; return a note as well."""
    count = len(lines.predictions)
    if count != len(ids):
        message = f"{run} has {count} lines without ids, but {gold} has {len(ids)} documents"
        raise BadRecord(message, "expected one line for each document, in the order of the gold")
    pairs = zip(lines.predictions, ids, strict=True)
    renamed = tuple(replace(prediction, document_id=name) for prediction, name in pairs)
    note = f"{count} lines of {run} have no ids: they were taken for the documents of {gold}, in its order"
    return note, replace(lines, predictions=renamed)


def _ids(run: Run | Answers) -> set[str]:
    """Return documents that have an answer, or that failed."""
    if isinstance(run, Run):
        predicted = {prediction.document_id for prediction in run.predictions}
        return predicted | {failure.document_id for failure in run.failures}
    return {*run.lists, *run.failed}


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
