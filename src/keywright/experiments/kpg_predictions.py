"""Released predictions of five keyphrase generators: read, combined, and as the numbers behind the study's figures.

Without a licence they never ship: they are read from this machine.

Combinations (no paper prints their F1@5): votes, reciprocal rank fusion, mean probability, and a meta-ranker. Nothing
is fitted for the vote, except that the order of its two tie-breakers was chosen on these very predictions: reciprocal
ranks before confidence change each number by .003 at most, for example absent keyphrases of Krapivin from .072 to .070.
Probabilities come from class-aware beta calibration of each model, each by a fit on other documents of the collection;
phrases that a model does not predict count as 0. The meta-ranker is trained on the gold of these documents, but ranks
each by trees that saw only other documents, of all three collections.

Figures, which are not printed as numbers: 1, perplexities of present and absent phrases (KPP-s, so that models of words
and of pieces can be compared), their median and their histogram, over all collections; 2, mean probability of the first
to fifth token of a phrase, over all collections; 4, the share of gold present keyphrases that are found, by fifth of
the document.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from keywright.calibration.analysis.positions import (
    PerplexityHistogram,
    average_by_place,
    make_histogram,
    measure_recall_by_fifth,
)
from keywright.calibration.calibrators.model import assign_document_folds, cross_fit
from keywright.calibration.judging import KPG_WHOLE_TEXT, Decisions, decide
from keywright.calibration.phrases import JudgedPhrases, compute_list_features, concatenate_features, locate_forms
from keywright.core.choices import Confidence
from keywright.core.errors import BadRecord, MissingData
from keywright.core.predictions import Prediction, Run
from keywright.datasets.files import MIRROR, mirror_folder
from keywright.ensembles.combining import combine
from keywright.ensembles.meta_ranker import cross_fit as meta_ranked
from keywright.ensembles.meta_trees import prepare_training
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.protocols.kpg import KPG, KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.generations import Output
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.run_formats.reading import read_outputs, read_run_file
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments.study import Row

FOLDER: Final = "kpg_predictions"

COLLECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"inspec": "inspec", "krapivin": "krapivin", "semeval2010": "semeval"}
)
"""Names of collections in files, by name in tables."""

MODELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exhird": "exhird_h_seed1",
        "one2seq": "one2seq",
        "one2set": "one2set",
        "bart": "bart",
        "t5": "t5_seed1",
        "exhird-seed2": "exhird_h_seed2",
        "t5-seed2": "t5_seed2",
        "t5-large": "t5_large",
    }
)
"""Names of models in files, by name in tables: those of the study, then other seeds and sizes."""

STUDIED: Final = ("exhird", "one2seq", "one2set", "bart", "t5")
"""The five models of the study."""
OWN: Final = frozenset({"exhird", "exhird-seed2", "bart"})
"""Models with their own version of texts and gold, which their predictions are compared with."""


def find_predictions(system: str, collection: str, mirror: Path | None = None) -> Path:
    """Return the path of a model's predictions."""
    folder = mirror or mirror_folder()
    name = f"{FOLDER}/{MODELS[system]}_{COLLECTIONS[collection]}.jsonl.zst"
    if folder is None or not (folder / name).is_file():
        where = f"{folder} holds no {name}" if folder else f"{MIRROR} is not set"
        raise MissingData(
            f"the released predictions of {system} are not on this machine: {where}",
            f"they have no licence and are not shipped; name a folder in {MIRROR} that holds one named {FOLDER}",
        )
    return folder / name


def read_predictions(system: str, collection: str, mirror: Path | None = None) -> LoadedRun:
    """Return the predictions of a model with texts and gold, the model's own version for models of ``OWN``."""
    return _read_file(
        find_predictions(system, collection, mirror), "generations-own" if system in OWN else "generations"
    )


def read_written(system: str, collection: str, mirror: Path | None = None) -> dict[str, Output]:
    """Return the whole output of a model for each document."""
    return read_outputs(find_predictions(system, collection, mirror))


def take_run(loaded: LoadedRun) -> Run:
    """Return the run of a file that was read."""
    if not isinstance(loaded.predictions, Run):
        raise TypeError("answers in place of a run")
    return loaded.predictions


@lru_cache(maxsize=64)
def _read_file(path: Path, form: str) -> LoadedRun:
    return read_run_file(path, form)


def read_voting_predictions(
    collection: str, systems: tuple[str, ...], mirror: Path | None = None
) -> dict[str, LoadedRun]:
    """Return predictions of several models over the same texts, by the models' names in files."""
    return {
        MODELS[system]: _read_file(find_predictions(system, collection, mirror), "generations") for system in systems
    }


FIVE: Final = ("exhird_h_seed1", "one2seq", "one2set", "bart", "t5_seed1")
"""Files of the models that vote, in their order."""
Predictions: TypeAlias = Mapping[str, LoadedRun]
"""Predictions of one collection, by model."""
_VOTED_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_NOTES: Final = {
    "vote": "nothing is fitted",
    "rank-fusion": "nothing is fitted",
    "mean-probability": "each model calibrated, cross-fitted by document, five folds of the collection",
    "meta-ranker": "cross-fitted by document, five folds over all collections",
}


def compute_combinations(collections: Mapping[str, Predictions]) -> tuple[Row, ...]:
    """Return F1@5 with intervals, of present and absent keyphrases, by collection and combination."""
    runs = {}
    for name, predictions in collections.items():
        if missing := [model for model in FIVE if model not in predictions]:
            raise BadRecord(f"no predictions of {missing[0]} for {name}", f"expected {', '.join(FIVE)}")
        runs[name] = _take_runs(predictions)
    ranked = _rank_by_trees(collections, runs)
    return tuple(
        row for name in collections for row in _score_combinations(name, collections[name], runs[name], ranked[name])
    )


def _take_runs(predictions: Predictions) -> tuple[Run, ...]:
    runs = (predictions[model].predictions for model in FIVE)
    return tuple(run for run in runs if isinstance(run, Run))


def _rank_by_trees(collections: Mapping[str, Predictions], runs: Mapping[str, tuple[Run, ...]]) -> dict[str, Run]:
    """Return the meta-ranker's run of each collection, trained on all of them."""
    pooled = [
        Run(model, "", "", tuple(prediction for five in runs.values() for prediction in five[at].predictions))
        for at, model in enumerate(FIVE)
    ]
    labelled = [paper for loaded in collections.values() for paper in loaded[FIVE[-1]].labelled]
    ranked = meta_ranked(prepare_training(pooled, labelled))
    by_document = {prediction.document_id: prediction for prediction in ranked.predictions}
    return {
        name: replace(ranked, predictions=tuple(by_document[paper.id] for paper in loaded[FIVE[-1]].labelled))
        for name, loaded in collections.items()
    }


def _calibrate_run(run: Run, loaded: LoadedRun) -> Run:
    """Return a run with probabilities by calibrators that were fitted on other documents of the file."""
    decisions = decide(run, loaded.labelled, KPG_WHOLE_TEXT, stemmed=loaded.stemmed)
    judged = decisions.columns(Confidence.KPP_S)
    lists = []
    for name, phrases in zip(decisions.ids, decisions.lists, strict=True):
        present = np.array([phrase.present for phrase in phrases], bool)
        occurrence = locate_forms([phrase.form for phrase in phrases], present, decisions.texts[name])
        lists.append(compute_list_features([phrase.keyphrase for phrase in phrases], Confidence.KPP_S, occurrence))
    fold = assign_document_folds(decisions.ids)[judged.document]
    probabilities = iter(cross_fit(concatenate_features(lists), judged.correct, fold, "beta", confident=True).tolist())
    predictions = (
        Prediction(name, tuple(replace(phrase.keyphrase, probability=next(probabilities)) for phrase in phrases))
        for name, phrases in zip(decisions.ids, decisions.lists, strict=True)
    )
    return Run(f"{run.system}|calibrated", run.data, run.analyser, tuple(predictions))


def _score_combinations(name: str, loaded: Predictions, runs: tuple[Run, ...], ranked: Run) -> Iterator[Row]:
    """Yield the rows of a collection; gold that ships stemmed is not stemmed again."""
    gold = loaded[FIVE[-1]].labelled
    protocol = KPG_STEMMED_GOLD if loaded[FIVE[-1]].stemmed else KPG
    documents = [paper.document for paper in gold]
    combinations = {
        "vote": combine(runs, documents=documents),
        "rank-fusion": combine(runs, Voting(Method.RANKS), documents),
        "mean-probability": combine(
            [_calibrate_run(run, loaded[FIVE[-1]]) for run in runs], Voting(Method.PROBABILITIES), documents
        ),
        "meta-ranker": ranked,
    }
    for system, run in combinations.items():
        report = add_intervals(PairedRun(run, gold).report(protocol), protocol, Resampling())
        for part in _VOTED_CLASSES:
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


WIDTH: Final = 1.0
"""Width of the bins of perplexities."""
_DECIMALS: Final = 3
"""More than can be read from the figures."""
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


def compute_figures(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield the numbers behind the figures of a model."""
    yield from _count_perplexities(model, decisions)
    yield from _average_tokens(model, decisions)
    yield from _recall_fifths(model, decisions)


def _count_perplexities(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield figure 1: the median, then the number of phrases of each bin."""
    parts = [judged.columns(Confidence.KPP_S) for judged in decisions.values()]
    for part in _CLASSES:
        histogram = make_histogram(_pool_collections(parts), present=part is PhraseClass.PRESENT, width=WIDTH)
        note = "figure 1: all collections"
        median = None if histogram.median is None else round(histogram.median, 2)
        yield Row("KPP-median", None, median, model, note=note, phrase_class=part)
        for name, count in _name_bins(histogram):
            yield Row(name, None, count, model, note=f"{note}, phrases", phrase_class=part)


def _pool_collections(parts: list[JudgedPhrases]) -> JudgedPhrases:
    """Return phrases of several collections as part, documents numbered consecutively."""
    before = np.cumsum([0, *(len(part.ids) for part in parts)])
    return JudgedPhrases(
        tuple(name for part in parts for name in part.ids),
        np.concatenate([part.document + start for part, start in zip(parts, before, strict=False)]),
        *(
            np.concatenate([getattr(part, column) for part in parts])
            for column in ("rank", "confidence", "correct", "present", "words", "gold")
        ),
    )


def _name_bins(histogram: PerplexityHistogram) -> Iterator[tuple[str, int]]:
    for low, high, count in zip(histogram.edges, histogram.edges[1:], histogram.counts.tolist(), strict=False):
        yield f"KPP-{low:g}-to-{high:g}", count
    yield f"KPP-from-{histogram.edges[-1]:g}", histogram.above


def _average_tokens(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    for part in _CLASSES:
        by_place = average_by_place(decisions.values(), present=part is PhraseClass.PRESENT)
        for at, mean in enumerate(by_place.mean.tolist(), start=1):
            if by_place.size[at - 1]:
                note = "figure 2: all collections"
                name = f"probability-of-token-{at}"
                yield Row(name, None, round(mean, _DECIMALS), model, note=note, phrase_class=part)


def _recall_fifths(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield figure 4, by position in the stemmed text."""
    for name, judged in decisions.items():
        recall = measure_recall_by_fifth(judged)
        for at, share in enumerate(recall.mean.tolist(), start=1):
            if recall.size[at - 1]:
                yield Row(
                    f"recall-in-fifth-{at}",
                    None,
                    round(share, _DECIMALS),
                    model,
                    dataset=name,
                    note="figure 4",
                    phrase_class=PhraseClass.PRESENT,
                )
