"""Several runs over the same documents into one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from keywright.calibration.judgements.confidence import Confidence
from keywright.core.arrays import Bools
from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.ensembles.aligned_runs import Together, called, check_texts, together
from keywright.ensembles.ballots import Ballots
from keywright.ensembles.voting import Voting
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class Combined:
    """What a combined run is called: its signature names the voting and the runs."""

    voting: Voting
    runs: tuple[str, ...]
    name: str = "combined"


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
    kinds = given.kinds(voting.method)
    return combined(given, signature(Combined(voting, systems_of(runs))), partial(_voted, voting, kinds))


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


def systems_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """What signatures say of runs, (runs,)."""
    return tuple(f"({run.system})" for run in runs)


def _voted(voting: Voting, kinds: Sequence[Confidence | None], given: Together, name: str) -> tuple[Keyphrase, ...]:
    return voting.ranked(given.ballots(name, kinds))


def _prediction(given: Together, name: str, keyphrases: tuple[Keyphrase, ...]) -> Prediction:
    """A combined list, with what the runs said of their document."""
    first = given.first(name)
    answers = [one[name] for one in given.answers if name in one]
    warnings = dict.fromkeys(warning for one in answers for warning in one.warnings)
    for run, one in zip(given.runs, given.answers, strict=True):
        if name not in one:
            warnings[f"without {called(run)}, which failed on it"] = None
    return Prediction(
        name,
        keyphrases,
        coverage=first.coverage,
        warnings=tuple(warnings),
        language=given.language(name),
        author_keywords=first.author_keywords,
    )


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
    gold = with_gold(labelled)
    given = together(runs, (one.document for one in gold.values()))
    common = given.labelled_among(gold)
    hits, counts = np.zeros((2, len(runs))), np.zeros((2, len(runs)))
    for name in common:
        found = given.ballots(name, (None,) * len(runs))
        correct = right(found, gold[name], given.language(name))
        for part, rows in enumerate((found.present, ~found.present)):
            counts[part] += (~found.listed & rows[:, None]).sum(axis=0)
            hits[part] += (~found.listed & (rows & correct)[:, None]).sum(axis=0)
    shares = (hits / np.maximum(counts, 1)).T.tolist()
    return tuple((present, absent) for present, absent in shares)


def with_gold(labelled: Iterable[LabelledDocument[Document]]) -> dict[str, LabelledDocument[Document]]:
    """Documents that have gold, by id; those without any are not labelled."""
    return {one.id: one for one in labelled if one.gold}


def right(found: Ballots, labelled: LabelledDocument[Document], language: str | None) -> Bools:
    """Whether each phrase is a keyphrase by its stems, (phrases,)."""
    stem = stemmer(language or "en")
    keys = np.array([phrase_key(one.text, stem) for one in found.keyphrases], np.uint64)
    correct: Bools = np.isin(keys, gold_keys(labelled.gold, language))
    return correct
