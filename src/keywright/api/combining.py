"""Several runs into one."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from keywright.api.labelled import data_of
from keywright.calibration.combining import absences
from keywright.calibration.combining import combine as combine_runs
from keywright.calibration.voting import Method, Voting
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.records import run_lines
from keywright.core.runs import Run
from keywright.core.writing import check_file, whole_file
from keywright.evaluation.foreign.found import Found
from keywright.evaluation.foreign.reading import matched, read_gold_file, read_run_file

Labelled: TypeAlias = str | Path | Iterable[LabelledDocument[Document]]
"""Labelled documents, or the name or file of a data set."""


def combine(
    runs: Iterable[Run | str | Path],
    method: str = Method.VOTES,
    output: str | Path | None = None,
    *,
    texts: Labelled | None = None,
    labelled: Labelled | None = None,
    form: str | None = None,
) -> Run:
    """One run from several over the same documents: see ``calibration.voting``.

    Args:
        runs: two or more: runs, run files, or files or folders of other tools.
        method: ``votes``, ``ranks``, or ``probabilities`` (every phrase of every run needs one).
        output: file to write the run to.
        texts: where present phrases are told from absent ones; None takes the texts that a file brings along, and
            without any those phrases are present that have spans.
        labelled: some of the documents with gold, for ``probabilities``: they tell how probable the phrases are that
            a run leaves out, which count as 0 without them. Do not score on them.
        form: format of the files; None recognises it.

    Raises:
        UnknownName: there is no such method.
        UnreadableInput: a file is missing, of no known format or broken; the runs are of different documents, hold
            stems in place of phrases, or lack probabilities that the method needs.
        BadParameter: fewer than two runs, or labelled documents for a method that learns nothing from them.
    """
    voting = Voting(Method(method) if method in list(Method) else method)  # type: ignore[arg-type]  # it refuses others
    if labelled is not None and voting.method is not Method.PROBABILITIES:
        raise BadParameter(f"method {method} learns nothing from labelled documents", "method probabilities does")
    if output is not None:
        check_file(Path(output))
    found = [_found(one, form) for one in runs]
    brought = next((one.labelled for one in found if one.labelled), ())
    known = brought if texts is None else _labelled(texts)
    given = [_run(one, known) for one in found]
    if labelled is not None:
        voting = Voting(Method.PROBABILITIES, absence=absences(given, _labelled(labelled)))
    done = combine_runs(given, voting, (one.document for one in known))
    if output is not None:
        with whole_file(Path(output)) as file:
            file.writelines(run_lines(done))
    return done


def _found(run: Run | str | Path, form: str | None) -> Found:
    """A run with what its file brings along."""
    return Found("keywright", run) if isinstance(run, Run) else read_run_file(Path(run), form)


def _labelled(given: Labelled) -> tuple[LabelledDocument[Document], ...]:
    """Of a data set by its name, of a file of ours or of other tools, or as given."""
    if not isinstance(given, str | Path):
        return tuple(given)
    foreign = read_gold_file(Path(given))
    return tuple(data_of(given)) if foreign is None else foreign


def _run(found: Found, known: tuple[LabelledDocument[Document], ...]) -> Run:
    """The run of a file, line numbers replaced by the ids of known documents.

    Raises:
        BadRecord: it holds stems as a scorer takes them, or has lines for other documents.
    """
    if found.numbered and known and not found.labelled:
        found = matched(found, [one.id for one in known], "the run", "the texts")
    if not isinstance(found.predictions, Run):
        message = f"{found.predictions.run} holds answers as a scorer takes them, in format {found.form}"
        raise BadRecord(message, "combine runs of phrases, such as `keywright run` writes")
    return found.predictions
