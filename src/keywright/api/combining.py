"""Several runs combined into one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, TypedDict, Unpack

from keywright.api.run_inputs import InputRuns, Labelled, gold_of, labelled_of, read_runs
from keywright.calibration.calibrators.few_documents import ADVISED
from keywright.calibration.calibrators.model import FOLDS
from keywright.core.atomic_files import check_file, whole_file
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, unknown
from keywright.core.predictions import Run
from keywright.core.records import run_lines
from keywright.ensembles import meta_ranker_file
from keywright.ensembles.aligned_runs import align, check_texts
from keywright.ensembles.combining import absence_probabilities, with_gold
from keywright.ensembles.combining import combine as combine_runs
from keywright.ensembles.meta_features import training_runs
from keywright.ensembles.meta_ranker import NAME as META_RANKER
from keywright.ensembles.meta_ranker import MetaRanker, cross_fitted
from keywright.ensembles.voting import Method, Voting

METHODS: Final = (*(method.value for method in Method), META_RANKER)
"""Ways to combine."""
_LEARNING: Final = (Method.PROBABILITIES, META_RANKER)

Runs: TypeAlias = Iterable[Run | str | Path]
"""Runs, run files, or files or folders of other tools."""


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
        form: format of the files; None recognises it.
    """

    texts: Labelled | None
    gold: Labelled | None
    save: str | Path | None
    model: MetaRanker | str | Path | None
    form: str | None


@dataclass(frozen=True, slots=True)
class Combination:
    """A combined run, with notes for people: how it was made, and oddities of the runs."""

    run: Run
    notes: tuple[str, ...] = ()


def combine(
    runs: Runs, method: str = Method.VOTES, output: str | Path | None = None, **keywords: Unpack[CombineKeywords]
) -> Run:
    """Combine runs over the same documents: see ``ensembles.voting`` and ``ensembles.meta_ranker``.

    >>> import keywright as kw
    >>> runs = [kw.run(name, "examples/abstracts.jsonl", top=5) for name in ("kpminer", "tfidf")]
    >>> kw.combine(runs).predictions[0].texts[:2]
    ('leaks', 'pipe')

    Args:
        runs: two or more.
        method: ``votes``, ``ranks``, ``probabilities`` (every phrase of every run needs one), or ``meta-ranker``: each
            labelled document is ranked by trees trained on the others, any other document by trees trained on all.
        output: file to write the run to.
        keywords: see ``CombineKeywords``.

    Raises:
        UnknownName: there is no such method.
        UnreadableInput: a file is missing, of unknown format or broken; the runs are over different documents, hold
            stems in place of phrases, or lack probabilities that the method needs; the gold is for other documents.
        BadParameter: fewer than two runs; gold or a meta-ranker for a method that takes none; gold that is held out
            for reporting, or of fewer than 20 documents; a meta-ranker of other systems.
        MissingExtra: training a meta-ranker needs LightGBM, which is not installed.
    """
    return combine_with_notes(runs, method, output, **keywords).run


def combine_with_notes(
    runs: Runs, method: str = Method.VOTES, output: str | Path | None = None, **keywords: Unpack[CombineKeywords]
) -> Combination:
    """Combine runs as ``combine`` does, with notes for people."""
    _check(method, keywords)
    runs = tuple(runs)
    inputs = [*runs, *(keywords.get(name) for name in ("texts", "gold", "model"))]
    outputs = [check_file(Path(path), inputs) for path in (output, keywords.get("save")) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise BadParameter(f"{output} cannot hold both the run and the meta-ranker", "name two files")
    input_runs = read_runs(runs, keywords.get("texts"), keywords.get("form"))
    if method == META_RANKER:
        combination = _ranked(input_runs, keywords)
    else:
        combination = _voted(input_runs, Method(method), keywords.get("gold"))
    if output is not None:
        with whole_file(Path(output)) as file:
            file.writelines(run_lines(combination.run))
    return replace(combination, notes=(*input_runs.notes, *combination.notes))


def _check(method: str, keywords: CombineKeywords) -> None:
    """Refuse unknown names, and keywords that do not go together."""
    for name in keywords.keys() - CombineKeywords.__annotations__.keys():
        raise unknown("parameter of combining", name, CombineKeywords.__annotations__, "help(keywright.combine)")
    if method not in METHODS:
        raise unknown("method of combining", method, METHODS, "keywright combine --help")
    gold, save, model = (keywords.get(name) for name in ("gold", "save", "model"))
    if gold is not None and method not in _LEARNING:
        raise BadParameter(f"method {method} does not use gold", f"{' and '.join(_LEARNING)} do")
    if (save is not None or model is not None) and method != META_RANKER:
        raise BadParameter(f"method {method} has no model to save or to take", f"method {META_RANKER} has")
    if model is not None and (gold is not None or save is not None):
        raise BadParameter(
            "a model together with gold or save", "a model is used as it is: leave out model, or gold and save"
        )


def _voted(input_runs: InputRuns, method: Method, gold: Labelled | None) -> Combination:
    voting = Voting(method)
    if gold is not None:
        voting = Voting(method, absence=absence_probabilities(input_runs.runs, labelled_of(gold)[0]))
    return Combination(combine_runs(input_runs.runs, voting, input_runs.documents))


def _ranked(input_runs: InputRuns, keywords: CombineKeywords) -> Combination:
    model = keywords.get("model")
    if model is not None:
        ranker = model if isinstance(model, MetaRanker) else meta_ranker_file.read(Path(model))
        documents = input_runs.all_documents()
        return Combination(ranker.rank(input_runs.runs, documents), _training_note(ranker, documents, input_runs.ids))
    labelled, data = gold_of(input_runs, keywords.get("gold"))
    training = with_gold(labelled)
    check_texts(align(input_runs.runs, input_runs.documents))
    documents = input_runs.all_documents(training)
    learned_from = training_runs(input_runs.runs, training.values(), documents)
    run = cross_fitted(learned_from)
    save = keywords.get("save")
    if save is not None:
        meta_ranker_file.write(MetaRanker.fit(learned_from, data), Path(save))
    return Combination(run, _notes(run, training, save))


def _training_note(ranker: MetaRanker, documents: Iterable[Document], ids: Collection[str]) -> tuple[str, ...]:
    count = ranker.count_learned(document for document in documents if document.id in ids)
    return (f"the meta-ranker was trained on {count} of these documents: do not score on them",) if count else ()


def _notes(run: Run, training: dict[str, LabelledDocument[Document]], save: str | Path | None) -> tuple[str, ...]:
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
