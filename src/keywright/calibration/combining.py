"""Several runs over the same documents into one."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from keywright.calibration.ballots import Ballots, ballots
from keywright.calibration.confidence import Confidence
from keywright.calibration.text_stems import TextStems
from keywright.calibration.voting import Voting, kinds_of
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class Combined:
    """What a combined run is called: its signature names the voting and the runs."""

    voting: Voting
    runs: tuple[str, ...]
    name: str = "combined"


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

    def ballots(self, name: str, kinds: Sequence[Confidence | None]) -> Ballots:
        """What the runs say of a document; a run that failed on it holds nothing."""
        lists = [one[name].keyphrases if name in one else () for one in self.answers]
        return ballots(lists, kinds, self._presence(name), self.language(name))

    def language(self, name: str) -> str | None:
        """Of a document, as the first answer or else its text has it."""
        text = self.texts.get(name)
        return self.first(name).language or (text.language if text else None)

    def _presence(self, name: str) -> Callable[[Keyphrase], bool]:
        if name not in self.texts:
            return lambda keyphrase: keyphrase.present
        text = TextStems.of(self.texts[name].text, self.language(name))
        return lambda keyphrase: text.holds(keyphrase.text)


def combine(runs: Sequence[Run], voting: Voting | None = None, documents: Iterable[Document] = ()) -> Run:
    """One run from several: each document's lists become one by voting.

    A document that one run failed on is voted on by the others, and its warnings say so; it fails if all failed.

    Args:
        runs: two or more, over the same documents.
        voting: what decides; None for votes.
        documents: their texts, for runs that do not say where their phrases stand.

    Raises:
        BadParameter: fewer than two runs.
        BadRecord: the runs are of different documents, one has a document twice, no text belongs to any of them, or a
            phrase has no probability where probabilities decide.
    """
    voting = voting or Voting()
    given = together(runs, documents)
    check_texts(given)
    every = [tuple(keyphrase for one in run.predictions for keyphrase in one.keyphrases) for run in given.runs]
    kinds = kinds_of(every, voting.method)
    return combined(
        given, signature(Combined(voting, tuple(f"({run.system})" for run in runs))), partial(_voted, voting, kinds)
    )


def combined(given: Together, system: str, ranked: Callable[[Together, str], tuple[Keyphrase, ...]]) -> Run:
    """The run of what ``ranked`` makes of each document; ``system`` is its signature."""
    first = given.runs[0]
    answered = set(given.ids)
    return Run(
        system,
        next((run.data for run in given.runs if run.data), ""),
        first.analyser if all(run.analyser == first.analyser for run in given.runs) else "",
        tuple(_prediction(given, name, ranked(given, name)) for name in given.ids),
        tuple(failure for failure in first.failures if failure.document_id not in answered),
        texts=next((run.texts for run in given.runs if run.texts), ""),
    )


def _voted(voting: Voting, kinds: Sequence[Confidence | None], given: Together, name: str) -> tuple[Keyphrase, ...]:
    return voting.ranked(given.ballots(name, kinds))


def _prediction(given: Together, name: str, keyphrases: tuple[Keyphrase, ...]) -> Prediction:
    """A combined list, with what the runs said of their document."""
    first = given.first(name)
    answers = [one[name] for one in given.answers if name in one]
    warnings = dict.fromkeys(warning for one in answers for warning in one.warnings)
    for run, one in zip(given.runs, given.answers, strict=True):
        if name not in one:
            warnings[f"without {run.system.partition('|')[0]}, which failed on it"] = None
    return Prediction(
        name,
        keyphrases,
        coverage=first.coverage,
        warnings=tuple(warnings),
        language=given.language(name),
        author_keywords=first.author_keywords,
    )


def together(runs: Sequence[Run], documents: Iterable[Document] = ()) -> Together:
    """Runs document by document; arguments and errors are those of ``combine``."""
    if len(runs) < len(("one", "another")):
        raise BadParameter(f"{len(runs)} runs", "expected two or more to combine")
    for run in runs:
        if repeated := [name for name, times in Counter(_named(run)).items() if times > 1]:
            message = f"{_called(run)} has document {repeated[0]!r} more than once"
            raise BadRecord(message, "expected one answer for each document")
    answers = tuple({one.document_id: one for one in run.predictions} for run in runs)
    known = [dict.fromkeys(_named(run)) for run in runs]
    first = known[0]
    for run, other in zip(runs[1:], known[1:], strict=True):
        if first.keys() != other.keys():
            raise _different(runs[0], run, first.keys(), other.keys())
        if run.texts and runs[0].texts and run.texts != runs[0].texts:
            message = f"{_called(runs[0])} and {_called(run)} name the same documents, but read other texts"
            raise BadRecord(message, f"fingerprints {runs[0].texts} and {run.texts}: make both runs on one data set")
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


def absences(runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]]) -> tuple[tuple[float, float], ...]:
    """How probable phrases are that a run leaves out and another one holds, for ``Voting.absence``.

    The share of keyphrases among such phrases of the labelled documents: of each run, present ones and absent ones; 0
    where there is none.

    Args:
        runs: two or more, over the same documents.
        labelled: some of them, with gold, which all counts.

    Raises:
        BadRecord: no labelled document is among those of the runs, or these differ.
    """
    gold = {one.id: one for one in labelled}
    given = together(runs, (one.document for one in gold.values()))
    common = [name for name in given.ids if name in gold]
    if not common:
        message = f"none of the {len(gold)} labelled documents is among the {len(given.ids)} of the runs"
        raise BadRecord(message, "label documents of the runs")
    hits, counts = np.zeros((2, len(runs))), np.zeros((2, len(runs)))
    for name in common:
        found = given.ballots(name, (None,) * len(runs))
        correct = right(found, gold[name], given.language(name))
        for part, rows in enumerate((found.present, ~found.present)):
            counts[part] += (~found.listed & rows[:, None]).sum(axis=0)
            hits[part] += (~found.listed & (rows & correct)[:, None]).sum(axis=0)
    shares = (hits / np.maximum(counts, 1)).T.tolist()
    return tuple((present, absent) for present, absent in shares)


def right(found: Ballots, labelled: LabelledDocument[Document], language: str | None) -> np.ndarray:
    """Whether each phrase is a keyphrase by its stems, (phrases,)."""
    stem = stemmer(language or "en")
    keys = np.array([phrase_key(one.text, stem) for one in found.keyphrases], np.uint64)
    return np.isin(keys, gold_keys(labelled.gold, language))


def _named(run: Run) -> tuple[str, ...]:
    """Documents that were answered, then those that failed."""
    return (*(one.document_id for one in run.predictions), *(one.document_id for one in run.failures))


def _called(run: Run) -> str:
    """A run in messages: the name in its signature."""
    return f"run {run.system.partition('|')[0] or 'without a name'}"


def _different(one: Run, other: Run, ids: Iterable[str], others: Iterable[str]) -> BadRecord:
    """What is said of runs over different documents."""
    left, right = set(ids), set(others)
    examples = ", ".join(repr(name) for name in (*sorted(left - right)[:1], *sorted(right - left)[:1]))
    message = (
        f"{_called(one)} has {len(left)} documents, {_called(other)} has {len(right)}, {len(left & right)} in common"
    )
    return BadRecord(f"{message}; only one of them has {examples}", "combine runs over the same documents")
