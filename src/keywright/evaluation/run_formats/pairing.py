"""Pair predictions from any source with the gold they belong to."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import of_texts
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.formats.gold_sets import gold_sets, texts_for
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats.file_layout import Layout, layout_of
from keywright.evaluation.run_formats.format import LoadedRun, note
from keywright.evaluation.run_formats.in_memory.alignment import aligned
from keywright.evaluation.run_formats.in_memory.conversion import gold_in_memory, run_in_memory
from keywright.evaluation.run_formats.in_memory.labelled_lists import PhraseLists
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
_STEMMED: Final = "the gold ships stemmed, and this protocol stems it again: kpg-stemmed-gold does not"


@dataclass(frozen=True, slots=True)
class Judged:
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
        report = score(self.predictions, gold_sets(self.labelled), protocol, texts_for(protocol, self.labelled))
        again = (_STEMMED,) if self.stemmed and protocol.normalise_gold is None else ()
        return replace(report, warnings=report.warnings + self.notes + again)


def judge(
    run: RunLike,
    gold: GoldLike | None,
    load: Load,
    form: str | Layout | None = None,
    marks: ByteMarks = ByteMarks.STRIPPED,
) -> Judged:
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
    lists = _gold(source, load, layout_of(form).separator)
    name = f"gold {source}" if isinstance(source, str | Path) else "the gold"
    loaded, lists = aligned(loaded, lists, title, name)
    odd = _other_texts(loaded.predictions, lists.labelled) + _crowded(loaded.predictions, lists.labelled)
    notes = loaded.notes + lists.notes + odd
    return Judged(loaded.predictions, lists.labelled, notes, stemmed=loaded.stemmed and own_gold)


def scored(
    run: RunLike,
    rules: Iterable[Protocol],
    gold: GoldLike | None,
    load: Load,
    form: str | Layout | None = None,
) -> Iterator[tuple[Report, Judged]]:
    """Yield reports, each with its predictions and gold; the gold is read once, a file once for each ``marks`` rule.

    The arguments are those of ``judge``.
    """
    judged: dict[ByteMarks, Judged] = {}
    run = run if isinstance(run, str | Path) else run_in_memory(run)  # consumed once
    for protocol in rules:
        if protocol.marks not in judged:
            labelled = next((pair.labelled for pair in judged.values()), gold)
            judged[protocol.marks] = judge(run, labelled, load, form, protocol.marks)
        yield judged[protocol.marks].report(protocol), judged[protocol.marks]


def _gold(source: GoldLike, load: Load, separator: str | None) -> PhraseLists:
    """Load gold from another tool's file, from a data set, or from memory."""
    if not isinstance(source, str | Path):
        return gold_in_memory(source)
    return read_gold_file(Path(source), separator) or gold_in_memory(load(source))


def _other_texts(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """Return a note if a run has a fingerprint of its texts, and the gold has the same ids but other texts."""
    if not isinstance(predictions, Run) or not predictions.texts:
        return ()
    answered = [prediction.document_id for prediction in predictions.predictions]
    answered += [failure.document_id for failure in predictions.failures]
    if sorted(answered) != sorted(document.id for document in labelled):
        return ()  # a part of the collection; scoring counts missing answers
    texts = of_texts(document.document for document in labelled)
    if texts == predictions.texts:
        return ()
    return (f"the run was made from other texts than the gold's: fingerprints {predictions.texts} and {texts}",)


def _crowded(predictions: Run | Answers, labelled: tuple[LabelledDocument[Document], ...]) -> tuple[str, ...]:
    """Return a note if documents have more phrases than characters, which points to a broken run."""
    if isinstance(predictions, Run):
        sizes = {prediction.document_id: len(prediction.keyphrases) for prediction in predictions.predictions}
    else:
        sizes = {name: len(phrases) for name, phrases in predictions.lists.items()}
    count = sum(0 < len(document.document.text) < sizes.get(document.id, 0) for document in labelled)
    return note(count, "documents have more phrases than characters")
