"""The shared task as an experiment: papers analysed once, official scores, cross-validation."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import numpy as np

from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.interfaces import Analyser, Extractor, Progress, TrainableExtractor, rank_document
from keywright.core.predictions import Prediction, Run
from keywright.datasets.collection import load
from keywright.datasets.files import cache_folder
from keywright.evaluation.answers import GoldSet, make_gold_sets
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import Documents
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score
from keywright.experiments.semeval2010_records import CUTOFFS
from keywright.experiments.study import PERCENT
from keywright.text.analyser import TextAnalyser
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.languages import TaggedAnalyser

TRAIN: Final = "semeval2010/train"
TEST: Final = "semeval2010/test"
FOLDS: Final = 5
"""Arbitrary."""
SEED: Final = 20100715
"""Arbitrary."""
Paper = TypeVar("Paper")
Labelled: TypeAlias = tuple[LabelledDocument[AnalysedDocument], ...]


def analyse_split(
    name: str, mirror: Path | None = None, *, tagged: bool = False, progress: Progress | None = None
) -> Labelled:
    """Return the analysed documents of a split; tagged ones are cached on disk, as tagging takes a second each."""
    plain = TextAnalyser("en")
    analyser: Analyser = plain
    if tagged:
        tagger = TaggedAnalyser(plain)
        analyser = CachedAnalyser(tagger, cache_folder("analyses"), tagger.signature)
    collection = tuple(load(name, mirror))
    papers = []
    for number, labelled in enumerate(collection, 1):
        papers.append(LabelledDocument(analyser.analyse(labelled.document), labelled.gold))
        if progress:
            progress(number, len(collection))
    return tuple(papers)


@lru_cache(maxsize=4)
def shared_papers(split: str, mirror: Path | None, tagged: bool) -> Labelled:  # noqa: FBT001 - the cache's key
    """Return the analysed documents of a split, the same ones for all systems of a process."""
    return analyse_split(split, mirror, tagged=tagged)


def predict_phrases(system: Extractor, labelled: Labelled) -> tuple[Prediction, ...]:
    """Return twice as many phrases per document as the task asks for: some become equal when the scorer stems them."""
    top = 2 * max(CUTOFFS)
    return tuple(rank_document(system, paper.document, top).prediction(top) for paper in labelled)


RULES: Final = replace(SEMEVAL2010, documents=Documents.COUNTED)
"""The official rules; precision divides by the number of documents that are scored."""


def score_officially(predictions: Sequence[Prediction], gold: Sequence[GoldSet]) -> Report:
    """Return official scores, as fractions."""
    return score(Run("", "", "", tuple(predictions)), gold, RULES)


def score_system(system: Extractor, labelled: Labelled, gold: Sequence[GoldSet]) -> dict[str, float]:
    """Return official scores in percent, by name of the value."""
    return {
        name: PERCENT * value
        for name, value in score_officially(predict_phrases(system, labelled), gold).values.items()
    }


def split_folds(
    papers: Sequence[Paper], number: int = FOLDS, seed: int = SEED
) -> Iterator[tuple[tuple[Paper, ...], tuple[Paper, ...]]]:
    """Yield training papers and held-out papers, ``number`` times; every paper is held out once."""
    fold = np.random.default_rng(seed).permutation(len(papers)) % number
    for held in range(number):
        yield (
            tuple(paper for paper, of_paper in zip(papers, fold, strict=True) if of_paper != held),
            tuple(paper for paper, of_paper in zip(papers, fold, strict=True) if of_paper == held),
        )


def score_held_out(system: Extractor, papers: Labelled, number: int = FOLDS, seed: int = SEED) -> dict[str, float]:
    """Return official scores in percent over all papers, each predicted by the system fitted on the other folds."""
    report = report_held_out(system, papers, number, seed)
    return {name: PERCENT * value for name, value in report.values.items()}


def report_held_out(system: Extractor, papers: Labelled, number: int = FOLDS, seed: int = SEED) -> Report:
    """Return official scores over all papers, as fractions, each predicted by the system fitted on the other folds."""
    predictions: list[Prediction] = []
    order: list[LabelledDocument[AnalysedDocument]] = []
    for training, held_out in split_folds(papers, number, seed):
        predictions.extend(predict_phrases(fit_system(system, training), held_out))
        order.extend(held_out)
    return score_officially(predictions, make_gold_sets(order))


def fit_system(system: Extractor | TrainableExtractor, papers: Labelled) -> Extractor:
    """Return the system trained on these papers; unchanged where it is not trainable."""
    return system.fit(papers) if hasattr(system, "fit") else system
