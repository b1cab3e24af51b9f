"""Runs that are to be combined, with the texts and the gold of their documents."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from keywright.api.labelled import data_of
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.fingerprints import of_texts
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.datasets.collection import DataSet
from keywright.ensembles.aligned_runs import run_title
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.reading import matched, read_gold_file, read_run_file

Labelled: TypeAlias = str | Path | Iterable[LabelledDocument[Document]]
"""Labelled documents, or the name or file of a data set."""


@dataclass(frozen=True, slots=True)
class GivenRuns:
    """Runs, and what is known of their documents.

    Attributes:
        runs: with the ids of the known documents.
        brought: labelled documents that a file brings along.
        documents: whose texts tell present phrases from absent ones: those that were named, else those brought along.
        notes: what looks odd, for people.
    """

    runs: tuple[Run, ...]
    brought: tuple[LabelledDocument[Document], ...]
    documents: tuple[Document, ...]
    notes: tuple[str, ...]

    @property
    def ids(self) -> set[str]:
        """Documents that a run answers."""
        return {one.document_id for run in self.runs for one in run.predictions}

    @property
    def data(self) -> str:
        """The data set that a run names; empty when none does."""
        return next((run.data for run in self.runs if run.data), "")

    def all_documents(self, known: Collection[str] = ()) -> tuple[Document, ...]:
        """The documents; of the data set that the runs name, where there are none for all ids but the known ones."""
        have = {one.id for one in self.documents}
        if self.data and self.ids - have - set(known):
            return (*self.documents, *(one.document for one in data_of(self.data) if one.id not in have))
        return self.documents


def given_runs(runs: Iterable[Run | str | Path], texts: Labelled | None, form: str | None) -> GivenRuns:
    """Runs read, and their texts.

    Args:
        runs: runs, or files.
        texts: labelled documents; None takes what a file brings along.
        form: format of the files; None recognises it.

    Raises:
        UnreadableInput: a file is missing, of no known format or broken, or holds stems.
    """
    found = [LoadedRun("keywright", one) if isinstance(one, Run) else read_run_file(Path(one), form) for one in runs]
    brought = next((one.labelled for one in found if one.labelled), ())
    known = brought if texts is None else labelled_of(texts, to_learn=False)[0]
    ids = [one.id for one in known]
    found = [matched(one, ids, "the run", "the texts") if one.numbered and ids else one for one in found]
    given = tuple(_run(one) for one in found)
    documents = tuple(one.document for one in known)
    return GivenRuns(given, brought, documents, (*_notes(found), *_odd(given, documents), *_other(found)))


def gold_of(given: GivenRuns, gold: Labelled | None) -> tuple[Sequence[LabelledDocument[Document]], str]:
    """What is to be learned from, and what it is run_title: as named, else what files bring, else the runs' data set.

    Raises:
        BadParameter: there is none, or it is held out for reporting.
    """
    if gold is not None:
        return labelled_of(gold)
    if given.brought:
        return given.brought, given.data
    if not given.data:
        message = "there is nothing to learn from: the runs neither bring gold along nor name their data"
        raise BadParameter(message, "name the gold: --gold DATASET")
    return labelled_of(given.data)


def labelled_of(given: Labelled, *, to_learn: bool = True) -> tuple[Sequence[LabelledDocument[Document]], str]:
    """Of a data set by its name, of a file of ours or of other tools, or as given; and what they are run_title.

    Raises:
        BadParameter: their gold is for reporting only, and was to be learned from.
    """
    if not isinstance(given, str | Path | DataSet):
        return tuple(given), ""
    foreign = None if isinstance(given, DataSet) else read_gold_file(Path(given))
    if foreign is not None:
        return foreign, str(given)
    data = data_of(given)
    if to_learn:
        data.check_learnable("learn from another split")
    return tuple(data), data.signature if to_learn else data.name


def _run(found: LoadedRun) -> Run:
    """The run of a file.

    Raises:
        BadRecord: it holds stems as a scorer takes them.
    """
    if not isinstance(found.predictions, Run):
        message = f"{found.predictions.run} holds answers as a scorer takes them, in format {found.form}"
        raise BadRecord(message, "combine runs of phrases, such as `keywright run` writes")
    return found.predictions


def _notes(found: Sequence[LoadedRun]) -> tuple[str, ...]:
    """What readers noted: of all files once, else with the run."""
    times = Counter(note for one in found for note in one.notes)
    notes: dict[str, None] = {}
    for one in found:
        for note in one.notes:
            notes[note if times[note] == len(found) else f"{run_title(_run(one))}: {note}"] = None
    return tuple(notes)


def _odd(runs: Sequence[Run], documents: Sequence[Document]) -> tuple[str, ...]:
    """Runs that come twice, and texts that are not those which runs were made from."""
    repeated = [at for at, run in enumerate(runs) if _same(run, runs[:at])]
    notes = [f"run {at + 1} is {run_title(runs[at])} once more: what it says counts twice" for at in repeated]
    made = next((run for run in runs if run.texts), None)
    if made and documents and _answered(made) == {one.id for one in documents}:
        theirs = of_texts(documents)
        if theirs != made.texts:
            notes.append(
                f"{run_title(made)} was made from other texts than these: fingerprints {made.texts} and {theirs}"
            )
    return tuple(notes)


def _answered(run: Run) -> set[str]:
    """Documents with an answer or a failure."""
    return {one.document_id for one in run.predictions} | {one.document_id for one in run.failures}


def _same(run: Run, others: Iterable[Run]) -> bool:
    return any(run is one or (run.system == one.system and run.predictions == one.predictions) for one in others)


def _other(found: Sequence[LoadedRun]) -> tuple[str, ...]:
    """A note if files bring other texts along under the same ids."""
    bringing = [(_run(one), of_texts(each.document for each in one.labelled)) for one in found if one.labelled]
    return tuple(
        f"{run_title(run)} brings other texts along than {run_title(bringing[0][0])}, whose texts tell what is present"
        for run, texts in bringing[1:]
        if texts != bringing[0][1]
    )
