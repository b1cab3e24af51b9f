"""Five generators together: votes, reciprocal rank fusion, mean probability, and a meta-ranker, at F1@5.

No paper prints these numbers. Nothing is fitted for the vote, except that the order of its two tie-breakers was chosen
on these very predictions: reciprocal ranks before confidence change each number by .003 at most, for example absent
keyphrases of Krapivin from .072 to .070.

Probabilities come from class-aware beta calibration of each model, each by a fit on other documents of the collection;
phrases that a model does not predict count as 0. The meta-ranker is trained on the gold of these documents, but ranks
each by trees that saw only other documents, of all three collections.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import concatenated, list_features, occurrence_from_forms
from keywright.calibration.calibrators.model import cross_fitted, folds_of
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, decide
from keywright.core.errors import BadRecord
from keywright.core.predictions import Prediction, Run
from keywright.ensembles.combining import combine
from keywright.ensembles.meta_features import training_runs
from keywright.ensembles.meta_ranker import cross_fitted as meta_ranked
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.kpg_papers import KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.experiments.study import Row

FIVE: Final = ("exhird_h_seed1", "one2seq", "one2set", "bart", "t5_seed1")
"""Files of the models that vote, in their order."""
Predictions: TypeAlias = Mapping[str, LoadedRun]
"""Predictions of one collection, by model."""
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_NOTES: Final = {
    "vote": "nothing is fitted",
    "rank-fusion": "nothing is fitted",
    "mean-probability": "each model calibrated, cross-fitted by document, five folds of the collection",
    "meta-ranker": "cross-fitted by document, five folds over all collections",
}


def rows(collections: Mapping[str, Predictions]) -> tuple[Row, ...]:
    """Return F1@5 with intervals, of present and absent keyphrases, by collection and combination."""
    runs = {}
    for name, predictions in collections.items():
        if missing := [model for model in FIVE if model not in predictions]:
            raise BadRecord(f"no predictions of {missing[0]} for {name}", f"expected {', '.join(FIVE)}")
        runs[name] = _runs(predictions)
    ranked = _meta_ranked(collections, runs)
    return tuple(row for name in collections for row in _rows(name, collections[name], runs[name], ranked[name]))


def _runs(predictions: Predictions) -> tuple[Run, ...]:
    runs = (predictions[model].predictions for model in FIVE)
    return tuple(run for run in runs if isinstance(run, Run))


def _meta_ranked(collections: Mapping[str, Predictions], runs: Mapping[str, tuple[Run, ...]]) -> dict[str, Run]:
    """Return the meta-ranker's run of each collection, trained on all of them."""
    pooled = [
        Run(model, "", "", tuple(prediction for five in runs.values() for prediction in five[at].predictions))
        for at, model in enumerate(FIVE)
    ]
    labelled = [paper for loaded in collections.values() for paper in loaded[FIVE[-1]].labelled]
    ranked = meta_ranked(training_runs(pooled, labelled))
    by_document = {prediction.document_id: prediction for prediction in ranked.predictions}
    return {
        name: replace(ranked, predictions=tuple(by_document[paper.id] for paper in loaded[FIVE[-1]].labelled))
        for name, loaded in collections.items()
    }


def _calibrated(run: Run, loaded: LoadedRun) -> Run:
    """Return a run with probabilities by calibrators that were fitted on other documents of the file."""
    decisions = decide(run, loaded.labelled, KPG_WHOLE_TEXT, stemmed=loaded.stemmed)
    judged = decisions.columns(Confidence.KPP_S)
    lists = []
    for name, phrases in zip(decisions.ids, decisions.lists, strict=True):
        present = np.array([phrase.present for phrase in phrases], bool)
        occurrence = occurrence_from_forms([phrase.form for phrase in phrases], present, decisions.texts[name])
        lists.append(list_features([phrase.keyphrase for phrase in phrases], Confidence.KPP_S, occurrence))
    fold = folds_of(decisions.ids)[judged.document]
    probabilities = iter(cross_fitted(concatenated(lists), judged.correct, fold, "beta", confident=True).tolist())
    predictions = (
        Prediction(name, tuple(replace(phrase.keyphrase, probability=next(probabilities)) for phrase in phrases))
        for name, phrases in zip(decisions.ids, decisions.lists, strict=True)
    )
    return Run(f"{run.system}|calibrated", run.data, run.analyser, tuple(predictions))


def _rows(name: str, loaded: Predictions, runs: tuple[Run, ...], ranked: Run) -> Iterator[Row]:
    """Yield the rows of a collection; gold that ships stemmed is not stemmed again."""
    gold = loaded[FIVE[-1]].labelled
    protocol = KPG_STEMMED_GOLD if loaded[FIVE[-1]].stemmed else KPG
    documents = [paper.document for paper in gold]
    combinations = {
        "vote": combine(runs, documents=documents),
        "rank-fusion": combine(runs, Voting(Method.RANKS), documents),
        "mean-probability": combine(
            [_calibrated(run, loaded[FIVE[-1]]) for run in runs], Voting(Method.PROBABILITIES), documents
        ),
        "meta-ranker": ranked,
    }
    for system, run in combinations.items():
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
