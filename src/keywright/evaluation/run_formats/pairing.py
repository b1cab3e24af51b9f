"""What is scored: predictions of any source, beside the gold they belong to."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.fingerprints import of_texts
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.formats.gold_sets import gold_sets, texts_for
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.reading import matched, read_gold_file, read_run_file
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score

Labelled: TypeAlias = Iterable[LabelledDocument[Document]]
Load: TypeAlias = Callable[[str | Path], Labelled]
"""Labelled documents by the name of their data set."""

_STEMMED: Final = "the gold ships stemmed, and this protocol stems it again: kpg-stemmed-gold takes it as it is"


@dataclass(frozen=True, slots=True)
class Judged:
    """Predictions beside their gold.

    Attributes:
        predictions: with the gold's ids.
        labelled: texts and gold.
        notes: what was left out or looks odd, for people.
        stemmed: whether the gold is known to be stems, which must not be stemmed again.
    """

    predictions: Run | Answers
    labelled: tuple[LabelledDocument[Document], ...]
    notes: tuple[str, ...] = ()
    stemmed: bool = False

    def report(self, protocol: Protocol) -> Report:
        """The scores under a protocol."""
        report = score(self.predictions, gold_sets(self.labelled), protocol, texts_for(protocol, self.labelled))
        again = (_STEMMED,) if self.stemmed and protocol.normalise_gold is None else ()
        return replace(report, warnings=report.warnings + self.notes + again)


def judge(
    run: Run | str | Path,
    gold: str | Path | Labelled | None,
    load: Load,
    form: str | None = None,
    marks: ByteMarks = ByteMarks.STRIPPED,
) -> Judged:
    """A run and its gold, brought together.

    Args:
        run: a run, or a file or folder in any format of ``reading.FORMS``.
        gold: a data set's name, a file of gold, or labelled documents; None takes what the run names or brings along.
        load: reads a data set by its name.
        form: format of the file; None recognises it.
        marks: what becomes of byte order marks in answer files of SemEval-2010.

    Raises:
        UnreadableInput: a file is missing, unknown or broken, or the run belongs to other documents than the gold.
        BadParameter: there is no gold.
    """
    found = LoadedRun("keywright", run) if isinstance(run, Run) else read_run_file(Path(run), form, marks)
    called = "the run" if isinstance(run, Run) else Path(run).name
    data = found.predictions.data if isinstance(found.predictions, Run) else ""
    named = gold if gold is not None else found.labelled or data
    if named in ("", ()) and gold is None:
        raise BadParameter("the run does not name its data", "name the gold: --gold DATASET")
    if named is found.labelled:
        found = replace(found, numbered=False)  # its gold has the same numbers
    labelled = tuple(_labelled(named, load))
    name = f"gold {named}" if isinstance(named, str | Path) else "the gold"
    found = matched(found, [one.id for one in labelled], called, name)
    odd = _other_texts(found.predictions, labelled) + _crowded(found.predictions, labelled)
    return Judged(found.predictions, labelled, found.notes + odd, stemmed=found.stemmed and named is found.labelled)


def scored(
    run: Run | str | Path,
    rules: Iterable[Protocol],
    gold: str | Path | Labelled | None,
    load: Load,
    form: str | None = None,
) -> Iterator[tuple[Report, Judged]]:
    """Reports, each with what was scored; the gold is read once, a file once for each way to treat byte marks.

    The arguments are those of ``judge``.
    """
    judged: dict[ByteMarks, Judged] = {}
    for one in rules:
        if one.marks not in judged:
            known = next((given.labelled for given in judged.values()), gold)
            judged[one.marks] = judge(run, known, load, form, one.marks)
        yield judged[one.marks].report(one), judged[one.marks]


def _labelled(named: str | Path | Labelled, load: Load) -> Labelled:
    """Gold of other tools' files, or of a data set."""
    if not isinstance(named, str | Path):
        return named
    foreign = read_gold_file(Path(named))
    return load(named) if foreign is None else foreign


def _other_texts(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """A note if a run knows the texts it was made from, and the gold has the same ids but other texts."""
    if not isinstance(predictions, Run) or not predictions.texts:
        return ()
    answered = [one.document_id for one in predictions.predictions]
    answered += [one.document_id for one in predictions.failures]
    if sorted(answered) != sorted(one.id for one in labelled):
        return ()  # a part of the collection, which ``matched`` has counted
    theirs = of_texts(one.document for one in labelled)
    if theirs == predictions.texts:
        return ()
    return (f"the run was made from other texts than the gold's: fingerprints {predictions.texts} and {theirs}",)


def _crowded(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """A note if documents have more phrases than characters, which no honest system gives."""
    if isinstance(predictions, Run):
        sizes = {one.document_id: len(one.keyphrases) for one in predictions.predictions}
    else:
        sizes = {name: len(phrases) for name, phrases in predictions.lists.items()}
    count = sum(0 < len(one.document.text) < sizes.get(one.id, 0) for one in labelled)
    return (f"{count} documents have more phrases than characters",) if count else ()
