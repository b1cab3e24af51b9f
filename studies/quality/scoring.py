"""Scores of one system on one collection, and paired differences of two systems, from matches by document."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from keywright.core.documents import Document, LabelledDocument
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import make_gold_sets, select_texts
from keywright.evaluation.measures.counts import Counts, build_counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, list_categories, make_functionals
from keywright.evaluation.statistics.significance import add_intervals, compare_pair
from studies.quality.rows import OURS, Hits, Score

if TYPE_CHECKING:
    from studies.quality.collections import Collection

NOTHING: Final = "-"
"""Matches by rank of a document without predictions."""


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
