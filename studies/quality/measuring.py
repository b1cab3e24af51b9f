"""One system on one collection of the quality report: trained, run, scored, and what it showed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.gold import LabelledDocument
from keywright.core.interfaces import ranked
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.core.signatures import described, signature
from keywright.datasets.collection import load
from keywright.datasets.data_folders import cache_folder
from keywright.datasets.training_mix import training_documents
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

TOP: Final = 40
"""Phrases that each system is asked for: some fall together when a scorer stems them."""
FIRST: Final = 15
"""Phrases whose probabilities are looked at."""

Find: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system reached on one collection.

    Attributes:
        scores: the values.
        shown: the phrases that it showed first; None for a system without probabilities.
    """

    scores: tuple[Score, ...]
    shown: Shown | None


@dataclass(frozen=True, slots=True)
class Trial:
    """Runs a system over a collection and scores it; travels to other processes.

    What is done is kept in the cache, so that a report that was cut off goes on where it stopped.

    Attributes:
        find: a system's class by its name.
        mirror: folder of data sets, where it is not the usual one.
    """

    find: Find
    mirror: Path | None = None

    def __call__(self, unit: tuple[str, str]) -> Outcome:
        """The outcome of a data set and a system, by name."""
        data, name = unit
        here = collection(data)
        system = replace(self.find(name)(), **here.parameters(name))
        identity = (name, signature(system), load(data, self.mirror).signature, described(here))
        found = cached(cache_folder("quality"), identity, lambda: self._made(here, name, system))
        shown = None if found["shown"] is None else Shown.of(found["shown"])
        return Outcome(tuple(map(Score.of, found["scores"])), shown)

    def _made(self, here: Collection, name: str, system: Any) -> dict[str, Any]:
        predictions = self.predictions(here, name, system)
        papers = documents(here.data, self.mirror)
        scores = [one.record() for one in scored(here, papers, predictions, name)]
        shown = first_shown(here, papers, predictions)
        return {"scores": scores, "shown": None if shown is None else shown.record()}

    def predictions(self, here: Collection, name: str, system: Any) -> tuple[Prediction, ...]:
        """What the system says of each document, in any order."""
        papers = documents(here.data, self.mirror, tagged="tags" in system.needs)
        if here.lessons is None:
            pairs = [(fitted(system, known), held_out) for known, held_out in folds(papers)]
        elif name == DEFAULT or not hasattr(system, "fit"):
            pairs = [(system, papers)]
        else:
            pairs = [(fitted(system, lessons(here.data, self.mirror)), papers)]
        return tuple(ranked(who, one.document, TOP).prediction(TOP) for who, some in pairs for one in some)


@lru_cache(maxsize=2)
def documents(data: str, mirror: Path | None = None, *, tagged: bool = False) -> Labelled:
    """The documents that are scored, with the gold that counts; those without such gold are left out of folds."""
    here = collection(data)
    known = (
        LabelledDocument(one.document, tuple(gold for gold in one.gold if gold.by in here.gold))
        for one in analysed(data, mirror, tagged=tagged)
    )
    return tuple(one for one in known if one.gold or here.lessons)


@lru_cache(maxsize=1)
def lessons(data: str, mirror: Path | None = None) -> Labelled:
    """The documents that systems learn from before they are run over a data set."""
    part = collection(data).lessons
    analyser = TextAnalyser("en")
    return tuple(
        LabelledDocument(analyser.analyse(one.labelled.document), one.labelled.gold)
        for one in training_documents((part,) if part else (), mirror)
    )


def scored(
    here: Collection, labelled: Labelled, predictions: Sequence[Prediction], system: str, source: str = OURS
) -> tuple[Score, ...]:
    """The values of the collection's protocols with intervals, documents drawn within their categories."""
    papers = [LabelledDocument(one.document.source, one.gold) for one in labelled]
    gold = gold_sets(papers, here.gold)
    found = []
    for rules in here.protocols:
        report = score(Run("", "", "", tuple(predictions)), gold, rules, texts_for(rules, papers))
        report = with_intervals(report, rules, Resampling(), categories_of(papers))
        for name, value in report.values.items():
            kind, _, measure = name.partition("/")
            if measure.startswith("F@"):
                ends = report.intervals.get(name)
                found.append(Score(here.data, rules.signature, kind, measure, system, value, ends, source))
    return tuple(found)


def first_shown(here: Collection, labelled: Labelled, predictions: Iterable[Prediction]) -> Shown | None:
    """The first phrases of each document with their probabilities; None where the system gives none.

    A phrase is right if it is a gold keyphrase of the collection's first kind, by stems and without hyphens, as trees
    are trained.
    """
    main = here.gold[0]
    keys = {one.id: set(gold_keys(one.given_by(main), one.document.source.language).tolist()) for one in labelled}
    first = [(one.document_id, phrase) for one in predictions for phrase in one.keyphrases[:FIRST]]
    if not first or any(phrase.probability is None for _, phrase in first):
        return None
    probabilities = np.array([phrase.probability for _, phrase in first], float)
    right = np.array([phrase_key(phrase.text) in keys[name] for name, phrase in first], bool)
    owner = np.unique([name for name, _ in first], return_inverse=True)[1]
    return Shown(probabilities, right, owner)
