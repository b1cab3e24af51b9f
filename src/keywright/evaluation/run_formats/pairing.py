"""Pair predictions from any source with the gold they belong to: by id, or by position where one side has no ids."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, list_names
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import fingerprint_texts
from keywright.evaluation.answers import Answers, make_gold_sets, select_texts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats.format import (
    PREDICTIONS,
    Layout,
    LoadedRun,
    PhraseLists,
    count_note,
    layout_of,
)
from keywright.evaluation.run_formats.in_memory import gold_in_memory, run_in_memory
from keywright.evaluation.run_formats.reading import read_gold_file, read_run_file
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score

Labelled: TypeAlias = Iterable[LabelledDocument[Document]]
Load: TypeAlias = Callable[[str | Path], Labelled]
"""Loads labelled documents by the name of their data set."""
RunLike: TypeAlias = Run | LoadedRun | Prediction | str | Path | Mapping[Any, Any] | Iterable[Any]
"""A run, its file, results of ``extract``, lists of phrases, a dict by id, or a table."""
GoldLike: TypeAlias = str | Path | Labelled | PhraseLists | Run | Prediction | Mapping[Any, Any] | Iterable[Any]
"""A data set's name, a file, labelled documents, lists of phrases, a dict by id, or a table."""
_MIN_COMMON: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection; arbitrary."""
_LISTS: Final = "lists"
_STEMMED: Final = "the gold ships stemmed, and this protocol stems it again: kpg-stemmed-gold does not"


@dataclass(frozen=True, slots=True)
class PairedRun:
    """Predictions with their gold.

    Attributes:
        predictions: with the gold's ids.
        notes: messages for the user on what was left out or looks odd.
        stemmed: whether the gold consists of stems, which must not be stemmed again.
    """

    predictions: Run | Answers
    labelled: tuple[LabelledDocument[Document], ...]
    notes: tuple[str, ...] = ()
    stemmed: bool = False

    def report(self, protocol: Protocol) -> Report:
        """Score under a protocol."""
        report = score(self.predictions, make_gold_sets(self.labelled), protocol, select_texts(protocol, self.labelled))
        again = (_STEMMED,) if self.stemmed and protocol.normalise_gold is None else ()
        return replace(report, warnings=report.warnings + self.notes + again)


def pair_with_gold(
    run: RunLike,
    gold: GoldLike | None,
    load: Load,
    form: str | Layout | None = None,
    marks: ByteMarks = ByteMarks.STRIPPED,
) -> PairedRun:
    """Pair a run with its gold.

    The gold is a data set's name, a file, or in memory; None takes that named or contained in the run. ``load`` loads a
    data set by its name; ``marks`` are for answer files of SemEval-2010.
    """
    if isinstance(run, str | Path):
        loaded, title = read_run_file(Path(run), form, marks), Path(run).name
    else:
        loaded = run_in_memory(run)
        title = loaded.title
    data = loaded.predictions.data if isinstance(loaded.predictions, Run) else ""
    source = gold if gold is not None else loaded.labelled or data
    if gold is None and not loaded.labelled and not data:
        raise BadParameter("the run does not name its data", "name the gold: --gold DATASET")
    own_gold = source is loaded.labelled
    if own_gold:
        loaded = replace(loaded, numbered=False)  # its gold has the same numbers
    if isinstance(source, str | Path):
        in_file = read_gold_file(Path(source), layout_of(form).separator)
        lists, name = in_file or gold_in_memory(load(source)), f"gold {source}"
    else:
        lists, name = gold_in_memory(source), "the gold"
    loaded, lists = align_ids(loaded, lists, title, name)
    odd = _compare_texts(loaded.predictions, lists.labelled) + _note_crowded(loaded.predictions, lists.labelled)
    notes = loaded.notes + lists.notes + odd
    return PairedRun(loaded.predictions, lists.labelled, notes, stemmed=loaded.stemmed and own_gold)


def score_pairs(
    run: RunLike,
    rules: Iterable[Protocol],
    gold: GoldLike | None,
    load: Load,
    form: str | Layout | None = None,
) -> Iterator[tuple[Report, PairedRun]]:
    """Yield reports, each with its predictions and gold; the gold is read once, a file once for each ``marks`` rule.

    The arguments are those of ``pair_with_gold``.
    """
    pairs: dict[ByteMarks, PairedRun] = {}
    run = run if isinstance(run, str | Path) else run_in_memory(run)  # consumed once
    for protocol in rules:
        if protocol.marks not in pairs:
            labelled = next((pair.labelled for pair in pairs.values()), gold)
            pairs[protocol.marks] = pair_with_gold(run, labelled, load, form, protocol.marks)
        yield pairs[protocol.marks].report(protocol), pairs[protocol.marks]


def align_ids(loaded: LoadedRun, gold: PhraseLists, run: str, title: str) -> tuple[LoadedRun, PhraseLists]:
    """Give predictions and gold the same ids.

    Positions count where a side has no ids, and a note says so unless both have none. ``run`` and ``title`` name
    predictions and gold in messages.

    Raises:
        BadRecord: different numbers of documents, or hardly any id in common.
    """
    if not gold.numbered:
        return match_ids(loaded, gold.ids, run, title), gold
    if loaded.numbered:
        paired = match_ids(loaded, gold.ids, run, title)
        return replace(paired, notes=paired.notes[1:]), gold
    ids = _document_order(loaded, title)
    _check_numbers(gold.ids, ids, ("the gold", _LISTS), run)
    pairs = zip(ids, gold.labelled, strict=True)
    labelled = tuple(LabelledDocument(replace(each.document, id=name), each.gold) for name, each in pairs)
    note = f"{len(ids)} lists of {title} have no ids: they were taken for the documents of {run}, in its order"
    return loaded, replace(gold, labelled=labelled, numbered=False, notes=(note, *gold.notes))


def match_ids(loaded: LoadedRun, ids: Sequence[str], run: str, gold: str) -> LoadedRun:
    """Give the predictions the gold's ids; raises as ``align_ids`` does."""
    if loaded.numbered and isinstance(lines := loaded.predictions, Run):
        rows = _LISTS if loaded.form == _LISTS else "lines"
        _check_numbers([each.document_id for each in lines.predictions], ids, (run, rows), gold)
        pairs = zip(lines.predictions, ids, strict=True)
        renamed = tuple(replace(prediction, document_id=name) for prediction, name in pairs)
        note = f"{len(ids)} {rows} of {run} have no ids: they were taken for the documents of {gold}, in its order"
        numbered = replace(lines, predictions=renamed)
        return replace(loaded, predictions=numbered, notes=(note, *loaded.notes), numbered=False)
    answered = set(_list_answered(loaded.predictions))
    common = len(answered & set(ids))
    if answered and ids and common < max(1.0, _MIN_COMMON * min(len(answered), len(set(ids)))):
        shared = "no document" if not common else f"only {common} documents"
        sides = f"{run} ({len(answered)} documents) and {gold} ({len(ids)})"
        message = f"{sides} have {shared} in common, such as {min(answered)!r} against {ids[0]!r}"
        raise BadRecord(message, "score a run against the collection that it was made on: --gold DATASET")
    return loaded


def _check_numbers(numbers: Sequence[str], ids: Sequence[str], without: tuple[str, str], other: str) -> None:
    """Check that a side without ids has as many documents as the other; ``without``: its title, and its rows."""
    title, rows = without
    if len(numbers) == len(ids):
        return
    rest = f"nothing for {list_names(ids[len(numbers) :])}" if len(numbers) < len(ids) else ""
    rest = rest or f"{list_names(numbers[len(ids) :])} of the {rows} are left over"
    this, that = (f"{side} {'have' if side == PREDICTIONS else 'has'}" for side in (title, other))
    message = f"{this} {len(numbers)} {rows} without ids, but {that} {len(ids)} documents: {rest}"
    raise BadRecord(message, f"expected one of the {rows} for each document, in the same order")


def _document_order(loaded: LoadedRun, gold: str) -> tuple[str, ...]:
    """Return the ids of the documents in their order."""
    if loaded.order or not isinstance(loaded.predictions, Run):
        return loaded.order or tuple(loaded.predictions.lists)  # type: ignore[union-attr]  # answers have lists
    if loaded.predictions.failures:
        message = f"{gold} has no ids, and the run does not say where among its documents the failed ones were"
        raise BadRecord(message, "give the gold by id: {id: [phrase, ...]}")
    return tuple(prediction.document_id for prediction in loaded.predictions.predictions)


def _list_answered(run: Run | Answers) -> list[str]:
    """List the ids of documents that have an answer, or that failed."""
    if isinstance(run, Run):
        outcomes = run.outcomes
        return [outcome.document_id for outcome in outcomes]
    return [*run.lists, *run.failed]


def _compare_texts(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """Return a note if a run has a fingerprint of its texts, and the gold has the same ids but other texts."""
    if not isinstance(predictions, Run) or not predictions.texts:
        return ()
    if sorted(_list_answered(predictions)) != sorted(document.id for document in labelled):
        return ()  # a part of the collection; scoring counts missing answers
    return note_other_texts(predictions, fingerprint_texts(document.document for document in labelled))


def note_other_texts(run: Run, texts: str) -> tuple[str, ...]:
    """Return a note if the fingerprint of the gold's texts is not the run's."""
    if texts == run.texts:
        return ()
    return (f"the run was made from other texts than the gold's: fingerprints {run.texts} and {texts}",)


def _note_crowded(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    if isinstance(predictions, Run):
        sizes = {prediction.document_id: len(prediction.keyphrases) for prediction in predictions.predictions}
    else:
        sizes = {name: len(phrases) for name, phrases in predictions.lists.items()}
    return note_crowded(sum(0 < len(each.document.text) < sizes.get(each.id, 0) for each in labelled))


def note_crowded(documents: int) -> tuple[str, ...]:
    """Return a note on documents with more phrases than characters, which point to a broken run."""
    return count_note(documents, "documents have more phrases than characters")
