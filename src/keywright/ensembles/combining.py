"""Combination of several runs over the same documents into one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import Document, LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction, Run
from keywright.core.signatures import signature
from keywright.ensembles.aligned_runs import AlignedRuns, align, check_texts, run_title
from keywright.ensembles.voting import Ballots, Voting
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class Combined:
    """Configuration of a combined run, for its signature: the voting, and the runs' signatures."""

    voting: Voting
    runs: tuple[str, ...]
    name: str = "combined"


def combine(runs: Sequence[Run], voting: Voting | None = None, documents: Iterable[Document] = ()) -> Run:
    """Combine runs by voting on each document.

    A document that one run failed on is voted on by the others, and its warnings say so; it fails if all failed.
    """
    voting = voting or Voting()
    aligned = align(runs, documents)
    check_texts(aligned)
    kinds = aligned.kinds(voting.method)
    system = signature(Combined(voting, signatures_of(runs)))
    return combined_run(aligned, system, lambda name: voting.ranked(aligned.ballots(name, kinds)))


def combined_run(aligned: AlignedRuns, system: str, rank: Callable[[str], tuple[Keyphrase, ...]]) -> Run:
    """Return the run of the list that ``rank`` gives for each document's id; ``system`` is its signature."""
    runs = aligned.runs
    answered = set(aligned.ids)
    return Run(
        system,
        next((run.data for run in runs if run.data), ""),
        runs[0].analyser if all(run.analyser == runs[0].analyser for run in runs) else "",
        tuple(_prediction(aligned, name, rank(name)) for name in aligned.ids),
        tuple(failure for failure in runs[0].failures if failure.document_id not in answered),
        texts=next((run.texts for run in runs if run.texts), ""),
    )


def signatures_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the signatures of runs in brackets, for the signature of their combination, (runs,)."""
    return tuple(f"({run.system})" for run in runs)


def _prediction(aligned: AlignedRuns, name: str, keyphrases: tuple[Keyphrase, ...]) -> Prediction:
    """Return a combined list, with the runs' warnings on their document."""
    first = aligned.first(name)
    answers = [by_document[name] for by_document in aligned.answers if name in by_document]
    warnings = dict.fromkeys(warning for prediction in answers for warning in prediction.warnings)
    for run, by_document in zip(aligned.runs, aligned.answers, strict=True):
        if name not in by_document:
            warnings[f"without {run_title(run)}, which failed on it"] = None
    return Prediction(
        name,
        keyphrases,
        coverage=first.coverage,
        warnings=tuple(warnings),
        language=aligned.language(name),
        author_keywords=first.author_keywords,
    )


def absence_probabilities(
    runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]]
) -> tuple[tuple[float, float], ...]:
    """Return the probability of phrases that a run leaves out and another one has, for ``Voting.absence``.

    The share of keyphrases among such phrases of the labelled documents: of each run, present ones and absent ones; 0
    where there is none.
    """
    gold = with_gold(labelled)
    aligned = align(runs, (document.document for document in gold.values()))
    hits, counts = np.zeros((2, len(runs))), np.zeros((2, len(runs)))
    for name in aligned.labelled_among(gold):
        ballots = aligned.ballots(name, (None,) * len(runs))
        correct = correct_phrases(ballots, gold[name], aligned.language(name))
        for part, rows in enumerate((ballots.present, ~ballots.present)):
            counts[part] += (~ballots.listed & rows[:, None]).sum(axis=0)
            hits[part] += (~ballots.listed & (rows & correct)[:, None]).sum(axis=0)
    shares = (hits / np.maximum(counts, 1)).T.tolist()
    return tuple((present, absent) for present, absent in shares)


def with_gold(labelled: Iterable[LabelledDocument[Document]]) -> dict[str, LabelledDocument[Document]]:
    """Return the documents that have gold, by id."""
    return {document.id: document for document in labelled if document.gold}


def correct_phrases(ballots: Ballots, labelled: LabelledDocument[Document], language: str | None) -> Bools:
    """Return whether each phrase is a keyphrase, matched by stem, (phrases,)."""
    stem = stemmer(language or "en")
    keys = np.array([phrase_key(keyphrase.text, stem) for keyphrase in ballots.keyphrases], np.uint64)
    return np.asarray(np.isin(keys, gold_keys(labelled.gold, language)))
