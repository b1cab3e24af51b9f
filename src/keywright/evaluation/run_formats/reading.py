"""The one way into foreign runs: recognise the format, read it, and bring its ids together with the gold's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.documents import Document
from keywright.core.errors import BadRecord, EmptyInput, TooLarge, UnreadableInput, UnsupportedFormat, unknown
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.evaluation.formats.gold_files import limited
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats import ake, folders, kpeval, semeval, table, trec
from keywright.evaluation.run_formats import decoding_dumps as dumps
from keywright.evaluation.run_formats import native as keywright_run
from keywright.evaluation.run_formats import opennmt as generated
from keywright.evaluation.run_formats import token_probabilities as generations
from keywright.evaluation.run_formats.format import Form, LoadedRun, Source
from keywright.reading.jsonl import unpack
from keywright.reading.limits import Limits

# In the order of recognising: what says most about itself comes first.
FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        form.name: form
        for form in (
            folders.RES,
            folders.KEY,
            kpeval.FORM,
            generations.FORM,
            generations.OWN,
            *dumps.FORMS,
            generated.OPENNMT,
            ake.FORM,
            keywright_run.FORM,
            table.FORM,
            trec.FORM,
            semeval.FORM,
            generated.TEXT,
        )
    }
)
"""Formats of runs by name."""

_FEW: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection."""


def read_run_file(path: Path, form: str | None = None, marks: ByteMarks = ByteMarks.STRIPPED) -> LoadedRun:
    """The predictions of a file or folder.

    Args:
        path: the file or folder.
        form: its format, one of ``FORMS``; None recognises it.
        marks: what becomes of byte order marks and carriage returns in answer files of SemEval-2010.

    Raises:
        UnknownName: there is no such format.
        UnreadableInput: there is no such file, no format fits, or the format is broken; the message names the line.
    """
    if form is not None and form not in FORMS:
        raise unknown("run format", form, FORMS, "keywright score --help")
    source = _source(path, marks)
    if form is None:
        if source.members is None and not source.data.strip(b"\xef\xbb\xbf\r\n\t "):
            raise EmptyInput(f"{path} is empty", "expected predictions; --run-format NAME reads it all the same")
        form = next((one.name for one in FORMS.values() if one.recognise(source)), None)
    if form is None:
        if b"\0" not in source.data or source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.text()
        message = f"{path} is no run in a known format"
        hint = "name the format with --run-format: " + ", ".join(FORMS)
        raise UnsupportedFormat(message, hint)
    return FORMS[form].read(source)


def read_outputs(path: Path) -> dict[str, generations.Output]:
    """The whole outputs of a generator by document, from a file of ``generations``.

    Raises:
        UnreadableInput: there is no such file, or it is broken or has no outputs.
    """
    return generations.outputs(_source(path, ByteMarks.STRIPPED))


def read_gold_file(path: Path) -> tuple[LabelledDocument[Document], ...] | None:
    """Labelled documents of a file or folder that only other tools write; None where it is none of these.

    Raises:
        UnreadableInput: it is one, and broken.
    """
    if not path.exists():
        return None
    source = _source(path, ByteMarks.STRIPPED)
    if ake.FORM.recognise(source):
        return ake.labelled(source)
    if generations.FORM.recognise(source):
        return generations.FORM.read(source).labelled
    if kpeval.FORM.recognise(source):
        return kpeval.FORM.read(source).labelled
    return folders.labelled(source) if folders.KEY.recognise(source) else None


def matched(found: LoadedRun, ids: Sequence[str], run: str, gold: str) -> LoadedRun:
    """The predictions under the gold's ids.

    Args:
        found: of a file.
        ids: documents of the gold, in its order.
        run: what the file is called in messages.
        gold: what the gold is called in messages.

    Raises:
        BadRecord: they belong to different collections: lines and documents differ in number, or ids in all but a few.
    """
    if found.numbered and isinstance(found.predictions, Run):
        note, renamed = _in_order(found.predictions, ids, run, gold)
        return replace(found, predictions=renamed, notes=(note, *found.notes), numbered=False)
    given = _ids(found)
    common = len(given & set(ids))
    if given and ids and common < max(1.0, _FEW * min(len(given), len(set(ids)))):
        few = "no document" if not common else f"only {common} documents"
        examples = f"{min(given)!r} against {ids[0]!r}"
        message = f"{run} ({len(given)} documents) and {gold} ({len(ids)}) have {few} in common, such as {examples}"
        raise BadRecord(message, "score a run against the collection that it was made on: --gold DATASET")
    return found


def _in_order(lines: Run, ids: Sequence[str], run: str, gold: str) -> tuple[str, Run]:
    """Line numbers replaced by the gold's ids, and a note that says so."""
    count = len(lines.predictions)
    if count != len(ids):
        message = f"{run} has {count} lines without ids, but {gold} has {len(ids)} documents"
        raise BadRecord(message, "expected one line for each document, in the order of the gold")
    renamed = tuple(replace(one, document_id=name) for one, name in zip(lines.predictions, ids, strict=True))
    note = f"{count} lines of {run} have no ids: they were taken for the documents of {gold}, in its order"
    return note, replace(lines, predictions=renamed)


def _ids(found: LoadedRun) -> set[str]:
    """Documents that are answered, or that failed."""
    if isinstance(found.predictions, Run):
        failed = {one.document_id for one in found.predictions.failures}
        return failed | {one.document_id for one in found.predictions.predictions}
    return set(found.predictions.lists) | set(found.predictions.failed)


def _source(path: Path, marks: ByteMarks) -> Source:
    """Content of a file or of the files of a folder, within the limits of readers."""
    limits = Limits()
    if path.is_dir():
        files = {file: file.suffix in {".res", ".key"} for file in sorted(path.iterdir()) if file.is_file()}
        size = sum(file.stat().st_size for file, wanted in files.items() if wanted)
        if size > limits.file_bytes:
            raise TooLarge(f"{path} holds {size:,} bytes, the limit is {limits.file_bytes:,}", "a run is far smaller")
        members = [(file.name, file.read_bytes() if wanted else b"") for file, wanted in files.items()]
        return Source(path.name, members=tuple(members), marks=marks)
    if not path.is_file():
        raise UnreadableInput(f"no file {path}", "`keywright run SYSTEM DATASET -o RUN` writes one")
    return Source(path.name, unpack(limited(path), path.name, limits), marks=marks)
