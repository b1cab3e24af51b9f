"""Lists of a system on a collection: their sums by document, and draws of documents and seeds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.measures.counts import F
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.counting import compute_values, tabulate_statistics
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, draw_documents, percentile_interval
from keywright.experiments.kpg_predictions import TopPhrases
from keywright.running.extraction import Extraction
from keywright.text.keys import gold_keys, phrase_key
from keywright.text.stems import stemmer
from studies import ranked_lists
from studies.generality.collections import Collection, Labelled
from studies.ranked_lists import phrases_of


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Documents of a collection, drawn with replacement.

    Attributes:
        documents: number of times that each document is in each sample, (samples, documents).
        resampling: number of samples, seed and level.
    """

    documents: Floats
    resampling: Resampling

    @classmethod
    def of(cls, documents: int, resampling: Resampling | None = None) -> "Draws":
        """Draw as many documents as there are, in each sample."""
        drawing = resampling or Resampling()
        return cls(np.concatenate(tuple(draw_documents(documents, drawing))), drawing)

    def samples(self, runs: Sequence[Floats], of: Callable[[Floats], Floats]) -> Floats:
        """Return the mean over drawn runs of a function of sums over drawn documents, (samples, values).

        Args:
            runs: statistics of a system's documents, one array (documents, columns) for each seed.
            of: function from sums (samples, columns) to values (samples, values).
        """
        chance = np.random.Generator(np.random.PCG64([self.resampling.seed, len(runs)]))
        times = chance.multinomial(len(runs), np.full(len(runs), 1 / len(runs)), self.resampling.samples)
        values = np.stack([of(self.documents @ rows) for rows in runs], axis=1)  # (samples, runs, values)
        drawn: Floats = (times[..., None] * values).sum(axis=1) / len(runs)
        return drawn

    def ends(self, samples: Floats) -> list[tuple[float, float]]:
        """Return the interval of each value of samples, (samples, values)."""
        low, high = percentile_interval(samples, self.resampling.level).tolist()
        return list(zip(low, high, strict=True))


def mean_of_runs(runs: Sequence[Floats], of: Callable[[Floats], Floats]) -> Floats:
    """Return the mean over runs of a function of sums over all documents, (values,)."""
    mean: Floats = np.mean([of(rows.sum(axis=0)) for rows in runs], axis=0)
    return mean


CUTOFFS: Final = (5, 10, 15)  # lengths of lists that SemEval-2010 Task 5 scores
TOP: Final = max(CUTOFFS)  # phrases of each list
PROTOCOL: Final[Protocol] = replace(
    KEYWRIGHT_1, average=(Average.MACRO,), measures=tuple(F @ cutoff for cutoff in CUTOFFS)
)
"""The neutral protocol: F of macro-averaged precision and recall."""


def run(extraction: Extraction, papers: Labelled) -> list[dict[str, Any]]:
    """Return the lists of a system as JSON values; empty lists for documents that it cannot read.

    There are no records if it cannot read any.
    """
    outcomes = [extraction(paper.document) for paper in papers]
    if not any(isinstance(outcome, Prediction) for outcome in outcomes):
        return []
    return [
        {
            "id": paper.id,
            "language": outcome.language if isinstance(outcome, Prediction) else None,
            "phrases": phrases_of(outcome) if isinstance(outcome, Prediction) else [],
        }
        for paper, outcome in zip(papers, outcomes, strict=True)
    ]


def prediction_of(record: Mapping[str, Any]) -> Prediction:
    """Return the list of a record of ``run``."""
    return ranked_lists.prediction_of(record["id"], record["phrases"], record["language"])


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Statistics of lists that are summed over documents.

    Attributes:
        ids: the documents, (documents,).
        rows: of each document, (documents, columns).
    """

    ids: tuple[str, ...]
    rows: Floats

    @classmethod
    def of(cls, part: Collection, papers: Labelled, predictions: Sequence[Prediction]) -> "Sums":
        """Score the lists of the documents of a sample."""
        report = score(Run("", "", "", tuple(predictions)), make_gold_sets(papers, (part.gold,)), PROTOCOL)
        counts = report.counts[part.gold]
        return cls(tuple(counts.ids), tabulate_statistics(counts, Average.MACRO, PROTOCOL))


def f_of(totals: Floats) -> Floats:
    """Return F at each cutoff, (..., cutoffs), from sums of statistics, (..., columns)."""
    return compute_values(totals, CUTOFFS, Average.MACRO, PROTOCOL).F


def shown(papers: Labelled, predictions: Iterable[Prediction]) -> TopPhrases | None:
    """Return the phrases that have probabilities; None where the system gives none.

    A phrase is right if it is a gold keyphrase, matched by stems and without hyphens, as in the default's training.
    """
    columns: list[tuple[float, bool, int]] = []
    for number, (paper, prediction) in enumerate(zip(papers, predictions, strict=False)):
        language = prediction.language or "en"
        gold, stem = set(gold_keys(paper.gold, language).tolist()), stemmer(language)
        columns += [
            (phrase.probability, phrase_key(phrase.text, stem) in gold, number)
            for phrase in prediction.keyphrases
            if phrase.probability is not None
        ]
    if not columns:
        return None
    probabilities, right, owner = zip(*columns, strict=True)
    return TopPhrases(np.array(probabilities, float), np.array(right, bool), np.array(owner, int))
