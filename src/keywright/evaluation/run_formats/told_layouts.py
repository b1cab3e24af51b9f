"""Checks that what a caller says about a file fits its format, and gold in formats made for predictions."""

from typing import Final

from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Run
from keywright.evaluation.run_formats import json_lines, opennmt, table
from keywright.evaluation.run_formats.document_rows import LINES
from keywright.evaluation.run_formats.format import LoadedRun, Source
from keywright.evaluation.run_formats.in_memory.conversion import gold_in_memory
from keywright.evaluation.run_formats.in_memory.labelled_lists import PhraseLists

_BY_ROW: Final = frozenset({"io", "huggingface", "records", "fields"})
"""Formats whose fields a caller may name."""
_SPLIT: Final = _BY_ROW | {"lines"}
"""Formats with texts that a caller's separator splits."""


def checked_form(source: Source, form: str | None) -> str | None:
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


def gold_of_lines(source: Source) -> PhraseLists | None:
    """Return gold from a table of phrases or from text lines with semicolons; None for anything else."""
    if source.members is not None or source.data.lstrip()[:1] in (b"{", b"["):
        return None
    if table.FORM.recognise(source):
        return _as_gold(table.FORM.read(source))
    if source.layout.separator is not None and b"\0" not in source.data:
        return _as_gold(LINES.read(source))
    return _as_gold(opennmt.TEXT.read(source)) if opennmt.TEXT.recognise(source) else None


def _as_gold(loaded: LoadedRun) -> PhraseLists | None:
    if not isinstance(loaded.predictions, Run):
        return None
    lists = gold_in_memory(loaded.predictions)
    return PhraseLists(loaded.form, lists.labelled, loaded.numbered, loaded.notes)
