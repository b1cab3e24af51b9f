"""Pair predictions from any source with the gold they belong to: by id, or by position where one side has no ids.

Large run files beside their gold are scored document after document, so that neither is ever in memory as a whole. This
needs no more than that the run has the order of the gold, as ``keywright run`` writes it; reports are equal.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, list_names
from keywright.core.json_values import check_object
from keywright.core.predictions import Prediction, Run
from keywright.core.records import read_outcome, read_run
from keywright.core.signatures import fingerprint_digests, fingerprint_texts, hash_document
from keywright.evaluation.answers import Answers, make_gold_sets, select_texts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks, OddIds
from keywright.evaluation.run_formats import format as frame
from keywright.evaluation.run_formats.files import NATIVE
from keywright.evaluation.run_formats.format import LayoutLike, LoadedRun, PhraseLists, Source, count_note
from keywright.evaluation.run_formats.in_memory import gold_in_memory, run_in_memory
from keywright.evaluation.run_formats.reading import read_gold_file, read_gold_source, read_run_file, recognise_format
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import Pair, score, score_stream
from keywright.reading.limits import Limits, open_unpacked

Labelled: TypeAlias = Iterable[LabelledDocument[Document]]
Load: TypeAlias = Callable[[str | Path], Labelled]  # loads labelled documents by the name of their data set
RunLike: TypeAlias = Run | LoadedRun | Prediction | str | Path | Mapping[Any, Any] | Iterable[Any]
"""A run, its file, results of ``extract``, lists of phrases, a dict by id, or a table."""
GoldLike: TypeAlias = str | Path | Labelled | PhraseLists | Run | Prediction | Mapping[Any, Any] | Iterable[Any]
"""A data set's name, a file, labelled documents, lists of phrases, a dict by id, or a table."""
_MIN_COMMON: Final = 0.1
"""Share of ids in common, of the smaller side, below which a run belongs to another collection; arbitrary."""
_LISTS: Final = "lists"
_PREDICTIONS: Final = "the predictions"
_STEMMED: Final = "the gold ships stemmed, and this protocol stems it again: kpg-stemmed-gold does not"


@dataclass(frozen=True, slots=True)
class PairedRun:
    """Predictions with their gold."""

    predictions: Run | Answers  # with the gold's ids
    labelled: tuple[LabelledDocument[Document], ...]
    notes: tuple[str, ...] = ()  # messages for the user on what was left out or looks odd
    stemmed: bool = False  # whether the gold consists of stems, which must not be stemmed again

    def report(self, protocol: Protocol) -> Report:
        """Score under a protocol."""
        report = score(self.predictions, make_gold_sets(self.labelled), protocol, select_texts(protocol, self.labelled))
        again = (_STEMMED,) if self.stemmed and protocol.normalise_gold is None else ()
        return replace(report, warnings=report.warnings + self.notes + again + self._note_no_hits(report))

    def _note_no_hits(self, report: Report) -> tuple[str, ...]:
        """Return a note if no phrase is in the gold of any document, which is rarely the fault of a system."""
        lists = self.predictions.lists if isinstance(self.predictions, Answers) else {}
        lists = lists or {each.document_id: each.texts for each in getattr(self.predictions, "predictions", ())}
        examples = ((lists.get(each.id, ())[:1], each.gold, each.id) for each in self.labelled)
        example = next((each for each in examples if each[0] and each[1]), None)
        if example is None or not report.counts or any(counts.hits.any() for counts in report.counts.values()):
            return ()
        (phrase,), gold, name = example
        sides = f"such as {phrase!r:.60} against {gold[0].forms[0]!r:.60} for {name!r}"
        return (f"no phrase of the run is in the gold of any document, {sides}: are format, order and gold right?",)


def pair_with_gold(
    run: RunLike, gold: GoldLike | None, load: Load, form: LayoutLike = None, marks: ByteMarks = ByteMarks.STRIPPED
) -> PairedRun:
    """Pair a run with its gold.

    The gold is a data set's name, a file, or in memory; None takes that named or contained in the run. ``load`` loads a
    data set by its name; ``marks`` are for answer files of SemEval-2010.
    """
    if isinstance(run, str | Path):
        loaded, title = read_run_file(Path(run), form, marks), Path(run).name
    else:
        loaded = run_in_memory(run)
        title = "the run" if loaded.form == "keywright" else _PREDICTIONS
    data = loaded.predictions.data if isinstance(loaded.predictions, Run) else ""
    source = gold if gold is not None else loaded.labelled or data
    if gold is None and not loaded.labelled and not data:
        raise BadParameter("the run does not name its data", "name the gold: --gold DATASET")
    own_gold = source is loaded.labelled
    if own_gold:
        loaded = replace(loaded, numbered=False)  # its gold has the same numbers
    if isinstance(source, str | Path):
        in_file = read_gold_file(Path(source), frame.layout_of(form).separator)
        lists, name = in_file or gold_in_memory(load(source)), f"gold {source}"
    else:
        lists, name = gold_in_memory(source), "the gold"
    loaded, lists = align_ids(loaded, lists, title, name)
    notes = (*loaded.notes, *lists.notes, *_note_oddities(loaded, lists.labelled))
    return PairedRun(loaded.predictions, lists.labelled, notes, stemmed=loaded.stemmed and own_gold)


def score_pairs(
    run: RunLike, rules: Iterable[Protocol], gold: GoldLike | None, load: Load, form: LayoutLike = None
) -> Iterator[tuple[Report, PairedRun]]:
    """Yield reports with their predictions and gold, which is read once. Arguments are those of ``pair_with_gold``."""
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
    predictions and gold in messages. Raises BadRecord: different numbers of documents, or hardly any id in common.
    """
    if not gold.numbered:
        return match_ids(loaded, gold.ids, run, title), gold
    if loaded.numbered:
        paired = match_ids(loaded, gold.ids, run, title)
        return replace(paired, notes=paired.notes[1:]), gold
    if not loaded.order and isinstance(loaded.predictions, Run) and loaded.predictions.failures:
        message = f"{title} has no ids, and the run does not say where among its documents the failed ones were"
        raise BadRecord(message, "give the gold by id: {id: [phrase, ...]}")
    ids = loaded.order or tuple(name for name, _ in loaded.lists())
    _check_numbers(gold.ids, ids, "the gold", _LISTS, run)
    pairs = zip(ids, gold.labelled, strict=True)
    labelled = tuple(LabelledDocument(replace(each.document, id=name), each.gold) for name, each in pairs)
    note = f"{len(ids)} lists of {title} have no ids: they were taken for the documents of {run}, in its order"
    return loaded, replace(gold, labelled=labelled, numbered=False, notes=(note, *gold.notes))


def match_ids(loaded: LoadedRun, ids: Sequence[str], run: str, gold: str) -> LoadedRun:
    """Give the predictions the gold's ids; raises as ``align_ids`` does."""
    if loaded.numbered and isinstance(lines := loaded.predictions, Run):
        rows = _LISTS if loaded.form == _LISTS else "lines"
        _check_numbers([each.document_id for each in lines.predictions], ids, run, rows, gold)
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


def _check_numbers(numbers: Sequence[str], ids: Sequence[str], without: str, rows: str, other: str) -> None:
    """Check that a side without ids has as many documents as the other; ``without`` and ``other``: titles."""
    if len(numbers) == len(ids):
        return
    rest = f"{list_names(numbers[len(ids) :])} of the {rows} are left over"
    if len(numbers) < len(ids):
        rest = f"nothing for {list_names(ids[len(numbers) :])}"
    this, that = (f"{side} {'have' if side == _PREDICTIONS else 'has'}" for side in (without, other))
    message = f"{this} {len(numbers)} {rows} without ids, but {that} {len(ids)} documents: {rest}"
    raise BadRecord(message, f"expected one of the {rows} for each document, in the same order")


def _list_answered(run: Run | Answers) -> list[str]:
    return [outcome.document_id for outcome in run.outcomes] if isinstance(run, Run) else [*run.lists, *run.failed]


def _note_oddities(loaded: LoadedRun, labelled: tuple[LabelledDocument[Document], ...]) -> Iterator[str]:
    """Yield notes on other texts than those of the run, if it tells them, and on too many phrases."""
    run = loaded.predictions
    # In a run over a part of the collection, scoring counts missing answers.
    if isinstance(run, Run) and run.texts and sorted(_list_answered(run)) == sorted(each.id for each in labelled):
        yield from note_other_texts(run, fingerprint_texts(each.document for each in labelled))
    sizes = {name: len(phrases) for name, phrases in loaded.lists()}
    yield from note_crowded(sum(0 < len(each.document.text) < sizes.get(each.id, 0) for each in labelled))


def note_other_texts(run: Run, texts: str) -> tuple[str, ...]:
    """Return a note if the fingerprint of the gold's texts is not the run's."""
    if texts == run.texts:
        return ()
    return (f"the run was made from other texts than the gold's: fingerprints {run.texts} and {texts}",)


def note_crowded(documents: int) -> tuple[str, ...]:
    """Return a note on documents with more phrases than characters, which point to a broken run."""
    return count_note(documents, "documents have more phrases than characters")


LARGE: Final = 20_000_000
"""Bytes of a run file from which it is scored as it is read: some 20,000 documents, 200 MB in memory. Arbitrary."""
_HEAD: Final = 1 << 16  # bytes that show the format of a file; arbitrary
_BLOCK: Final = 2_000  # documents in memory at a time; arbitrary
_MOST_MISSING: Final = 1_000
"""Documents without an answer that are remembered until the failures at the end of a run are read; arbitrary."""


class Unordered(BadRecord):
    """A run whose documents do not have the order of the gold, or lack many of them."""

    def __init__(self, problem: str) -> None:
        hint = "files of this size are scored as they are read: write the run in the order of the gold"
        super().__init__(f"the run does not have the order of the gold: {problem}", hint)


@dataclass(slots=True)
class _Notes:
    """Findings about documents while they pass."""

    missing: set[str] = field(default_factory=set)  # ids without a prediction
    failed: list[str] = field(default_factory=list)  # ids of documents on which the system failed
    crowded: int = 0  # documents with more phrases than characters
    digests: bytearray = field(default_factory=bytearray)  # hashes of the documents


@dataclass(frozen=True, slots=True)
class StreamedFiles:
    """A run file and its gold."""

    path: Path
    header: Run  # the run without its documents
    gold: Iterable[LabelledDocument[Document]]  # labelled documents, which can be iterated again

    def report(self, protocol: Protocol) -> Report:
        """Score under a protocol.

        Raises:
            Unordered: the run has another order than the gold, or a document is missing that the protocol requires.
            BadRecord: a line of the run is broken.
        """
        kinds = protocol.golds or tuple(dict.fromkeys(entry.by for paper in self.gold for entry in paper.gold))
        notes = _Notes()
        # Failures come last in a run: only then it is known which documents have no answer at all.
        lenient = replace(protocol, missing_ids=OddIds.COUNTED)
        report = score_stream(self._pairs(notes), lenient, kinds, self.header.system, _BLOCK)
        unanswered = notes.missing.difference(notes.failed)
        if unanswered and protocol.missing_ids is OddIds.REFUSED:
            raise Unordered(f"documents such as {min(unanswered)!r} have no answer")
        odd = {"no answer": len(unanswered), "failed": len(notes.failed)}
        rest = {reason: count for reason, count in report.skipped.items() if reason not in odd}
        skipped = {reason: count for reason, count in odd.items() if count} | rest
        warnings = report.warnings
        if self.header.texts and not unanswered:
            np.frombuffer(notes.digests, "S32").sort()  # in place
            warnings += note_other_texts(self.header, fingerprint_digests(notes.digests))
        warnings += note_crowded(notes.crowded)
        return replace(report, protocol=protocol.signature, skipped=skipped, warnings=warnings)

    def _pairs(self, notes: _Notes) -> Iterator[Pair]:
        """Yield each gold document with its prediction; documents that are not in the run come without."""
        predictions = self._predictions(notes)
        current = next(predictions, None)
        for labelled in self.gold:
            prediction = current if current is not None and current.document_id == labelled.id else None
            if prediction is not None:
                current = next(predictions, None)
                notes.crowded += 0 < len(labelled.document.text) < len(prediction.keyphrases)
            else:
                notes.missing.add(labelled.id)
                if len(notes.missing) > _MOST_MISSING:
                    places = f"{len(notes.missing)} documents such as {labelled.id!r} are not where they should be"
                    raise Unordered(places)
            if self.header.texts:
                notes.digests += hash_document(labelled.document)
            yield prediction, labelled
        if current is not None:
            raise Unordered(f"the prediction for {current.document_id!r} is not where it should be")
        if not set(notes.failed) <= notes.missing or len(set(notes.failed)) < len(notes.failed):
            raise Unordered("its failures are not those of documents without a prediction")

    def _predictions(self, notes: _Notes) -> Iterator[Prediction]:
        """Yield the predictions of the run file, in its order; the ids of failures are noted."""
        with self.path.open("rb") as stream:
            lines = enumerate(open_unpacked(stream, self.path.name, Limits()), start=1)
            next((line for _, line in lines if line.strip()), None)  # the header
            for number, line in lines:
                if line.strip():
                    with frame.locate_errors(f"line {number} of {self.path.name}", "a file that `keywright run` wrote"):
                        outcome = read_outcome(check_object(json.loads(line)))
                    if isinstance(outcome, Prediction):
                        yield outcome
                    else:
                        notes.failed.append(outcome.document_id)


def stream_files(run: Path, gold: str | Path | None, load: Load) -> StreamedFiles | None:
    """Return a run file with its gold (None: that of the run), if it is large and both are of keywright; else None."""
    if not run.is_file() or run.stat().st_size < LARGE:
        return None
    head = _read_head(run)
    if recognise_format(head) is not NATIVE:
        return None
    header = read_run(head.lines()[:1], run.name)
    source = gold or header.data
    if header.predictions or not source:
        return None
    if Path(source).is_dir() or (Path(source).is_file() and read_gold_source(_read_head(Path(source))) is not None):
        return None
    data = load(source)
    first = next(iter(data), None)
    if first is None or first.document.meta.get("category") is not None:  # intervals by category need all of them
        return None
    return StreamedFiles(run, header, data)


def _read_head(path: Path) -> Source:
    with path.open("rb") as stream:
        data = open_unpacked(stream, path.name, Limits()).read(_HEAD)
    return Source(path.name, data[: data.rfind(b"\n") + 1] or data)
