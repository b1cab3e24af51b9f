"""Gains of the encoder of quality best, and what is in its reach."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Keys
from keywright.core.documents import AnalysedDocument, Style
from keywright.datasets.training_mix import TRAINING
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.extraction.candidates.ngrams import ngrams_among
from keywright.extraction.features.description.described_candidates import DescribedCandidates, add_style_column
from keywright.extraction.ranking.context_reader import best_candidates
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.reader.rows import CUTOFFS, Gain, Reach
from studies.training_data.training_documents import TrainingDocument, training_documents


def standard_log_odds(system: Default, view: DescribedCandidates, weight: Floats) -> Floats:
    """Return the log-odds of the shortlist in the system's style, (shortlist,).

    Args:
        system: the default in the document's language, of standard quality.
        view: candidates of a document.
        weight: of all of them in the first ranking, (candidates,).
    """
    ranker = system.ranker
    start = ranker.start(ranker.usual_number(system.style), weight[view.in_shortlist], view.bounds)
    return ranker.scores(add_style_column(system.rows(view, weight)[0], Style(system.style)), start)


OWN: Final = "own style"  # styles but the general one, in rows of means


def f1_at(log_odds: Floats, answers: Bools, gold: int = 0) -> list[float]:
    """Return F1 of a document's candidates at each cutoff, against the keyphrases among them, or so many."""
    hits = answers[np.argsort(-log_odds, kind="stable")]
    return [2 * hits[:cutoff].sum() / (min(cutoff, len(hits)) + (gold or answers.sum())) for cutoff in CUTOFFS]


def gains_of(documents: str, data: str, style: str, f1: Floats) -> Iterator[Gain]:
    """Yield the gains of a collection: the means over documents, with intervals from resampling these.

    Args:
        documents: where they are from, in the rows.
        data: the collection.
        style: of the keyphrases.
        f1: of the standard quality, the encoder alone and quality best, (documents, 3, cutoffs).
    """
    resampling = Resampling()
    drawn = resample(f1[:, 2] - f1[:, 0], resampling) / len(f1)
    bounds = percentile_interval(drawn, resampling.level).T.tolist()
    for number, cutoff in enumerate(CUTOFFS):
        standard, encoder, best = f1[:, :, number].mean(axis=0).tolist()
        yield Gain(documents, data, style, f"F@{cutoff}", len(f1), standard, best, tuple(bounds[number]), encoder)


def mean_gains(documents: str, f1: Mapping[tuple[str, str], Floats]) -> Iterator[Gain]:
    """Yield the means over collections, of the general style and of their own ones, with intervals from resampling.

    Documents are drawn anew within each collection. All collections count alike, in each of their styles, whatever the
    number of their parts.

    Args:
        documents: where they are from, in the rows.
        f1: as in ``gains_of``, by collection and style.
    """
    resampling = Resampling()
    whole: dict[tuple[str, str], list[Floats]] = {}
    for (data, style), values in f1.items():
        whole.setdefault((data.partition("/")[0], style), []).append(values)
    for gold in (Style.GENERAL.value, OWN):
        chosen = [
            np.concatenate(parts) for (_, style), parts in whole.items() if (style == Style.GENERAL) == (gold != OWN)
        ]
        if not chosen:
            continue
        shares = [(values[:, 2] - values[:, 0]) / (len(values) * len(chosen)) for values in chosen]
        strata = np.repeat(np.arange(len(chosen)), list(map(len, chosen)))
        drawn = resample(np.concatenate(shares), resampling, strata)
        bounds = percentile_interval(drawn, resampling.level).T.tolist()
        means = np.mean([values.mean(axis=0) for values in chosen], axis=0).T.tolist()  # (cutoffs, 3)
        for cutoff, (standard, encoder, best), ends in zip(CUTOFFS, means, bounds, strict=True):
            yield Gain(
                documents, f"mean of {len(chosen)}", gold, f"F@{cutoff}", len(strata), standard, best, ends, encoder
            )


EVERY: Final = 25  # step between the training documents that are counted; arbitrary, some five hundred remain
_LONGEST: Final = 8  # words of a keyphrase that is looked for in the text; longer ones are hardly ever in it


def rows_of_reach(mirror: Path | None = None) -> Iterator[Reach]:
    """Yield a row for each training collection, in the style of its gold."""
    analyser, counts = TextAnalyser("en"), dict[str, Counter[str]]()
    for training in itertools.islice(training_documents(TRAINING, mirror), 0, None, EVERY):
        document = analyser.analyse(training.labelled.document)
        if len(document):
            counts.setdefault(training.part.data, Counter()).update(counted(training, document))
    for data, number in counts.items():
        yield Reach(data, *(number[name] for name in ("all", "text", "candidates", "shortlist", "read")))


def counted(training: TrainingDocument, document: AnalysedDocument) -> Iterator[str]:
    """Yield *all*, and the name of each place where it is found, for each keyphrase of a document."""
    places = _places(training.part.style, document)
    for keyphrase in training.labelled.gold:
        yield "all"
        yield from (name for name, keys in places.items() if np.isin(gold_keys([keyphrase], "en"), keys).any())


def _places(style: Style, document: AnalysedDocument) -> dict[str, Keys]:
    """Return the keys of phrases in the text, of all candidates, of the shortlist, and of those that are read."""
    system = Default(style=style.value)
    view, weight = system.view(document)
    every = np.ones(len(document), bool)
    return {
        "text": ngrams_among(document, _LONGEST, every, every).key,
        "candidates": view.candidates.key,
        "shortlist": view.shortlist.key,
        "read": view.shortlist.key[best_candidates(standard_log_odds(system, view, weight))],
    }
