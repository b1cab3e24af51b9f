"""Five generators together: votes, reciprocal rank fusion, mean probability, and a meta-ranker, at F1@5.

No paper prints these numbers. The vote has nothing to fit, except that the order of its two tie-breakers was chosen on
these very predictions: reciprocal ranks before confidence change each number by .003 at most, among them absent
keyphrases of Krapivin from .072 to .070.

Probabilities come from class-aware beta calibration of each model, each by a fit on other documents of the collection;
what a model leaves out counts as 0. The meta-ranker learns from the gold of these documents, but ranks each by trees
that saw only other documents, of all three collections.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from keywright.calibration.calibrators.cross_fitting import cross_fitted, folds_of
from keywright.calibration.calibrators.features import concatenated, list_features, occurrence_from_forms
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, decide
from keywright.core.errors import BadRecord
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.ensembles.combining import combine
from keywright.ensembles.cross_fitting import cross_fitted as meta_ranked
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.kpg_papers import KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.experiments.rows import Row

FIVE: Final = ("exhird_h_seed1", "one2seq", "one2set", "bart", "t5_seed1")
"""Files of the models that vote, in their order."""

Predictions: TypeAlias = Mapping[str, LoadedRun]
"""What the files of one collection hold, by model."""

_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_NOTES: Final = {
    "vote": "nothing is fitted",
    "rank-fusion": "nothing is fitted",
    "mean-probability": "each model calibrated, cross-fitted by document, five folds of the collection",
    "meta-ranker": "cross-fitted by document, five folds over all collections",
}


def rows(collections: Mapping[str, Predictions]) -> tuple[Row, ...]:
    """F1@5 with intervals: of present and absent keyphrases, by collection and way of combining.

    Args:
        collections: predictions of ``FIVE``, by what the rows call each collection.

    Raises:
        BadRecord: a model is missing.
        MissingExtra: LightGBM, which grows the meta-ranker's trees, is not installed.
    """
    found = {}
    for name, predictions in collections.items():
        if missing := [model for model in FIVE if model not in predictions]:
            raise BadRecord(f"no predictions of {missing[0]} for {name}", f"expected {', '.join(FIVE)}")
        found[name] = _runs(predictions)
    ranked = _meta_ranked(collections, found)
    return tuple(row for name in collections for row in _rows(name, collections[name], found[name], ranked[name]))


def _runs(predictions: Predictions) -> tuple[Run, ...]:
    """The five runs of a collection."""
    runs = (predictions[model].predictions for model in FIVE)
    return tuple(one for one in runs if isinstance(one, Run))


def _meta_ranked(collections: Mapping[str, Predictions], found: Mapping[str, tuple[Run, ...]]) -> dict[str, Run]:
    """The meta-ranker's run of each collection, learned over all of them."""
    pooled = [
        Run(model, "", "", tuple(one for runs in found.values() for one in runs[at].predictions))
        for at, model in enumerate(FIVE)
    ]
    ranked = meta_ranked(pooled, [one for given in collections.values() for one in given[FIVE[-1]].labelled])
    answers = {one.document_id: one for one in ranked.predictions}
    return {
        name: replace(ranked, predictions=tuple(answers[one.id] for one in given[FIVE[-1]].labelled))
        for name, given in collections.items()
    }


def _calibrated(run: Run, found: LoadedRun) -> Run:
    """A run with probabilities; each is by a calibrator fitted on other documents of those that a file brings."""
    decisions = decide(run, found.labelled, KPG_WHOLE_TEXT, stemmed=found.stemmed)
    judged = decisions.columns(Confidence.KPP_S)
    lists = []
    for name, some in zip(decisions.ids, decisions.lists, strict=True):
        present = np.array([one.present for one in some], bool)
        standing = occurrence_from_forms([one.form for one in some], present, decisions.texts[name])
        lists.append(list_features([one.keyphrase for one in some], Confidence.KPP_S, standing))
    fold = folds_of(decisions.ids)[judged.document]
    chances = iter(cross_fitted(concatenated(lists), judged.correct, fold, "beta", confident=True).tolist())
    predictions = (
        Prediction(name, tuple(replace(one.keyphrase, probability=next(chances)) for one in some))
        for name, some in zip(decisions.ids, decisions.lists, strict=True)
    )
    return Run(f"{run.system}|calibrated", run.data, run.analyser, tuple(predictions))


def _rows(name: str, given: Predictions, runs: tuple[Run, ...], ranked: Run) -> Iterator[Row]:
    """The rows of a collection; gold that ships stemmed is not stemmed again."""
    gold = given[FIVE[-1]].labelled
    protocol = KPG_STEMMED_GOLD if given[FIVE[-1]].stemmed else KPG
    documents = [one.document for one in gold]
    ways = {
        "vote": combine(runs, documents=documents),
        "rank-fusion": combine(runs, Voting(Method.RANKS), documents),
        "mean-probability": combine(
            [_calibrated(run, given[FIVE[-1]]) for run in runs], Voting(Method.PROBABILITIES), documents
        ),
        "meta-ranker": ranked,
    }
    for system, run in ways.items():
        report = with_intervals(Judged(run, gold).report(protocol), protocol, Resampling())
        for part in _CLASSES:
            key = f"{part}/F@5"
            yield Row(
                "F@5",
                None,
                report.values[key],
                system,
                dataset=name,
                category=part,
                note=_NOTES[system],
                interval=report.intervals.get(key),
            )
