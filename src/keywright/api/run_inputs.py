"""Runs to combine, with the texts and the gold of their documents."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from keywright.api.inputs import data_of
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Run
from keywright.core.signatures import of_texts
from keywright.datasets.collection import DataSet
from keywright.ensembles.aligned_runs import run_title
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.in_memory.alignment import matched
from keywright.evaluation.run_formats.reading import read_gold_file, read_run_file

Labelled: TypeAlias = str | Path | Iterable[LabelledDocument[Document]]
"""Labelled documents, or the name or file of a data set."""


@dataclass(frozen=True, slots=True)
class InputRuns:
    """Runs, and what is known of their documents.

    Attributes:
        runs: with the ids of ``documents``.
        brought: labelled documents that a file brings along.
        documents: documents whose texts decide which phrases are present: named by the caller, else brought along.
    """

    runs: tuple[Run, ...]
    brought: tuple[LabelledDocument[Document], ...]
    documents: tuple[Document, ...]
    notes: tuple[str, ...]

    @property
    def ids(self) -> set[str]:
        """Ids of the documents with a prediction."""
        return {prediction.document_id for run in self.runs for prediction in run.predictions}

    @property
    def data(self) -> str:
        """The data set that a run names; empty if none does."""
        return next((run.data for run in self.runs if run.data), "")

    def all_documents(self, training: Collection[str] = ()) -> tuple[Document, ...]:
        """Return the documents; if ids other than ``training`` are missing, with those of the runs' data set."""
        have = {document.id for document in self.documents}
        if self.data and self.ids - have - set(training):
            rest = (labelled.document for labelled in data_of(self.data) if labelled.id not in have)
            return (*self.documents, *rest)
        return self.documents


def read_runs(runs: Iterable[Run | str | Path], texts: Labelled | None, form: str | None) -> InputRuns:
    """Read runs and their texts."""
    read = [LoadedRun("keywright", run) if isinstance(run, Run) else read_run_file(Path(run), form) for run in runs]
    brought = next((file.labelled for file in read if file.labelled), ())
    labelled = brought if texts is None else labelled_of(texts, to_learn=False)[0]
    ids = [each.id for each in labelled]
    read = [matched(file, ids, "the run", "the texts") if file.numbered and ids else file for file in read]
    input_runs = tuple(map(_run, read))
    documents = tuple(each.document for each in labelled)
    notes = (*_reader_notes(read), *_oddities(input_runs, documents), *_other_texts(read))
    return InputRuns(input_runs, brought, documents, notes)


def gold_of(runs: InputRuns, gold: Labelled | None) -> tuple[Sequence[LabelledDocument[Document]], str]:
    """Return training documents and their name: as named, else brought along, else the runs' data set."""
    if gold is not None:
        return labelled_of(gold)
    if runs.brought:
        return runs.brought, runs.data
    if not runs.data:
        message = "there is no gold to train on: the runs contain none and do not name their data"
        raise BadParameter(message, "name the gold: --gold DATASET")
    return labelled_of(runs.data)


def labelled_of(labelled: Labelled, *, to_learn: bool = True) -> tuple[Sequence[LabelledDocument[Document]], str]:
    """Return labelled documents and their name, from a data set, or a file of this or other tools."""
    if not isinstance(labelled, str | Path | DataSet):
        return tuple(labelled), ""
    foreign = None if isinstance(labelled, DataSet) else read_gold_file(Path(labelled))
    if foreign is not None:
        return foreign.labelled, str(labelled)
    data = data_of(labelled)
    if to_learn:
        data.check_learnable("learn from another split")
    return tuple(data), data.signature if to_learn else data.name


def _run(file: LoadedRun) -> Run:
    if not isinstance(file.predictions, Run):
        message = f"{file.predictions.run} holds answers as a scorer takes them, in format {file.form}"
        raise BadRecord(message, "combine runs of phrases, such as `keywright run` writes")
    return file.predictions


def _reader_notes(read: Sequence[LoadedRun]) -> tuple[str, ...]:
    """Return the notes of readers: those on all files once, others with the name of the run."""
    times = Counter(note for file in read for note in file.notes)
    notes: dict[str, None] = {}
    for file in read:
        for note in file.notes:
            notes[note if times[note] == len(read) else f"{run_title(_run(file))}: {note}"] = None
    return tuple(notes)


def _oddities(runs: Sequence[Run], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return notes on runs that come twice, and on runs over other texts than ``documents``."""
    repeated = [index for index, run in enumerate(runs) if _same(run, runs[:index])]
    notes = [f"run {index + 1} is {run_title(runs[index])} again: its phrases count twice" for index in repeated]
    signed = next((run for run in runs if run.texts), None)
    if signed and documents and _answered(signed) == {document.id for document in documents}:
        texts = of_texts(documents)
        if texts != signed.texts:
            message = (
                f"{run_title(signed)} was made from other texts than these: fingerprints {signed.texts} and {texts}"
            )
            notes.append(message)
    return tuple(notes)


def _answered(run: Run) -> set[str]:
    return {each.document_id for each in run.predictions} | {each.document_id for each in run.failures}


def _same(run: Run, others: Iterable[Run]) -> bool:
    return any(run is each or (run.system == each.system and run.predictions == each.predictions) for each in others)


def _other_texts(read: Sequence[LoadedRun]) -> tuple[str, ...]:
    """Return notes on files that bring other texts along under the same ids."""
    bringing = [(_run(file), of_texts(each.document for each in file.labelled)) for file in read if file.labelled]
    return tuple(
        f"{run_title(run)} has other texts than {run_title(bringing[0][0])}, whose texts decide what is present"
        for run, texts in bringing[1:]
        if texts != bringing[0][1]
    )
