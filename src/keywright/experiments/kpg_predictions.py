"""Released predictions of five keyphrase generators: read, combined, and as the numbers behind the study's figures.

Without a licence they never ship: they are read from this machine. The order of the vote's two tie-breakers was chosen
on them, which changes a number by .003 at most. Calibrators and the meta-ranker see only other documents than those
that they are applied to. Figures: 1, perplexities (KPP-s); 2, mean probability of the first to fifth token; 4, recall
of gold by fifth of the document. Reliability: agreement of probabilities with the share of phrases that are right.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

import numpy as np

from keywright.calibration.analysis import positions
from keywright.calibration.calibration_error import (
    Bin,
    NoiseFloor,
    compute_error,
    make_bins,
    measure_noise_floor,
    sum_bins,
)
from keywright.calibration.calibrators.model import assign_document_folds, cross_fit
from keywright.calibration.judging import KPG_WHOLE_TEXT, Decisions, decide
from keywright.calibration.phrases import JudgedPhrases, compute_list_features, concatenate_features, locate_forms
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord, MissingData
from keywright.core.predictions import Prediction, Run
from keywright.core.word_lists import read_pairs
from keywright.datasets.files import MIRROR, mirror_folder
from keywright.ensembles.combining import combine
from keywright.ensembles.meta_ranker import cross_fit as meta_ranked
from keywright.ensembles.meta_ranker import prepare_training
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG, KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.run_formats.reading import read_run_file
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments.study import Row, TableRow

FOLDER: Final = "kpg_predictions"

COLLECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"inspec": "inspec", "krapivin": "krapivin", "semeval2010": "semeval"}
)
"""Names of collections in files, by name in tables."""

MODELS: Final[Mapping[str, str]] = MappingProxyType(
    {"exhird": "exhird_h_seed1", "one2seq": "one2seq", "one2set": "one2set", "bart": "bart", "t5": "t5_seed1"}
    | {"exhird-seed2": "exhird_h_seed2", "t5-seed2": "t5_seed2", "t5-large": "t5_large"}
)
"""Names of models in files, by name in tables: those of the study, then other seeds and sizes."""

STUDIED: Final = ("exhird", "one2seq", "one2set", "bart", "t5")  # the five models of the study
CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_read_file: Final = lru_cache(maxsize=64)(read_run_file)
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
    form = "generations-own" if system in OWN else "generations"
    return _read_file(find_predictions(system, collection, mirror), form)


def read_voting_predictions(collection: str, mirror: Path | None = None) -> dict[str, LoadedRun]:
    """Return predictions of the studied models over the same texts, by the models' names in files."""
    files = {MODELS[system]: find_predictions(system, collection, mirror) for system in STUDIED}
    return {model: _read_file(file, "generations") for model, file in files.items()}


def take_run(loaded: LoadedRun) -> Run:
    """Return the run of a file that was read."""
    if not isinstance(loaded.predictions, Run):
        raise TypeError("answers in place of a run")
    return loaded.predictions


def score_run(run: Run, labelled: tuple[LabelledDocument[Document], ...], protocol: Protocol) -> Report:
    """Return the scores of a run with intervals from resampling documents."""
    return add_intervals(PairedRun(run, labelled).report(protocol), protocol, Resampling())


FIVE: Final = tuple(MODELS[system] for system in STUDIED)  # files of the models that vote, in their order
Predictions: TypeAlias = Mapping[str, LoadedRun]  # predictions of one collection, by model
_NOTES: Final = read_pairs("experiments/names.txt", "NOTES")


def compute_combinations(collections: Mapping[str, Predictions]) -> Iterator[Row]:
    """Yield F1@5 with intervals, of present and absent keyphrases, by collection and combination."""
    for name, predictions in collections.items():
        if missing := [model for model in FIVE if model not in predictions]:
            raise BadRecord(f"no predictions of {missing[0]} for {name}", f"expected {', '.join(FIVE)}")
    runs = {name: [take_run(loaded[model]) for model in FIVE] for name, loaded in collections.items()}
    pooled = [
        Run(model, "", "", tuple(prediction for five in runs.values() for prediction in five[at].predictions))
        for at, model in enumerate(FIVE)
    ]
    papers = [paper for loaded in collections.values() for paper in loaded[FIVE[-1]].labelled]
    ranked = meta_ranked(prepare_training(pooled, papers))
    by_document = {prediction.document_id: prediction for prediction in ranked.predictions}
    for name, loaded in collections.items():
        gold = loaded[FIVE[-1]]
        documents = [paper.document for paper in gold.labelled]
        calibrated = [_calibrate_run(run, gold) for run in runs[name]]
        combinations = {
            "vote": combine(runs[name], documents=documents),
            "rank-fusion": combine(runs[name], Voting(Method.RANKS), documents),
            "mean-probability": combine(calibrated, Voting(Method.PROBABILITIES), documents),
            "meta-ranker": replace(ranked, predictions=tuple(by_document[document.id] for document in documents)),
        }
        protocol = KPG_STEMMED_GOLD if gold.stemmed else KPG  # gold that ships stemmed is not stemmed again
        for system, run in combinations.items():
            report = score_run(run, gold.labelled, protocol)
            for part in CLASSES:
                value, ends = report.values[f"{part}/F@5"], report.intervals.get(f"{part}/F@5")
                row = Row("F@5", None, value, system, dataset=name, category=part, note=_NOTES[system])
                yield replace(row, interval=ends)


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


WIDTH: Final = 1.0  # width of the bins of perplexities
_DECIMALS: Final = 3  # more than can be read from the figures


def compute_figures(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield the numbers behind the figures of a model: 1 and 2 over all collections, 4 for each."""
    pooled = _pool_collections([judged.columns(Confidence.KPP_S) for judged in decisions.values()])
    for part in CLASSES:
        histogram = positions.make_histogram(pooled, present=part is PhraseClass.PRESENT, width=WIDTH)
        median = None if histogram.median is None else round(histogram.median, 2)
        note = "figure 1: all collections"
        yield Row("KPP-median", None, median, model, note=note, phrase_class=part)
        edges = histogram.edges
        bins = [f"KPP-{low:g}-to-{high:g}" for low, high in itertools.pairwise(edges)]
        counts = [*histogram.counts.tolist(), histogram.above]
        for name, count in zip((*bins, f"KPP-from-{edges[-1]:g}"), counts, strict=True):
            yield Row(name, None, count, model, note=f"{note}, phrases", phrase_class=part)
    for part in CLASSES:
        means = positions.average_by_place(decisions.values(), present=part is PhraseClass.PRESENT)
        row = Row("probability-of-token-", None, None, model, note="figure 2: all collections", phrase_class=part)
        yield from _number_means(row, means)
    for name, judged in decisions.items():
        row = Row("recall-in-fifth-", None, None, model, dataset=name, note="figure 4")
        yield from _number_means(
            replace(row, phrase_class=PhraseClass.PRESENT), positions.measure_recall_by_fifth(judged)
        )


def _number_means(row: Row, means: positions.MeansByPlace) -> Iterator[Row]:
    """Yield a row for each place that has values."""
    for place, (mean, size) in enumerate(zip(means.mean.tolist(), means.size.tolist(), strict=True), start=1):
        if size:
            yield replace(row, measure=f"{row.measure}{place}", ours=round(mean, _DECIMALS))


def _pool_collections(parts: Sequence[JudgedPhrases]) -> JudgedPhrases:
    """Return phrases of several collections as one, documents numbered consecutively."""
    before = np.cumsum([0, *(len(part.ids) for part in parts)])
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("rank", "confidence", "correct", "present", "words", "gold")
    }
    document = np.concatenate([part.document + start for part, start in zip(parts, before, strict=False)])
    return JudgedPhrases(tuple(name for part in parts for name in part.ids), document, **columns)


@dataclass(frozen=True, slots=True)
class Reliability(TableRow):
    """The reliability of the probabilities, 0 to 1, of the phrases that a system ranks first.

    ``documents_of``: a data set, or a class of documents, such as ``abstract``; ``interval``: 95 percent, from
    resampling documents; ``floor``: the error of probabilities that are exactly right.
    """

    documents_of: str
    system: str
    documents: int
    phrases: int
    error: float
    interval: tuple[float, float]
    floor: NoiseFloor
    bins: tuple[Bin, ...]

    part: ClassVar[str] = "reliability"


@dataclass(frozen=True, slots=True, eq=False)
class TopPhrases:
    """The phrases that a system ranks first, with the number of each one's document, from 0; columns are (phrases,)."""

    probabilities: Floats
    right: Bools
    owner: Ints


def measure_reliability(
    documents_of: str, system: str, shown: TopPhrases, resampling: Resampling | None = None
) -> Reliability:
    """Return the reliability of at least one phrase, with an interval from resampling documents."""
    drawing = resampling or Resampling()
    masks = [shown.owner == document for document in np.unique(shown.owner)]
    table = np.stack([sum_bins(shown.probabilities[mask], shown.right[mask]) for mask in masks])  # (documents, 3, bins)
    drawn = resample(table.reshape(len(table), -1), drawing).reshape(-1, *table.shape[1:])
    low, high = percentile_interval(compute_error(drawn)[:, None], drawing.level)[:, 0].tolist()
    whole, floor = table.sum(axis=0), measure_noise_floor(shown.probabilities)
    error = float(compute_error(whole))
    return Reliability(documents_of, system, len(masks), len(shown.right), error, (low, high), floor, make_bins(whole))


def measure_class(
    documents_of: str, system: str, decisions: Decisions, part: PhraseClass, confidence: Confidence
) -> Reliability | None:
    """Return the reliability of the present, or of the absent phrases of a run; None if there are none."""
    columns = decisions.columns(confidence)
    phrases = columns.where(columns.present == (part is PhraseClass.PRESENT))
    if not len(phrases):
        return None
    return measure_reliability(documents_of, system, TopPhrases(phrases.confidence, phrases.correct, phrases.document))
