"""Alignment of predictions and gold: by id, or by position where one side has no ids."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.core.documents import LabelledDocument
from keywright.core.errors import BadRecord, listed
from keywright.core.predictions import Run
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.run_formats.format import PREDICTIONS, LoadedRun
from keywright.evaluation.run_formats.in_memory.labelled_lists import PhraseLists

_MIN_COMMON: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection; arbitrary."""
_LISTS: Final = "lists"


def aligned(loaded: LoadedRun, gold: PhraseLists, run: str, title: str) -> tuple[LoadedRun, PhraseLists]:
    """Give predictions and gold the same ids.

    Positions count where a side has no ids, and a note says so unless both have none. ``run`` and ``title`` name
    predictions and gold in messages.

    Raises:
        BadRecord: different numbers of documents, or hardly any id in common.
    """
    if not gold.numbered:
        return matched(loaded, gold.ids, run, title), gold
    if loaded.numbered:
        paired = matched(loaded, gold.ids, run, title)
        return replace(paired, notes=paired.notes[1:]), gold
    ids = _order(loaded, title)
    _check_numbers(gold.ids, ids, ("the gold", _LISTS), run)
    pairs = zip(ids, gold.labelled, strict=True)
    labelled = tuple(LabelledDocument(replace(each.document, id=name), each.gold) for name, each in pairs)
    note = f"{len(ids)} lists of {title} have no ids: they were taken for the documents of {run}, in its order"
    return loaded, replace(gold, labelled=labelled, numbered=False, notes=(note, *gold.notes))


def matched(loaded: LoadedRun, ids: Sequence[str], run: str, gold: str) -> LoadedRun:
    """Give the predictions the gold's ids."""
    if loaded.numbered and isinstance(loaded.predictions, Run):
        note, renamed = _in_order(loaded, loaded.predictions, ids, (run, gold))
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


def _in_order(loaded: LoadedRun, lines: Run, ids: Sequence[str], titles: tuple[str, str]) -> tuple[str, Run]:
    """Replace positions by the gold's ids; return a note as well."""
    run, gold = titles
    rows = _LISTS if loaded.form == _LISTS else "lines"
    _check_numbers([each.document_id for each in lines.predictions], ids, (run, rows), gold)
    pairs = zip(lines.predictions, ids, strict=True)
    renamed = tuple(replace(prediction, document_id=name) for prediction, name in pairs)
    note = f"{len(ids)} {rows} of {run} have no ids: they were taken for the documents of {gold}, in its order"
    return note, replace(lines, predictions=renamed)


def _check_numbers(numbers: Sequence[str], ids: Sequence[str], without: tuple[str, str], other: str) -> None:
    """Check that a side without ids has as many documents as the other; ``without``: its title, and its rows."""
    title, rows = without
    if len(numbers) == len(ids):
        return
    rest = f"nothing for {listed(ids[len(numbers) :])}" if len(numbers) < len(ids) else ""
    rest = rest or f"{listed(numbers[len(ids) :])} of the {rows} are left over"
    sides = f"{_having(title)} {len(numbers)} {rows} without ids, but {_having(other)} {len(ids)} documents"
    raise BadRecord(f"{sides}: {rest}", f"expected one of the {rows} for each document, in the same order")


def _having(title: str) -> str:
    return f"{title} have" if title == PREDICTIONS else f"{title} has"


def _order(loaded: LoadedRun, gold: str) -> tuple[str, ...]:
    """Return the ids of the documents in their order."""
    if loaded.order or not isinstance(loaded.predictions, Run):
        return loaded.order or tuple(loaded.predictions.lists)  # type: ignore[union-attr]  # answers have lists
    if loaded.predictions.failures:
        message = f"{gold} has no ids, and the run does not say where among its documents the failed ones were"
        raise BadRecord(message, "give the gold by id: {id: [phrase, ...]}")
    return tuple(prediction.document_id for prediction in loaded.predictions.predictions)


def _ids(run: Run | Answers) -> set[str]:
    """Return documents that have an answer, or that failed."""
    if isinstance(run, Run):
        predicted = {prediction.document_id for prediction in run.predictions}
        return predicted | {failure.document_id for failure in run.failures}
    return {*run.lists, *run.failed}
