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
from keywright.evaluation.run_formats.format import PREDICTIONS, Layout, LoadedRun, count_note, layout_of
from keywright.evaluation.run_formats.in_memory import gold_in_memory, run_in_memory
from keywright.evaluation.run_formats.phrase_lists import PhraseLists
from keywright.evaluation.run_formats.reading import read_gold_file, read_run_file
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score

_MIN_COMMON: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection; arbitrary."""
_LISTS: Final = "lists"


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
    """Give the predictions the gold's ids."""
    if loaded.numbered and isinstance(loaded.predictions, Run):
        note, renamed = _rename_in_order(loaded, loaded.predictions, ids, (run, gold))
        return replace(loaded, predictions=renamed, notes=(note, *loaded.notes), numbered=False)
    answered = _answered_ids(loaded.predictions)
    common = len(answered & set(ids))
    if answered and ids and common < max(1.0, _MIN_COMMON * min(len(answered), len(set(ids)))):
        shared = "no document" if not common else f"only {common} documents"
        examples = f"{min(answered)!r} against {ids[0]!r}"
        message = (
            f"{run} ({len(answered)} documents) and {gold} ({len(ids)}) have {shared} in common, such as {examples}"
        )
        raise BadRecord(message, "score a run against the collection that it was made on: --gold DATASET")
    return loaded


def _rename_in_order(loaded: LoadedRun, lines: Run, ids: Sequence[str], titles: tuple[str, str]) -> tuple[str, Run]:
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
    rest = f"nothing for {list_names(ids[len(numbers) :])}" if len(numbers) < len(ids) else ""
    rest = rest or f"{list_names(numbers[len(ids) :])} of the {rows} are left over"
    sides = f"{_say_has(title)} {len(numbers)} {rows} without ids, but {_say_has(other)} {len(ids)} documents"
    raise BadRecord(f"{sides}: {rest}", f"expected one of the {rows} for each document, in the same order")


def _say_has(title: str) -> str:
    return f"{title} have" if title == PREDICTIONS else f"{title} has"


def _document_order(loaded: LoadedRun, gold: str) -> tuple[str, ...]:
    """Return the ids of the documents in their order."""
    if loaded.order or not isinstance(loaded.predictions, Run):
        return loaded.order or tuple(loaded.predictions.lists)  # type: ignore[union-attr]  # answers have lists
    if loaded.predictions.failures:
        message = f"{gold} has no ids, and the run does not say where among its documents the failed ones were"
        raise BadRecord(message, "give the gold by id: {id: [phrase, ...]}")
    return tuple(prediction.document_id for prediction in loaded.predictions.predictions)


def _answered_ids(run: Run | Answers) -> set[str]:
    """Return documents that have an answer, or that failed."""
    if isinstance(run, Run):
        predicted = {prediction.document_id for prediction in run.predictions}
        return predicted | {failure.document_id for failure in run.failures}
    return {*run.lists, *run.failed}


Labelled: TypeAlias = Iterable[LabelledDocument[Document]]
Load: TypeAlias = Callable[[str | Path], Labelled]
"""Loads labelled documents by the name of their data set."""
RunLike: TypeAlias = Run | LoadedRun | Prediction | str | Path | Mapping[Any, Any] | Iterable[Any]
"""A run, its file, results of ``extract``, lists of phrases, a dict by id, or a table."""
GoldLike: TypeAlias = str | Path | Labelled | PhraseLists | Run | Prediction | Mapping[Any, Any] | Iterable[Any]
"""A data set's name, a file, labelled documents, lists of phrases, a dict by id, or a table."""
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
    loaded = read_run_file(Path(run), form, marks) if isinstance(run, str | Path) else run_in_memory(run)
    title = Path(run).name if isinstance(run, str | Path) else loaded.title
    data = loaded.predictions.data if isinstance(loaded.predictions, Run) else ""
    source = gold if gold is not None else loaded.labelled or data
    if gold is None and not loaded.labelled and not data:
        raise BadParameter("the run does not name its data", "name the gold: --gold DATASET")
    own_gold = source is loaded.labelled
    if own_gold:
        loaded = replace(loaded, numbered=False)  # its gold has the same numbers
    lists = _load_gold(source, load, layout_of(form).separator)
    name = f"gold {source}" if isinstance(source, str | Path) else "the gold"
    loaded, lists = align_ids(loaded, lists, title, name)
    odd = _note_other_texts(loaded.predictions, lists.labelled) + _note_crowded(loaded.predictions, lists.labelled)
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

    The arguments are those of ``judge``.
    """
    judged: dict[ByteMarks, PairedRun] = {}
    run = run if isinstance(run, str | Path) else run_in_memory(run)  # consumed once
    for protocol in rules:
        if protocol.marks not in judged:
            labelled = next((pair.labelled for pair in judged.values()), gold)
            judged[protocol.marks] = pair_with_gold(run, labelled, load, form, protocol.marks)
        yield judged[protocol.marks].report(protocol), judged[protocol.marks]


def _load_gold(source: GoldLike, load: Load, separator: str | None) -> PhraseLists:
    """Load gold from another tool's file, from a data set, or from memory."""
    if not isinstance(source, str | Path):
        return gold_in_memory(source)
    return read_gold_file(Path(source), separator) or gold_in_memory(load(source))


def _note_other_texts(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """Return a note if a run has a fingerprint of its texts, and the gold has the same ids but other texts."""
    if not isinstance(predictions, Run) or not predictions.texts:
        return ()
    answered = [prediction.document_id for prediction in predictions.predictions]
    answered += [failure.document_id for failure in predictions.failures]
    if sorted(answered) != sorted(document.id for document in labelled):
        return ()  # a part of the collection; scoring counts missing answers
    texts = fingerprint_texts(document.document for document in labelled)
    if texts == predictions.texts:
        return ()
    return (f"the run was made from other texts than the gold's: fingerprints {predictions.texts} and {texts}",)


def _note_crowded(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """Return a note if documents have more phrases than characters, which points to a broken run."""
    if isinstance(predictions, Run):
        sizes = {prediction.document_id: len(prediction.keyphrases) for prediction in predictions.predictions}
    else:
        sizes = {name: len(phrases) for name, phrases in predictions.lists.items()}
    count = sum(0 < len(document.document.text) < sizes.get(document.id, 0) for document in labelled)
    return count_note(count, "documents have more phrases than characters")
