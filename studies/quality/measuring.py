"""Predictions of systems on the collections of the quality report, and their scores."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from keywright.catalogue import system_class
from keywright.core.atomic_files import cache_folder
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.interfaces import Analyser, rank_document
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import describe_part, signature
from keywright.datasets.collection import compute_fingerprint, load
from keywright.evaluation.answers import make_gold_sets, select_texts
from keywright.evaluation.measures.counts import Counts, build_counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, list_categories, make_functionals
from keywright.evaluation.statistics.significance import add_intervals, compare_pair
from keywright.experiments.kpg_predictions import TopPhrases
from keywright.experiments.semeval2010_task import Labelled, fit_system, split_folds
from keywright.text.analyser import TextAnalyser
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.keys import gold_keys, phrase_key
from keywright.text.languages import TaggedAnalyser
from studies.cached import cached, code_digest, digest_of
from studies.quality.collections import DEFAULT, Collection, collection
from studies.quality.rows import OURS, Hits, Score
from studies.ranked_lists import phrases_of, prediction_of
from studies.training_data.training_documents import training_documents

if TYPE_CHECKING:
    from studies.quality.collections import Collection

NOTHING: Final = "-"  # matches by rank of a document without predictions


class Scored(NamedTuple):
    """Values of one system, and the matches that they are computed from."""

    scores: tuple[Score, ...]
    hits: tuple[Hits, ...]


def scored(
    here: "Collection",
    papers: Sequence[LabelledDocument[Document]],
    predictions: Sequence[Prediction],
    system: str,
    source: str = OURS,
    *,
    resampling: Resampling | None = None,
) -> Scored:
    """Score predictions by the protocols of a collection.

    Args:
        here: the collection; names of values are unique among its protocols.
        papers: its documents with gold.
        predictions: one for each document, in any order.
        system: name of the system.
        source: of the values.
        resampling: of documents within their categories, for intervals; None for none.
    """
    gold, categories = make_gold_sets(papers, here.gold), list_categories(papers)
    scores, hits = [], []
    for protocol in here.protocols:
        report = score(Run("", "", "", tuple(predictions)), gold, protocol, select_texts(protocol, papers))
        if resampling:
            report = add_intervals(report, protocol, resampling, categories)
        for name, value in report.values.items():
            kind, _, measure = name.partition("/")
            if measure.startswith("F@"):
                ends = report.intervals.get(name)
                scores.append(Score(here.data, protocol.signature, kind, measure, system, value, ends, source))
        for kind, counts in report.counts.items():
            strata = " ".join(categories[name] for name in counts.ids) if categories else ""
            matches, sizes = _by_rank(counts), " ".join(map(str, counts.gold.tolist()))
            hits.append(Hits(here.data, protocol.signature, kind, system, matches, sizes, strata))
    return Scored(tuple(scores), tuple(hits))


def _by_rank(counts: Counts) -> str:
    deepest = max(cutoff for cutoff in counts.cutoffs if isinstance(cutoff, int))
    ends = np.concatenate([[0], np.cumsum(counts.predicted)]).tolist()
    flat = counts.relevance.tolist()
    lists = (flat[start:end][:deepest] for start, end in pairwise(ends))
    return " ".join("".join(map(str, ranks)) or NOTHING for ranks in lists)


def counts_of(hits: Hits, protocol: Protocol) -> Counts:
    """Return the counts that matches were taken from, cut at the deepest cutoff; documents are numbered."""
    lists = [[] if text == NOTHING else list(map(int, text)) for text in hits.by_rank.split()]
    cutoffs = tuple(dict.fromkeys(measure.k for measure in protocol.measures if measure.k is not None))
    sizes = list(map(int, hits.sizes.split()))
    return build_counts(tuple(map(str, range(len(lists)))), lists, sizes, cutoffs, protocol.short_list)


def differences(
    ours: Hits, theirs: Hits, protocol: Protocol, resampling: Resampling | None = None
) -> Mapping[str, tuple[float, float]]:
    """Return intervals of the differences of two systems on the same documents, low and high by measure.

    Documents are drawn with replacement, from each stratum separately, and both systems' matches of a document are
    drawn together.
    """
    return dict(_differences(ours, theirs, protocol, resampling or Resampling()))


def _differences(
    ours: Hits, theirs: Hits, protocol: Protocol, resampling: Resampling
) -> Iterator[tuple[str, tuple[float, float]]]:
    strata = np.unique(ours.strata.split(), return_inverse=True)[1] if ours.strata else None
    both = (make_functionals(ours.gold, counts_of(hits, protocol), protocol) for hits in (ours, theirs))
    for first, second in zip(*both, strict=True):
        pair = compare_pair(first, second, resampling, randomised=False, strata=strata)
        for name, low, high in zip(pair.names, pair.low.tolist(), pair.high.tolist(), strict=True):
            yield name.partition("/")[2], (low, high)


TOP: Final = 40  # phrases that each system is asked for: some become equal when a scorer stems them; arbitrary
FIRST: Final = 15  # phrases whose probabilities are evaluated: the largest cutoff of the shared task
_LIBRARIES: Final = ("numpy", "scipy", "lightgbm", "spacy", "onnxruntime")
"""Packages of others that decide predictions."""
_RUNNING: Final = ("keywright.core.interfaces.rank_document", "keywright.text.analyser.TextAnalyser")
_TAGGING: Final = ("keywright.text.languages.TaggedAnalyser",)
_TASK: Final = "keywright.experiments.semeval2010_task"
_TRAINING: Final = (f"{_TASK}.folds", f"{_TASK}.fitted")
_SCORING: Final = ("studies.quality.measuring.scored",)  # code by which predictions, tags and scores are computed

Papers = tuple[LabelledDocument[Document], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one system on one collection.

    Attributes:
        scores: the values.
        hits: what they are computed from.
        shown: the phrases that it ranked first, against the main gold; None for a system without probabilities.
    """

    scores: tuple[Score, ...]
    hits: tuple[Hits, ...]
    shown: TopPhrases | None


def evaluate(unit: tuple[str, str], mirror: Path | None = None) -> Outcome:
    """Run a system over a data set, both by name, and score it; results are cached.

    Against kinds of gold in several styles, the default is run once for each style and scored on the gold of that
    style.
    """
    data, name = unit
    here = collection(data)
    scores: list[Score] = []
    hits: list[Hits] = []
    shown: TopPhrases | None = None
    for golds, options in here.variants(name).items():
        predictions = cached_predictions(here, name, options, mirror)
        result = _scored(here, name, predictions, mirror)
        scores += [row for row in result.scores if row.gold in golds or row.gold not in here.gold]
        hits += [row for row in result.hits if row.gold in golds or row.gold not in here.gold]
        if here.gold[0] in golds:
            shown = first_shown(here, sources(data, mirror)[0], predictions)
    return Outcome(tuple(scores), tuple(hits), shown)


def cached_predictions(
    here: Collection, name: str, options: Mapping[str, Any], mirror: Path | None = None
) -> tuple[Prediction, ...]:
    """Return the prediction of a system with some parameters for each document, from the cache where it is there."""
    system = replace(system_class(name)(), **options)
    tagged = "tags" in system.needs
    of_system = f"{type(system).__module__}.{type(system).__qualname__}"
    code = code_digest(of_system, *_RUNNING, *_TRAINING, *(_TAGGING if tagged else ()))
    trained = _training(here, name, system, mirror)
    libraries = [f"{library} {metadata.version(library)}" for library in _LIBRARIES if _installed(library)]
    identity = [name, signature(system), code, sources(here.data, mirror)[1], trained, TOP, *libraries]
    result = cached(cache_folder("quality"), identity, lambda: _record(predict(here, name, system, mirror)))
    return tuple(prediction_of(document_id, phrases) for document_id, phrases in result["predictions"])


def _training(here: Collection, name: str, system: Any, mirror: Path | None) -> str:
    """Return the identity of the training data of a system; empty where it is not trained."""
    if not hasattr(system, "fit") or (name == DEFAULT and here.lessons):
        return ""
    return lesson_sources(here.data, mirror)[1] if here.lessons else "folds"


def _installed(library: str) -> bool:
    try:
        return bool(metadata.version(library))
    except metadata.PackageNotFoundError:
        return False


def _record(predictions: Iterable[Prediction]) -> dict[str, Any]:
    return {"predictions": [[prediction.document_id, phrases_of(prediction)] for prediction in predictions]}


def _scored(here: Collection, name: str, predictions: Sequence[Prediction], mirror: Path | None) -> Scored:
    """Return values with intervals, from the cache where they are there."""
    papers, content = sources(here.data, mirror)
    rules = [describe_part(protocol) for protocol in here.protocols]
    identity = [name, digest_of(_record(predictions)), *rules, *here.gold, content, code_digest(*_SCORING)]

    def make() -> dict[str, Any]:
        result = scored(here, papers, predictions, name, resampling=Resampling())
        return {"scores": [row.record() for row in result.scores], "hits": [row.record() for row in result.hits]}

    record = cached(cache_folder("quality"), identity, make)
    return Scored(tuple(map(Score.of, record["scores"])), tuple(map(Hits.of, record["hits"])))


def predict(here: Collection, name: str, system: Any, mirror: Path | None = None) -> tuple[Prediction, ...]:
    """Return the system's prediction for each document, in any order."""
    tagged = "tags" in system.needs
    labelled = documents(here.data, mirror, tagged=tagged)
    if here.lessons is None:
        pairs = [(fit_system(system, training), held_out) for training, held_out in split_folds(labelled)]
    elif name == DEFAULT or not hasattr(system, "fit"):
        pairs = [(system, labelled)]
    else:
        pairs = [(fit_system(system, lessons(here.data, mirror, tagged=tagged)), labelled)]
    return tuple(
        rank_document(extractor, paper.document, TOP).prediction(TOP) for extractor, papers in pairs for paper in papers
    )


@lru_cache(maxsize=2)
def sources(data: str, mirror: Path | None = None) -> tuple[Papers, str]:
    """Return the documents to score, with the gold that counts, and their identity.

    In cross-validation only those with such gold are scored.
    """
    here = collection(data)
    with_gold = (
        LabelledDocument(paper.document, tuple(gold for gold in paper.gold if gold.by in here.gold))
        for paper in load(data, mirror)
    )
    papers = tuple(paper for paper in with_gold if paper.gold or here.lessons)
    return papers, content_of(papers)


@lru_cache(maxsize=2)
def lesson_sources(data: str, mirror: Path | None = None) -> tuple[Papers, str]:
    """Return the documents that systems are trained on before they are run over a data set, and their identity."""
    part = collection(data).lessons
    papers = tuple(paper.labelled for paper in training_documents((part,) if part else (), mirror))
    return papers, content_of(papers)


def content_of(papers: Papers) -> str:
    """Return the identity of documents: their texts, gold, order, sections and language."""
    places = [
        [
            paper.id,
            paper.document.language or "",
            *(f"{part.kind} {part.start} {part.end}" for part in paper.document.sections),
        ]
        for paper in papers
    ]
    return digest_of([compute_fingerprint(papers), *places])


@lru_cache(maxsize=2)
def documents(data: str, mirror: Path | None = None, *, tagged: bool = False) -> Labelled:
    """Return the analysed documents to score; tags are cached on disk, because tagging a paper takes half a second."""
    return _analysed(sources(data, mirror)[0], tagged=tagged)


@lru_cache(maxsize=2)
def lessons(data: str, mirror: Path | None = None, *, tagged: bool = False) -> Labelled:
    """Return the analysed documents that systems are trained on before they are run over a data set."""
    return _analysed(lesson_sources(data, mirror)[0], tagged=tagged)


def _analysed(papers: Papers, *, tagged: bool) -> Labelled:
    analyser: Analyser = TextAnalyser("en")
    if tagged:
        tagger = TaggedAnalyser(TextAnalyser("en"))
        analyser = CachedAnalyser(tagger, cache_folder("analyses"), tagger.signature)
    return tuple(LabelledDocument(analyser.analyse(paper.document), paper.gold) for paper in papers)


def first_shown(
    here: Collection,
    labelled: Sequence[LabelledDocument[Document] | LabelledDocument[AnalysedDocument]],
    predictions: Iterable[Prediction],
) -> TopPhrases | None:
    """Return the first phrases of each document with their probabilities; None where the system gives none.

    Documents from which the system withholds probabilities are left out.

    A phrase is right if it is a gold keyphrase of the collection's first kind, matched by stems and without hyphens,
    as in the training of the default.
    """
    main = here.gold[0]
    keys = {paper.id: set(gold_keys(paper.given_by(main), "en").tolist()) for paper in labelled}
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
    return TopPhrases(probabilities, right, owner)
