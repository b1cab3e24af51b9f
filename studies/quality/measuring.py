"""One system on one collection of the quality report: trained, run, scored; the phrases that it ranks first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.catalogue import system_class
from keywright.core.documents import LabelledDocument
from keywright.core.interfaces import ranked
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import described, signature
from keywright.datasets.collection import load
from keywright.datasets.data_folders import cache_folder
from keywright.evaluation.formats.gold_sets import gold_sets, texts_for
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, categories_of
from keywright.evaluation.statistics.significance import with_intervals
from keywright.experiments.reliability import Shown
from keywright.experiments.semeval2010.task import Labelled, analysed, fitted, folds
from keywright.text.analyser import TextAnalyser
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key
from studies.cached import cached
from studies.quality.collections import DEFAULT, Collection, collection
from studies.quality.rows import OURS, Score
from studies.training_data.training_documents import training_documents

TOP: Final = 40
"""Phrases that each system is asked for: some become equal when a scorer stems them; arbitrary."""
FIRST: Final = 15
"""Phrases whose probabilities are evaluated: the largest cutoff of the shared task."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one system on one collection.

    Attributes:
        scores: the values.
        shown: the phrases that it ranked first; None for a system without probabilities.
    """

    scores: tuple[Score, ...]
    shown: Shown | None


def tag(data: str, mirror: Path | None = None) -> int:
    """Tag the documents of a data set and cache the tags, before several systems need them; return their number."""
    return len(documents(data, mirror, tagged=True))


def evaluate(unit: tuple[str, str], mirror: Path | None = None) -> Outcome:
    """Run a system over a data set, both by name, and score it.

    Results are cached, so that a report that was interrupted resumes where it stopped.
    """
    data, name = unit
    here = collection(data)
    system = replace(system_class(name)(), **here.parameters(name))
    identity = (name, signature(system), load(data, mirror).signature, described(here))
    result = cached(cache_folder("quality"), identity, lambda: _result(here, name, system, mirror))
    shown = None if result["shown"] is None else Shown.of(result["shown"])
    return Outcome(tuple(map(Score.of, result["scores"])), shown)


def _result(here: Collection, name: str, system: Any, mirror: Path | None) -> dict[str, Any]:
    predictions = predict(here, name, system, mirror)
    labelled = documents(here.data, mirror)
    scores = [row.record() for row in scored(here, labelled, predictions, name)]
    shown = first_shown(here, labelled, predictions)
    return {"scores": scores, "shown": None if shown is None else shown.record()}


def predict(here: Collection, name: str, system: Any, mirror: Path | None = None) -> tuple[Prediction, ...]:
    """Return the system's prediction for each document, in any order."""
    labelled = documents(here.data, mirror, tagged="tags" in system.needs)
    if here.lessons is None:
        pairs = [(fitted(system, training), held_out) for training, held_out in folds(labelled)]
    elif name == DEFAULT or not hasattr(system, "fit"):
        pairs = [(system, labelled)]
    else:
        pairs = [(fitted(system, lessons(here.data, mirror)), labelled)]
    return tuple(
        ranked(extractor, paper.document, TOP).prediction(TOP) for extractor, papers in pairs for paper in papers
    )


@lru_cache(maxsize=2)
def documents(data: str, mirror: Path | None = None, *, tagged: bool = False) -> Labelled:
    """Return the documents to score, with the gold that counts; in cross-validation only those with such gold."""
    here = collection(data)
    with_gold = (
        LabelledDocument(paper.document, tuple(gold for gold in paper.gold if gold.by in here.gold))
        for paper in analysed(data, mirror, tagged=tagged)
    )
    return tuple(paper for paper in with_gold if paper.gold or here.lessons)


@lru_cache(maxsize=1)
def lessons(data: str, mirror: Path | None = None) -> Labelled:
    """Return the documents that systems are trained on before they are run over a data set."""
    part = collection(data).lessons
    analyser = TextAnalyser("en")
    return tuple(
        LabelledDocument(analyser.analyse(document.labelled.document), document.labelled.gold)
        for document in training_documents((part,) if part else (), mirror)
    )


def scored(
    here: Collection, labelled: Labelled, predictions: Sequence[Prediction], system: str, source: str = OURS
) -> tuple[Score, ...]:
    """Return the values of the collection's protocols with intervals, documents resampled within their categories."""
    papers = [LabelledDocument(paper.document.source, paper.gold) for paper in labelled]
    gold = gold_sets(papers, here.gold)
    scores = []
    for protocol in here.protocols:
        report = score(Run("", "", "", tuple(predictions)), gold, protocol, texts_for(protocol, papers))
        report = with_intervals(report, protocol, Resampling(), categories_of(papers))
        for name, value in report.values.items():
            kind, _, measure = name.partition("/")
            if measure.startswith("F@"):
                ends = report.intervals.get(name)
                scores.append(Score(here.data, protocol.signature, kind, measure, system, value, ends, source))
    return tuple(scores)


def first_shown(here: Collection, labelled: Labelled, predictions: Iterable[Prediction]) -> Shown | None:
    """Return the first phrases of each document with their probabilities; None where the system gives none.

    Documents from which the system withholds probabilities are left out.

    A phrase is right if it is a gold keyphrase of the collection's first kind, matched by stems and without hyphens,
    as in the training of the default.
    """
    main = here.gold[0]
    keys = {
        paper.id: set(gold_keys(paper.given_by(main), paper.document.source.language).tolist()) for paper in labelled
    }
    first = [
        (prediction.document_id, phrase)
        for prediction in predictions
        for phrase in prediction.keyphrases[:FIRST]
        if phrase.probability is not None
    ]
    if not first:
        return None
    probabilities = np.array([phrase.probability for _, phrase in first], float)
    right = np.array([phrase_key(phrase.text) in keys[document_id] for document_id, phrase in first], bool)
    owner = np.unique([document_id for document_id, _ in first], return_inverse=True)[1]
    return Shown(probabilities, right, owner)
