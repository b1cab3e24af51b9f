"""Several runs into one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias, TypedDict, Unpack

from keywright.api.run_inputs import GivenRuns, Labelled, given_runs, gold_of, labelled_of
from keywright.calibration.calibrators.calibrating import ADVISED
from keywright.calibration.calibrators.cross_fitting import FOLDS
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, unknown
from keywright.core.gold import LabelledDocument
from keywright.core.records import run_lines
from keywright.core.runs import Run
from keywright.core.writing import check_file, whole_file
from keywright.ensembles import meta_ranker_file
from keywright.ensembles.aligned_runs import align, check_texts
from keywright.ensembles.combining import absence_probabilities, with_gold
from keywright.ensembles.combining import combine as combine_runs
from keywright.ensembles.cross_fitting import cross_fit
from keywright.ensembles.meta_features import training_runs
from keywright.ensembles.meta_ranker import NAME as META_RANKER
from keywright.ensembles.meta_ranker import MetaRanker
from keywright.ensembles.voting import Method, Voting

METHODS: Final = (*(one.value for one in Method), META_RANKER)
"""Ways to combine."""

_LEARNING: Final = (Method.PROBABILITIES, META_RANKER)

Runs: TypeAlias = Iterable[Run | str | Path]
"""Runs, run files, or files or folders of other tools."""


class How(TypedDict, total=False):
    """What else tells how runs are combined.

    Attributes:
        texts: where present phrases are told from absent ones; None takes the texts that a file brings along, for
            the meta-ranker else those of the data set that the runs name. Of votes, without any, those phrases are
            present that have spans.
        gold: documents with gold. For ``probabilities``: some of the documents, which tell how probable the phrases
            are that a run leaves out, 0 without them; do not score on them. For ``meta-ranker``: at least 20 of them,
            to learn from; None takes what a file brings along, or the data set that the runs name.
        save: file to keep the meta-ranker in that learned from all of the gold.
        model: meta-ranker, or its file, that ranks in place of one that learns from gold.
        form: format of the files; None recognises it.
    """

    texts: Labelled | None
    gold: Labelled | None
    save: str | Path | None
    model: MetaRanker | str | Path | None
    form: str | None


@dataclass(frozen=True, slots=True)
class Combination:
    """A combined run, and what a person should know of it.

    Attributes:
        run: the run.
        notes: how it was made, what was left out or looks odd.
    """

    run: Run
    notes: tuple[str, ...] = ()


def combine(runs: Runs, method: str = Method.VOTES, output: str | Path | None = None, **how: Unpack[How]) -> Run:
    """One run from several over the same documents: see ``ensembles.voting`` and ``ensembles.meta_ranker``.

    Args:
        runs: two or more.
        method: ``votes``, ``ranks``, ``probabilities`` (every phrase of every run needs one), or ``meta-ranker``: each
            labelled document is ranked by trees that learned from other ones, any other by trees that learned from all.
        output: file to write the run to.
        how: the rest: see ``How``.

    Raises:
        UnknownName: there is no such method.
        UnreadableInput: a file is missing, of no known format or broken; the runs are of different documents, hold
            stems in place of phrases, or lack probabilities that the method needs; the gold is of other documents.
        BadParameter: fewer than two runs; gold or a meta-ranker for a method that takes none; gold that is held out
            for reporting, or of fewer than 20 documents; a meta-ranker of other systems.
        MissingExtra: LightGBM, from which the meta-ranker learns, is not installed.
    """
    return combine_and_tell(runs, method, output, **how).run


def combine_and_tell(
    runs: Runs, method: str = Method.VOTES, output: str | Path | None = None, **how: Unpack[How]
) -> Combination:
    """The same as ``combine``, with what a person should know; arguments and errors are those."""
    _check(method, how)
    runs = tuple(runs)
    read = [*runs, *(how.get(name) for name in ("texts", "gold", "model"))]
    places = [check_file(Path(one), read) for one in (output, how.get("save")) if one is not None]
    if len(set(places)) < len(places):
        raise BadParameter(f"{output} is to hold both the run and the meta-ranker", "name two files")
    given = given_runs(runs, how.get("texts"), how.get("form"))
    made = _ranked(given, how) if method == META_RANKER else _voted(given, Method(method), how.get("gold"))
    if output is not None:
        with whole_file(Path(output)) as file:
            file.writelines(run_lines(made.run))
    return replace(made, notes=(*given.notes, *made.notes))


def _check(method: str, how: How) -> None:
    """Refuse what does not exist, or does not go together."""
    for name in how.keys() - How.__annotations__.keys():
        raise unknown("parameter of combining", name, How.__annotations__, "help(keywright.combine)")
    if method not in METHODS:
        raise unknown("method of combining", method, METHODS, "keywright combine --help")
    gold, save, model = (how.get(name) for name in ("gold", "save", "model"))
    if gold is not None and method not in _LEARNING:
        raise BadParameter(f"method {method} learns nothing from gold", f"{' and '.join(_LEARNING)} do")
    if (save is not None or model is not None) and method != META_RANKER:
        raise BadParameter(f"method {method} has no model to save or to take", f"method {META_RANKER} has")
    if model is not None and (gold is not None or save is not None):
        raise BadParameter("a meta-ranker that is given learns nothing", "leave out the gold, or else the model")


def _voted(given: GivenRuns, method: Method, gold: Labelled | None) -> Combination:
    """By a method that has nothing to fit."""
    voting = Voting(method)
    if gold is not None:
        voting = Voting(method, absence=absence_probabilities(given.runs, labelled_of(gold)[0]))
    return Combination(combine_runs(given.runs, voting, given.documents))


def _ranked(given: GivenRuns, how: How) -> Combination:
    """By a meta-ranker that is given, or learns."""
    model = how.get("model")
    if model is not None:
        ranker = model if isinstance(model, MetaRanker) else meta_ranker_file.read(Path(model))
        documents = given.all_documents()
        return Combination(ranker.rank(given.runs, documents), _known(ranker, documents, given.ids))
    labelled, data = gold_of(given, how.get("gold"))
    known = with_gold(labelled)
    check_texts(align(given.runs, given.documents))
    documents = given.all_documents(known)
    training = training_runs(given.runs, known.values(), documents)
    run = cross_fit(training)
    save = how.get("save")
    if save is not None:
        meta_ranker_file.write(MetaRanker.learn(training, data), Path(save))
    return Combination(run, _notes(run, known, save))


def _known(ranker: MetaRanker, documents: Iterable[Document], ids: Collection[str]) -> tuple[str, ...]:
    """A note if a meta-ranker ranks what it learned from."""
    count = ranker.count_learned(document for document in documents if document.id in ids)
    return (f"the meta-ranker learned from {count} of these documents: do not score on them",) if count else ()


def _notes(run: Run, known: dict[str, LabelledDocument[Document]], save: str | Path | None) -> tuple[str, ...]:
    """What was learned from what."""
    count = sum(one.document_id in known for one in run.predictions)
    others = len(run.predictions) - count
    notes = [f"cross-fitted: each of {count} documents is ranked by trees that saw none of its gold, {FOLDS} folds"]
    if others:
        notes.append(f"{others} documents without gold are ranked by trees that learned from the {count}")
    if count < ADVISED:
        notes.append(f"{count} documents with gold: probabilities are rough; {ADVISED} to 100 are advised")
    if save is not None:
        notes.append(f"the meta-ranker that learned from all {count} documents: use it with --model {save}")
    return tuple(notes)
