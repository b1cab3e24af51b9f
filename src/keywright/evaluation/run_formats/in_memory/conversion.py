"""Conversion of any predictions or gold in memory, told by their type."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Failure, Prediction, Run
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.in_memory.frames import from_frame, is_frame
from keywright.evaluation.run_formats.in_memory.labelled_lists import (
    PhraseLists,
    from_mapping,
    from_records,
    from_sequence,
    is_missing,
)

_EXPECTED: Final = (
    "expected a list of phrases for each document ([[...], [...]]), a dict by id ({id: [...]}), a table with the "
    "columns id and keyphrase, predictions, a run, or the name of a file"
)


def run_in_memory(value: Any) -> LoadedRun:
    """Return predictions from a run, results of ``extract``, lists of phrases, a dict or a table.

    Raises:
        BadRecord, BadParameter: it is none of these, or breaks its form; the message names the document.
        MissingExtra: a table, and narwhals is not installed.
    """
    if isinstance(value, LoadedRun):
        return value
    if isinstance(value, Run):
        return LoadedRun("keywright", value)
    items = _items(value)
    if items and all(isinstance(item, Prediction | Failure) for item in items):
        return _from_outcomes(items)
    return _lists_of(value, items).as_run()


def gold_in_memory(value: Any) -> PhraseLists:
    """Return gold from labelled documents or from anything that ``run_in_memory`` takes."""
    if isinstance(value, PhraseLists):
        return value
    if isinstance(value, Run):
        value = (*value.predictions, *value.failures)
    items = _items(value)
    if items and all(isinstance(item, LabelledDocument) for item in items):
        return PhraseLists("labelled", tuple(items))
    if items and all(isinstance(item, Prediction | Failure) for item in items):
        return _gold_of_outcomes(items)
    return _lists_of(value, items)


def _items(value: Any) -> Sequence[Any]:
    """Return the items of an iterable that is neither a table nor a dict, consumed once; empty for anything else."""
    if isinstance(value, Prediction):
        return (value,)
    if is_frame(value) or isinstance(value, Mapping) or not isinstance(value, Iterable):
        return ()
    return tuple(value)


def _lists_of(value: Any, items: Sequence[Any]) -> PhraseLists:
    if is_frame(value):
        lists = from_frame(value)
    elif isinstance(value, Mapping):
        lists = from_mapping(value)
    elif not isinstance(value, Iterable):
        raise BadParameter(f"{value!r:.60} of type {type(value).__name__} is not a list of phrases", _EXPECTED)
    elif items and all(isinstance(item, Mapping) for item in items):
        lists = from_records(items)
    else:
        _check_lists(items)
        lists = from_sequence(items)
    if not lists.labelled:
        raise BadParameter("there is no document to score", _EXPECTED)
    return lists


def _check_lists(items: Sequence[Any]) -> None:
    """Refuse phrases of one document in the place of documents."""
    flat = next((place for place, item in enumerate(items) if isinstance(item, str)), None)
    if flat is not None:
        message = f"item {flat + 1} is the text {items[flat]!r:.60}, not a list of phrases"
        raise BadRecord(message, 'one list for each document: for a single document [["a phrase", "another"]]')
    odd = next((item for item in items if not isinstance(item, Iterable) and not is_missing(item)), None)
    if odd is not None:
        raise BadRecord(f"{odd!r:.60} of type {type(odd).__name__} is not a list of phrases", _EXPECTED)


def _from_outcomes(outcomes: Sequence[Prediction | Failure]) -> LoadedRun:
    """Return a run of results of ``extract``; where ids repeat, only their order counts."""
    ids = tuple(outcome.document_id for outcome in outcomes)
    predictions = tuple(outcome for outcome in outcomes if isinstance(outcome, Prediction))
    failures = tuple(outcome for outcome in outcomes if isinstance(outcome, Failure))
    if len(set(ids)) < len(ids):
        return _as_lists(outcomes).as_run()
    return LoadedRun("predictions", Run("predictions", "", "", predictions, failures), order=ids)


def _as_lists(outcomes: Sequence[Prediction | Failure]) -> PhraseLists:
    return from_sequence([outcome.texts if isinstance(outcome, Prediction) else () for outcome in outcomes])


def _gold_of_outcomes(outcomes: Sequence[Prediction | Failure]) -> PhraseLists:
    """Return predictions in the place of gold, to measure how far two systems agree."""
    lists = _as_lists(outcomes)
    ids = [outcome.document_id for outcome in outcomes]
    if len(set(ids)) < len(ids):
        return lists
    labelled = tuple(
        LabelledDocument(Document(name, ""), each.gold) for name, each in zip(ids, lists.labelled, strict=True)
    )
    return PhraseLists("predictions", labelled)
