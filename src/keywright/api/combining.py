"""Several runs combined into one, with the texts and the gold of their documents."""

from collections import Counter, abc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, TypedDict, Unpack

from keywright.api.inputs import data_of
from keywright.calibration.calibrators.calibrating import ADVISED
from keywright.calibration.calibrators.model import FOLDS
from keywright.core.atomic_files import check_file, whole_file
from keywright.core.choices import CombineMethod
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, unknown_name
from keywright.core.predictions import Run
from keywright.core.records import run_lines
from keywright.core.signatures import fingerprint_texts
from keywright.datasets.collection import DataSet
from keywright.ensembles import meta_ranker as meta_ranker_file
from keywright.ensembles.combining import align_runs, check_texts, estimate_absence, select_labelled, title_run
from keywright.ensembles.combining import combine as combine_runs
from keywright.ensembles.meta_ranker import NAME as META_RANKER
from keywright.ensembles.meta_ranker import MetaRanker, cross_fit, prepare_training
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.pairing import match_ids
from keywright.evaluation.run_formats.reading import read_gold_file, read_run_file

Labelled: TypeAlias = str | Path | Iterable[LabelledDocument[Document]]  # labelled documents, or their data set


@dataclass(frozen=True, slots=True)
class InputRuns:
    """Runs, labelled documents that a file brings along, and documents whose texts decide which phrases are present."""

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

    def all_documents(self, training: abc.Collection[str] = ()) -> tuple[Document, ...]:
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
    read = [match_ids(file, ids, "the run", "the texts") if file.numbered and ids else file for file in read]
    documents = tuple(each.document for each in labelled)
    notes = tuple(dict.fromkeys(_note_oddities(read, documents)))
    return InputRuns(tuple(map(_run_of_file, read)), brought, documents, notes)


def labelled_of(labelled: Labelled, *, to_learn: bool = True) -> tuple[tuple[LabelledDocument[Document], ...], str]:
    """Return labelled documents and their name, from a data set, or a file of this or other tools."""
    if not isinstance(labelled, str | Path | DataSet):
        return tuple(labelled), ""
    foreign = None if isinstance(labelled, DataSet) else read_gold_file(Path(labelled))
    if foreign is not None:
        return tuple(foreign.labelled), str(labelled)
    data = data_of(labelled)
    if to_learn:
        data.check_learnable("learn from another split")
    return tuple(data), data.signature if to_learn else data.name


def _run_of_file(file: LoadedRun) -> Run:
    if not isinstance(file.predictions, Run):
        message = f"{file.predictions.run} holds answers as a scorer takes them, in format {file.form}"
        raise BadRecord(message, "combine runs of phrases, such as `keywright run` writes")
    return file.predictions


def _note_oddities(read: Sequence[LoadedRun], documents: Sequence[Document]) -> Iterator[str]:
    """Yield readers' notes, with a run's name unless on all files, of runs that come twice and other texts."""
    runs = list(map(_run_of_file, read))
    times = Counter(note for file in read for note in file.notes)
    for run, file in zip(runs, read, strict=True):
        yield from (note if times[note] == len(read) else f"{title_run(run)}: {note}" for note in file.notes)
    for index, run in enumerate(runs):
        earlier = ((each.system, each.predictions) for each in runs[:index])
        if (run.system, run.predictions) in earlier:
            yield f"run {index + 1} is {title_run(run)} again: its phrases count twice"
    signed = next((run for run in runs if run.texts), None)
    if signed and documents and {each.document_id for each in signed.outcomes} == {each.id for each in documents}:
        texts = fingerprint_texts(documents)
        if texts != signed.texts:
            prints = f"fingerprints {signed.texts} and {texts}"
            yield f"{title_run(signed)} was made from other texts than these: {prints}"
    bringing = [
        (title_run(run), fingerprint_texts(each.document for each in file.labelled))
        for run, file in zip(runs, read, strict=True)
        if file.labelled
    ]
    for name, texts in bringing:
        if texts != bringing[0][1]:
            yield f"{name} has other texts than {bringing[0][0]}, whose texts decide what is present"


METHODS: Final = tuple(map(str, CombineMethod))  # ways to combine
_LEARNING: Final = (Method.PROBABILITIES, META_RANKER)

Runs: TypeAlias = Iterable[Run | str | Path]  # runs, run files, or files or folders of other tools


class CombineKeywords(TypedDict, total=False):
    """Further keywords of ``combine``.

    Attributes:
        texts: documents whose texts decide which phrases are present; None takes the texts that a file brings along,
            and for the meta-ranker otherwise those of the data set that the runs name. Votes without any texts take
            phrases with spans as present.
        gold: documents with gold. For ``probabilities``: some of the documents, from which the probability of phrases
            that a run leaves out is estimated (0 without them); do not score on them. For ``meta-ranker``: at least
            20 training documents; None takes what a file brings along, or the data set that the runs name.
        save: file for the meta-ranker trained on all of the gold.
        model: meta-ranker, or its file, to rank with; nothing is trained.
        tell: called with notes for people: how the run was made, and oddities of the runs.
    """

    texts: Labelled | None
    gold: Labelled | None
    save: str | Path | None
    model: MetaRanker | str | Path | None
    form: str | None
    tell: Callable[[str], None]


def combine(
    runs: Runs, method: str = Method.VOTES, output: str | Path | None = None, **keywords: Unpack[CombineKeywords]
) -> Run:
    """Combine runs over the same documents: see ``ensembles.voting`` and ``ensembles.meta_ranker``.

    >>> import keywright as kw
    >>> runs = [kw.run(name, "examples/abstracts.jsonl", top=5) for name in ("kpminer", "tfidf")]
    >>> kw.combine(runs).predictions[0].texts[:2]
    ('leaks', 'pipe')

    Args:
        method: ``votes``, ``ranks``, ``probabilities`` (every phrase of every run needs one), or ``meta-ranker``: each
            labelled document is ranked by trees trained on the others, any other document by trees trained on all.
        keywords: see ``CombineKeywords``.

    Raises:
        UnreadableInput: the runs are over different documents, hold stems in place of phrases, or lack probabilities
            that the method needs; or the gold is for other documents.
        BadParameter: fewer than two runs; gold or a meta-ranker for a method that takes none; gold that is held out
            for reporting, or of fewer than 20 documents; a meta-ranker of other systems.
    """
    _check_keywords(method, keywords)
    runs = tuple(runs)
    inputs = [*runs, *(keywords.get(name) for name in ("texts", "gold", "model"))]
    outputs = [check_file(Path(path), inputs) for path in (output, keywords.get("save")) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise BadParameter(f"{output} cannot hold both the run and the meta-ranker", "name two files")
    input_runs = read_runs(runs, keywords.get("texts"), keywords.get("form"))
    if method == META_RANKER:
        run, notes = _rank_runs(input_runs, keywords)
    else:
        voting, gold = Voting(Method(method)), keywords.get("gold")
        if gold is not None:
            voting = replace(voting, absence=estimate_absence(input_runs.runs, labelled_of(gold)[0]))
        run, notes = combine_runs(input_runs.runs, voting, input_runs.documents), ()
    if output is not None:
        with whole_file(Path(output)) as file:
            file.writelines(run_lines(run))
    if tell := keywords.get("tell"):
        for note in (*input_runs.notes, *notes):
            tell(note)
    return run


def _check_keywords(method: str, keywords: CombineKeywords) -> None:
    for name in keywords.keys() - CombineKeywords.__annotations__.keys():
        raise unknown_name("parameter of combining", name, CombineKeywords.__annotations__, "help(keywright.combine)")
    if method not in METHODS:
        raise unknown_name("method of combining", method, METHODS, "keywright combine --help")
    gold, save, model = (keywords.get(name) for name in ("gold", "save", "model"))
    if gold is not None and method not in _LEARNING:
        raise BadParameter(f"method {method} does not use gold", f"{' and '.join(_LEARNING)} do")
    if (save is not None or model is not None) and method != META_RANKER:
        raise BadParameter(f"method {method} has no model to save or to take", f"method {META_RANKER} has")
    if model is not None and (gold is not None or save is not None):
        hint = "a model is used as it is: leave out model, or gold and save"
        raise BadParameter("a model together with gold or save", hint)


def _rank_runs(input_runs: InputRuns, keywords: CombineKeywords) -> tuple[Run, tuple[str, ...]]:
    runs, model, save = input_runs.runs, keywords.get("model"), keywords.get("save")
    if model is not None:
        ranker = model if isinstance(model, MetaRanker) else meta_ranker_file.read_meta_ranker(Path(model))
        documents, ids = input_runs.all_documents(), input_runs.ids
        count = ranker.count_learned(document for document in documents if document.id in ids)
        note = f"the meta-ranker was trained on {count} of these documents: do not score on them"
        return ranker.rank(runs, documents), (note,) if count else ()
    gold = keywords.get("gold")
    if gold is None and input_runs.brought:
        labelled, data = input_runs.brought, input_runs.data
    elif gold is None and not input_runs.data:
        message = "there is no gold to train on: the runs contain none and do not name their data"
        raise BadParameter(message, "name the gold: --gold DATASET")
    else:
        labelled, data = labelled_of(input_runs.data if gold is None else gold)
    training = select_labelled(labelled)
    check_texts(align_runs(runs, input_runs.documents))
    learned_from = prepare_training(runs, training.values(), input_runs.all_documents(training))
    run = cross_fit(learned_from)
    if save is not None:
        meta_ranker_file.write_meta_ranker(MetaRanker.fit(learned_from, data), Path(save))
    return run, _meta_ranker_notes(run, training, save)


def _meta_ranker_notes(run: Run, training: abc.Collection[str], save: str | Path | None) -> tuple[str, ...]:
    count = sum(prediction.document_id in training for prediction in run.predictions)
    others = len(run.predictions) - count
    notes = [f"cross-fitted: each of {count} documents is ranked by trees trained on the others, {FOLDS} folds"]
    if others:
        notes.append(f"{others} documents without gold are ranked by trees trained on the {count}")
    if count < ADVISED:
        notes.append(f"{count} documents with gold: probabilities are rough; {ADVISED} to 100 are advised")
    if save is not None:
        notes.append(f"the meta-ranker trained on all {count} documents: use it with --model {save}")
    return tuple(notes)
