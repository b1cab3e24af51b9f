"""Runs over the same documents, document by document: what combining them starts from."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from keywright.calibration.judgements.confidence import Confidence, confidences
from keywright.calibration.judgements.text_stems import TextStems
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.ensembles.ballots import Ballots, ballots
from keywright.ensembles.voting import FEWEST, Method, kinds_of


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Runs over the same documents, document by document (``together``).

    Attributes:
        runs: two or more, over the same documents.
        ids: documents that at least one run answers, in the order of the first run, (documents,).
        answers: of each run, by document, (runs,).
        texts: of documents, by id; present phrases are looked up there. Of documents without one, phrases are present
            that have spans.
    """

    runs: tuple[Run, ...]
    ids: tuple[str, ...]
    answers: tuple[dict[str, Prediction], ...]
    texts: dict[str, Document]

    def first(self, name: str) -> Prediction:
        """The first answer for a document."""
        return next(one[name] for one in self.answers if name in one)

    def kinds(self, method: Method) -> tuple[Confidence | None, ...]:
        """Each run's confidence, (runs,): see ``kinds_of``.

        Raises:
            BadRecord: probabilities decide, and a phrase of a run has none.
        """
        every = [_every(run) for run in self.runs]
        kinds = kinds_of(every, method)
        self.check_kinds(kinds)
        return kinds

    def check_kinds(self, kinds: Sequence[Confidence | None]) -> None:
        """That all phrases have what their run's confidence is computed from.

        Raises:
            BadRecord: one does not.
        """
        for run, kind in zip(self.runs, kinds, strict=True):
            try:
                confidences(_every(run), kind or Confidence.SCORE)
            except BadRecord as error:
                raise BadRecord(f"{called(run)}: {error.message}", error.hint) from None

    def ballots(self, name: str, kinds: Sequence[Confidence | None]) -> Ballots:
        """What the runs say of a document; a run that failed on it holds nothing."""
        lists = [one[name].keyphrases if name in one else () for one in self.answers]
        return ballots(lists, kinds, self._presence(name), self.language(name))

    def only(self, names: Collection[str]) -> Self:
        """The same without other documents.

        Raises:
            BadRecord: none is left.
        """
        return replace(self, ids=self.labelled_among(names))

    def labelled_among(self, gold: Collection[str]) -> tuple[str, ...]:
        """Documents of the runs that have gold, of which ``gold`` are the ids.

        Raises:
            BadRecord: there is none.
        """
        common = tuple(name for name in self.ids if name in gold)
        if not common:
            message = f"none of the {len(gold)} labelled documents is among the {len(self.ids)} of the runs"
            raise BadRecord(message, "name the gold of these very documents")
        return common

    def language(self, name: str) -> str | None:
        """Of a document, as the first answer or else its text has it."""
        text = self.texts.get(name)
        return self.first(name).language or (text.language if text else None)

    def _presence(self, name: str) -> Callable[[Keyphrase], bool]:
        if name not in self.texts:
            return lambda keyphrase: keyphrase.present
        text = TextStems.of(self.texts[name].text, self.language(name))
        return lambda keyphrase: text.holds(keyphrase.text)


def together(runs: Sequence[Run], documents: Iterable[Document] = ()) -> Together:
    """Runs document by document; arguments and errors are those of ``combine``."""
    if len(runs) < FEWEST:
        raise BadParameter(f"{len(runs)} runs", "expected two or more to combine")
    for run in runs:
        if repeated := [name for name, times in Counter(_named(run)).items() if times > 1]:
            message = f"{called(run)} has document {repeated[0]!r} more than once"
            raise BadRecord(message, "expected one answer for each document")
    answers = tuple({one.document_id: one for one in run.predictions} for run in runs)
    known = [dict.fromkeys(_named(run)) for run in runs]
    first = known[0]
    for run, other in zip(runs[1:], known[1:], strict=True):
        if first.keys() != other.keys():
            raise _different(runs[0], run, first.keys(), other.keys())
    _check_fingerprints(runs)
    ids = tuple(name for name in first if any(name in one for one in answers))
    return Together(tuple(runs), ids, answers, {one.id: one for one in documents})


def check_texts(given: Together) -> None:
    """That at least one text, where there are any, is of a document of the runs.

    Raises:
        BadRecord: none is.
    """
    if given.texts and given.ids and not given.texts.keys() & set(given.ids):
        message = f"the {len(given.ids)} documents of the runs and the {len(given.texts)} texts have none in common"
        examples = f"{given.ids[0]!r} and {next(iter(given.texts))!r}"
        raise BadRecord(f"{message}, such as {examples}", "name the data set of the runs")


def called(run: Run) -> str:
    """A run in messages: the name in its signature."""
    return f"run {run.system.partition('|')[0] or 'without a name'}"


def _check_fingerprints(runs: Sequence[Run]) -> None:
    """That runs which know what they read read the same."""
    knowing = [run for run in runs if run.texts]
    for run in knowing[1:]:
        if run.texts != knowing[0].texts:
            message = f"{called(knowing[0])} and {called(run)} name the same documents, but read other texts"
            hint = f"fingerprints {knowing[0].texts} and {run.texts}: make both runs on one data set"
            raise BadRecord(message, hint)


def _named(run: Run) -> tuple[str, ...]:
    """Documents that were answered, then those that failed."""
    return (*(one.document_id for one in run.predictions), *(one.document_id for one in run.failures))


def _every(run: Run) -> tuple[Keyphrase, ...]:
    """All phrases of a run."""
    return tuple(keyphrase for one in run.predictions for keyphrase in one.keyphrases)


def _different(one: Run, other: Run, ids: Iterable[str], others: Iterable[str]) -> BadRecord:
    """What is said of runs over different documents."""
    left, right = set(ids), set(others)
    examples = ", ".join(repr(name) for name in (*sorted(left - right)[:1], *sorted(right - left)[:1]))
    message = (
        f"{called(one)} has {len(left)} documents, {called(other)} has {len(right)}, {len(left & right)} in common"
    )
    return BadRecord(f"{message}; only one of them has {examples}", "combine runs over the same documents")
